import type { Inbox } from "../../shared/contracts/reviews/inbox.ts";
import type {
  ReviewerRulesBody,
  ReviewerRulesView,
  RunReviewers,
} from "../../shared/contracts/reviews/reviewers.ts";
import type { ProjectList, ProjectView } from "../../shared/contracts/runs/projects.ts";
import type { ChangeNoticePreferences, NoticePreferencesView } from "../../shared/contracts/teams/notices.ts";
import type { MemberList, MemberView } from "../../shared/contracts/teams/people.ts";
import type { InboxFilters } from "../location-filters.ts";
import { requestJson } from "./request.ts";

const ofProject = (project: string) => `v1/projects/${encodeURIComponent(project)}`;
const ofRun = (runId: string) => `v1/runs/${encodeURIComponent(runId)}/reviewers`;

/** Requests about people who review together. Every function throws ApiProblem. */
export const peopleApi = {
  inbox({ filter, project }: InboxFilters, limit: number, cursor: string | null) {
    const query = new URLSearchParams({ limit: String(limit) });
    if (filter) query.set("filter", filter);
    if (project) query.set("project", project);
    if (cursor !== null) query.set("cursor", cursor);
    return requestJson<Inbox>(`v1/inbox?${query}`);
  },
  /** Returns all members of a team. */
  async members(teamId: string): Promise<MemberView[]> {
    const members: MemberView[] = [];
    let cursor: string | null = null;
    do {
      const query = new URLSearchParams({ limit: "100", ...(cursor !== null && { cursor }) });
      const path = `v1/teams/${encodeURIComponent(teamId)}/members?${query}`;
      const page: MemberList = await requestJson<MemberList>(path);
      members.push(...page.data);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return members;
  },
  reviewers: (runId: string) => requestJson<RunReviewers>(ofRun(runId)),
  putReviewers: (runId: string, reviewers: string[]) =>
    requestJson<RunReviewers>(ofRun(runId), { method: "PUT", body: { reviewers } }),
  reviewerRules: (project: string) => requestJson<ReviewerRulesView>(`${ofProject(project)}/reviewers`),
  putReviewerRules: (project: string, body: ReviewerRulesBody) =>
    requestJson<ReviewerRulesView>(`${ofProject(project)}/reviewers`, { method: "PUT", body }),
  /** Returns the project with exactly this name, or null. */
  async project(name: string): Promise<ProjectView | null> {
    // Many names may contain this one, such as those of its builds.
    for (let cursor = ""; ; ) {
      const query = new URLSearchParams({ find: name, limit: "100", ...(cursor !== "" && { cursor }) });
      const { data, nextCursor } = await requestJson<ProjectList>(`v1/projects?${query}`);
      const found = data.find(project => project.name === name);
      if (found || nextCursor === null) return found ?? null;
      cursor = nextCursor;
    }
  },
  noticePreferences: () => requestJson<NoticePreferencesView>("v1/account/notices"),
  changeNoticePreferences: (body: ChangeNoticePreferences) =>
    requestJson<NoticePreferencesView>("v1/account/notices", { method: "PATCH", body }),
};
