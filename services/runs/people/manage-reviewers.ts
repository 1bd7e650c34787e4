import { broadcast, call } from "../../../shared/contracts/bus.ts";
import {
  REVIEWER_BOUNDS,
  type ReviewerRulesBody,
  type ReviewerRulesView,
  type RunReviewers,
} from "../../../shared/contracts/reviews/reviewers.ts";
import { type Caller, countsAs } from "../../../shared/contracts/teams/caller.ts";
import { invalidField, notFound, ServiceError } from "../../../shared/errors.ts";
import { MONITOR_PROJECTS } from "../../../shared/monitor-project.ts";
import { publishSoon } from "../events/publish-events.ts";
import { insertNotice } from "../events/run-events.ts";
import { noteActivity } from "../note-activity.ts";
import { runOf } from "../queries/read-runs.ts";
import { lockRun } from "../run.store.ts";
import type { RunsContext } from "../runs-context.ts";
import { PROJECT_CHARS } from "../secrets/secret-owner.rule.ts";
import { SECRET_ERRORS } from "../texts/projects.ts";
import { REVIEWER_ERRORS } from "../texts/reviews.ts";
import { findReviewers, findRules, insertReviewers, keepReviewers, putRules } from "./reviewer.store.ts";

/** Returns the reviewers of a run. @throws ServiceError not_found */
export async function readReviewers(
  context: RunsContext,
  caller: Caller,
  { runId }: { runId: string },
): Promise<RunReviewers> {
  await runOf(context, caller, runId);
  return { reviewers: (await findReviewers(context.em(), [runId])).get(runId) ?? [] };
}

/**
 * Replaces the reviewers of a run. New ones are notified.
 * @throws ServiceError not_found; invalid_request for a login that can't review; conflict for a run without reviews
 */
export async function putReviewers(
  context: RunsContext,
  caller: Caller,
  { runId, reviewers: logins }: { runId: string; reviewers: string[] },
): Promise<RunReviewers> {
  const { kind, project } = await runOf(context, caller, runId);
  if (kind !== "run" || project.startsWith(MONITOR_PROJECTS))
    throw new ServiceError("conflict", REVIEWER_ERRORS.noReview);
  const members = await reviewersNamed(context, caller, logins, index => `reviewers[${index}]`);
  const added = await context.em().transactional(async tx => {
    const run = await lockRun(tx, runId);
    if (!run) throw notFound("run", runId);
    await keepReviewers(
      tx,
      runId,
      members.map(({ id }) => id),
    );
    const users = await insertReviewers(tx, runId, members, caller.actor.name);
    if (users.length > 0) await insertNotice(tx, run, { kind: "review", users, except: countsAs(caller) });
    return users;
  });
  if (added.length > 0) publishSoon(context);
  const details = { project, reviewers: members.map(({ login }) => login).join(", ") || "-" };
  await noteActivity(context, caller, "run.assigned", runId, details);
  await broadcast(context.bus, "run.commented", { runId, teamId: caller.teamId });
  return readReviewers(context, caller, { runId });
}

/** Returns the rules that assign reviewers to the runs of a project. */
export async function readReviewerRules(
  context: RunsContext,
  { teamId }: Caller,
  { project }: { project: string },
): Promise<ReviewerRulesView> {
  const rules = await findRules(context.em(), teamId, project);
  return {
    project,
    rules: rules.map(({ routes, reviewers }) => ({ routes, reviewers: reviewers.map(({ login }) => login) })),
  };
}

/**
 * Replaces the rules that assign reviewers to the runs of a project. They apply to runs that end from now on.
 * @throws ServiceError invalid_request for a login that can't review
 */
export async function putReviewerRules(
  context: RunsContext,
  caller: Caller,
  { project, rules }: { project: string } & ReviewerRulesBody,
): Promise<ReviewerRulesView> {
  const { teamId } = caller;
  if (project.length > PROJECT_CHARS) throw invalidField("project", SECRET_ERRORS.longProject(PROJECT_CHARS));
  if (project.startsWith(MONITOR_PROJECTS)) throw new ServiceError("conflict", REVIEWER_ERRORS.noReview);
  const stored = [];
  for (const [at, { routes, reviewers }] of rules.entries()) {
    const path = (index: number) => `rules[${at}].reviewers[${index}]`;
    stored.push({ routes, reviewers: await reviewersNamed(context, caller, reviewers, path) });
  }
  await putRules(context.em(), { teamId, project }, stored);
  await noteActivity(context, caller, "project.changed", project, { reviewerRules: rules.length });
  return readReviewerRules(context, caller, { project });
}

/** Returns the members with these logins. @throws ServiceError invalid_request for a login that can't review */
async function reviewersNamed(
  { bus }: RunsContext,
  { teamId }: Caller,
  logins: string[],
  path: (index: number) => string,
): Promise<{ id: string; login: string }[]> {
  if (logins.length === 0) return [];
  const people = await call(bus, "teams.noticePeople", { teamId });
  return logins.slice(0, REVIEWER_BOUNDS.perRun).map((login, index) => {
    const found = people.find(person => person.login?.toLowerCase() === login);
    if (!found?.login) throw invalidField(path(index), REVIEWER_ERRORS.noMember);
    if (found.role === "viewer") throw invalidField(path(index), REVIEWER_ERRORS.viewer);
    return { id: found.id, login: found.login };
  });
}
