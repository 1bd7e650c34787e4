import { queryOptions } from "@tanstack/react-query";
import { peopleApi } from "../api/people.ts";

const STALE_MS = 60_000;

/** Loads the members of a team, for mentions and reviewers. */
export const membersQuery = (teamId: string) =>
  queryOptions({
    queryKey: ["all-members", teamId],
    queryFn: () => peopleApi.members(teamId),
    staleTime: STALE_MS,
  });

export const reviewersQuery = (runId: string) =>
  queryOptions({ queryKey: ["reviewers", runId], queryFn: () => peopleApi.reviewers(runId) });

export const reviewerRulesQuery = (project: string) =>
  queryOptions({ queryKey: ["reviewer-rules", project], queryFn: () => peopleApi.reviewerRules(project) });

/** Loads a project by its name. Null without a run. */
export const projectQuery = (project: string) =>
  queryOptions({ queryKey: ["project", project], queryFn: () => peopleApi.project(project) });

export const noticePreferencesQuery = queryOptions({
  queryKey: ["notice-preferences"],
  queryFn: peopleApi.noticePreferences,
});
