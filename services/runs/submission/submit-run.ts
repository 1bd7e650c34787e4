import { createHash } from "node:crypto";
import { UniqueConstraintViolationException } from "@mikro-orm/core";
import { type EntityManager, isDatabaseUnavailable } from "../../../mixins/database.ts";
import { refuseUrl } from "../../../shared/capture/network/address-guard.ts";
import { broadcast } from "../../../shared/contracts/bus.ts";
import type { Scm } from "../../../shared/contracts/code-host/scm.ts";
import type { SubmitRun, SubmittedRun, UnsetField } from "../../../shared/contracts/runs/submit-run.ts";
import { type Caller, countsAs } from "../../../shared/contracts/teams/caller.ts";
import { invalidField } from "../../../shared/errors.ts";
import { newId } from "../../../shared/ids.ts";
import { pairBaselines } from "../baselines/pair-baselines.ts";
import { branchOrPullRequestOf, branchScope, defaultBranchFor, scopeOf } from "../baselines/scope.rule.ts";
import { dispatchCaptures } from "../capture/dispatch-captures.ts";
import type { Project } from "../project.entity.ts";
import type { Run, RunWithOptions } from "../run.entity.ts";
import { findOrCreateProject, findRepeated, insertRun } from "../run.store.ts";
import type { RunsContext } from "../runs-context.ts";
import { LOG_MESSAGES, RUN_ERRORS } from "../texts.ts";
import { applyConfiguration, type Configured } from "./apply-configuration.ts";
import { countRun, uncountRun } from "./count-run.ts";
import { type FollowedProject, followDefaultBranch, noteDefaultBranch } from "./follow-default-branch.ts";
import { planScreenshots } from "./plan-screenshots.rule.ts";

interface Submission {
  id: string;
  body: SubmitRun;
  /** What of the body the repository's configuration may say. */
  unsetFields?: UnsetField[];
  /** Whether it goes on without a configuration that can't be used, and says so. */
  lenient?: boolean;
  idempotencyKey?: string | null;
  /** Whether it confirms what an earlier run found: it takes nothing from the team's allowance. */
  isConfirmation?: boolean;
}

/** What a run is told from others by. */
type RunKeys = Pick<Run, "id" | "dedupeKey" | "idempotencyKey" | "bodyDigest" | "isConfirmation">;

/**
 * Accepts a run: its rows, then its first jobs. A repeat of the same deployment and commit, or of the same
 * idempotency key, is answered with the first run; a repeat of the same message, by its id, as if it were the first.
 * @throws ServiceError invalid_request for a private address, for an idempotency key used with another body, or for
 *   faults of the repository's configuration; plan_limit_exceeded; unavailable
 */
export async function submitRun(
  context: RunsContext,
  caller: Caller,
  {
    id,
    body: submitted,
    unsetFields = [],
    lenient = false,
    idempotencyKey = null,
    isConfirmation = false,
  }: Submission,
): Promise<SubmittedRun> {
  const refusal = refuseUrl(new URL(submitted.url), context.policy);
  if (refusal !== null) throw invalidField("url", RUN_ERRORS.url(refusal));

  const bodyDigest = digest(JSON.stringify(withoutHistory(submitted)));
  const keys = {
    dedupeKey:
      submitted.scm && !submitted.rerun
        ? digest(`${normalizeUrl(submitted.url)} ${submitted.scm.sha.toLowerCase()}`)
        : null,
    idempotencyKey,
  };
  const findFirst = () => findRepeated(context.em(), caller.teamId, { id, ...keys });
  const answerRepeat = (first: Run) => toRepeatedRun(context, first, { id, bodyDigest, idempotencyKey });
  const before = await findFirst();
  if (before) return answerRepeat(before);
  const configured = await applyConfiguration(context, caller.teamId, submitted, { unsetFields, lenient });
  const screenshots = planScreenshots(configured.body).length;
  const counting = { id, teamId: caller.teamId, screenshots };
  const isRepeatable = keys.dedupeKey !== null || keys.idempotencyKey !== null;
  const concurrentRun = isConfirmation
    ? null
    : await countRun(context, counting, isRepeatable ? findFirst : null);
  if (concurrentRun) return answerRepeat(concurrentRun);

  const run = await writeRun(
    context,
    caller,
    configured,
    { id, ...keys, bodyDigest, isConfirmation },
    findFirst,
  );
  if ("first" in run) return answerRepeat(run.first);
  await broadcast(context.bus, "run.submitted", { runId: run.id, teamId: run.teamId });
  // The rows are there, so the run is accepted; the sweep queues what cannot be queued now.
  await dispatchCaptures(context).catch(error => context.warn(error, LOG_MESSAGES.notQueued(run.id)));
  return toSubmittedRun(context, run);
}

/** Writes a run that was counted; where an equal one was written at the same moment, that one is the first. */
async function writeRun(
  context: RunsContext,
  caller: Caller,
  { body, warnings }: Configured,
  keys: RunKeys,
  findFirst: () => Promise<Run | null>,
): Promise<Run | { first: Run }> {
  const em = context.em();
  try {
    const followed = await findProjectFor(em, caller, body);
    await noteDefaultBranch(context, caller, followed);
    const run = { ...newRun(caller, body, followed.project, keys), warnings };
    await insertRun(em, run, await pairBaselines(em, run, body));
    return run;
  } catch (error) {
    // It may be there all the same, if the database went away in between: what was counted for nothing is found later.
    if (isDatabaseUnavailable(error)) throw error;
    const first = await findFirst();
    if (first?.id !== keys.id) await uncountRun(context, keys.id);
    if (first && error instanceof UniqueConstraintViolationException) return { first };
    throw error;
  }
}

/** An address is the same however its host is spelled, and wherever on the page it leads. */
function normalizeUrl(address: string): string {
  const url = new URL(address);
  url.hash = "";
  return url.href;
}

/** The same submission, said again while its base branch has moved on, is the same. */
function withoutHistory(body: SubmitRun): SubmitRun {
  if (!body.scm) return body;
  const { baseSha: _baseSha, missingShas: _missingShas, ...scm } = body.scm;
  return { ...body, scm };
}

function toRepeatedRun(
  context: RunsContext,
  run: Run,
  { id, bodyDigest, idempotencyKey }: Pick<Run, "id" | "bodyDigest" | "idempotencyKey">,
): SubmittedRun {
  if (run.id === id) return toSubmittedRun(context, run);
  if (idempotencyKey !== null && run.idempotencyKey === idempotencyKey && run.bodyDigest !== bodyDigest) {
    throw invalidField("Idempotency-Key", RUN_ERRORS.idempotencyKey(run.id));
  }
  return { ...toSubmittedRun(context, run), deduplicated: true };
}

function toSubmittedRun(context: RunsContext, run: Run): SubmittedRun {
  const links = { self: context.links.run(run.id), report: context.links.report(run.id, run.linkGeneration) };
  return { id: run.id, status: run.status, project: run.project, links };
}

/**
 * The project that a submission names, or the repository, or the site. What everybody's runs are compared with is for
 * admins to move, and for the code-host app, which asks as one: another's word for the default branch counts once, for
 * a project that is new.
 */
async function findProjectFor(
  em: EntityManager,
  { teamId, role }: Caller,
  body: SubmitRun,
): Promise<FollowedProject> {
  const { scm } = body;
  const repository = scm && `${scm.owner}/${scm.repo}`;
  const project = await findOrCreateProject(em, {
    id: newId("proj"),
    teamId,
    name: body.project ?? repository ?? new URL(body.url).host,
    nullReruns: false,
    defaultBranch: scm?.defaultBranch ?? defaultBranchFor(scm?.pr === undefined ? branchOf(body) : null),
    createdAt: new Date(),
  });
  return followDefaultBranch(em, project, role === "admin" ? scm?.defaultBranch : undefined);
}

function branchOf(body: SubmitRun): string | null {
  return body.branch ?? body.scm?.branch ?? null;
}

function storedScm({ missingShas: _missingShas, ...scm }: NonNullable<SubmitRun["scm"]>): Scm {
  return scm;
}

function newRun(
  caller: Caller,
  body: SubmitRun,
  project: Project,
  keys: RunKeys,
): Omit<RunWithOptions, "warnings"> {
  const source = { branch: branchOf(body), scm: body.scm ? storedScm(body.scm) : null };
  const scope = scopeOf(source, project.defaultBranch);
  return {
    kind: "run",
    teamId: caller.teamId,
    projectId: project.id,
    project: project.name,
    url: body.url,
    ...source,
    // Named now: a default branch that is another later was not this run's.
    branch: source.branch ?? branchOrPullRequestOf(scope).branch,
    scope,
    defaultScope: branchScope(project.defaultBranch),
    threshold: body.threshold,
    options: body.options ?? {},
    status: "queued",
    conclusion: null,
    error: null,
    ...keys,
    tally: null,
    linkGeneration: 0,
    createdBy: caller.actor.id,
    createdAs: countsAs(caller),
    submitter: caller.actor.name,
    createdAt: new Date(),
    rendering: null,
    recapturedAt: null,
    startedAt: null,
    completedAt: null,
  };
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
