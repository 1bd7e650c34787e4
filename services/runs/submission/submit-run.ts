import { createHash } from "node:crypto";
import { UniqueConstraintViolationException } from "@mikro-orm/core";
import { isDatabaseUnavailable } from "../../../mixins/database.ts";
import { refuseUrl } from "../../../shared/capture/network/address-guard.ts";
import { broadcast } from "../../../shared/contracts/bus.ts";
import type { ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import { secretNamesIn } from "../../../shared/contracts/runs/secrets.ts";
import type {
  DefaultedField,
  SubmitRun,
  SubmittedRun,
  UnsetField,
} from "../../../shared/contracts/runs/submit-run.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { invalidField } from "../../../shared/errors.ts";
import { pairBaselines } from "../baselines/pair-baselines.ts";
import { dispatchCaptures } from "../capture/dispatch-captures.ts";
import { applyProjectConfiguration } from "../configuration/apply-project-configuration.ts";
import { changedFields } from "../configuration/merge-configuration.rule.ts";
import type { Run } from "../run.entity.ts";
import { findRepeated, insertRun } from "../run.store.ts";
import type { RunsContext } from "../runs-context.ts";
import { requireSecrets } from "../secrets/require-secrets.ts";
import { LOG_MESSAGES, RUN_ERRORS } from "../texts.ts";
import { applyConfiguration, type Configured } from "./apply-configuration.ts";
import { countRun, uncountRun } from "./count-run.ts";
import { noteDefaultBranch } from "./follow-default-branch.ts";
import { isFromFork } from "./is-from-fork.ts";
import { findProjectFor, newRun, type RunKeys } from "./new-run.ts";
import { type PlannedScreenshot, planScreenshots, screenshotsPerJob } from "./plan-screenshots.rule.ts";

interface Submission {
  id: string;
  body: SubmitRun;
  /** Fields that the repository's configuration can set. */
  unsetFields?: UnsetField[];
  /** Fields with their default. The project's configuration can set them. */
  defaultedFields?: DefaultedField[];
  /** Whether the run continues, with a warning, if the configuration can't be used. */
  lenient?: boolean;
  idempotencyKey?: string | null;
  /** Whether it confirms the result of an earlier run. It doesn't use the team's allowance then. */
  isConfirmation?: boolean;
  /** The screenshots to capture. Null for all. */
  only?: readonly ScreenshotKey[] | null;
}

/**
 * Accepts a run: writes its rows, then queues its first jobs.
 * A repeat of the same deployment and commit, or of the same idempotency key, returns the first run. A repeat of the
 * same message, by its id, returns the same answer.
 * @throws ServiceError invalid_request for a private address, an idempotency key used with another body, an unknown
 *   secret, or errors in the repository's configuration; plan_limit_exceeded; unavailable
 */
export async function submitRun(
  context: RunsContext,
  caller: Caller,
  {
    id,
    body: submitted,
    unsetFields = [],
    defaultedFields = [],
    lenient = false,
    idempotencyKey = null,
    isConfirmation = false,
    only = null,
  }: Submission,
): Promise<SubmittedRun> {
  // Pages of a tunnel's application are only reached through the tunnel.
  const refusal = submitted.tunnel ? null : refuseUrl(new URL(submitted.url), context.policy);
  if (refusal !== null) throw invalidField("url", RUN_ERRORS.url(refusal));

  const bodyDigest = digest(JSON.stringify(withoutHistory(submitted)));
  const keys = {
    dedupeKey:
      submitted.scm && !submitted.rerun && !submitted.tunnel
        ? digest(`${normalizeUrl(submitted.url)} ${submitted.scm.sha.toLowerCase()}`)
        : null,
    idempotencyKey,
  };
  const findFirst = () => findRepeated(context.em(), caller.teamId, { id, ...keys });
  const answerRepeat = (first: Run) => toRepeatedRun(context, first, { id, bodyDigest, idempotencyKey });
  const before = await findFirst();
  if (before) return answerRepeat(before);
  const configured = await admitSecrets(
    context,
    caller,
    await configure(context, caller, submitted, { unsetFields, defaultedFields, lenient }),
    lenient,
  );
  const pages = planScreenshots(configured.body, only);
  const counting = { id, teamId: caller.teamId, screenshots: pages.length };
  const isRepeatable = keys.dedupeKey !== null || keys.idempotencyKey !== null;
  const concurrentRun = isConfirmation
    ? null
    : await countRun(context, counting, isRepeatable ? findFirst : null);
  if (concurrentRun) return answerRepeat(concurrentRun);

  const run = await writeRun(
    context,
    caller,
    { ...configured, pages },
    { id, ...keys, bodyDigest, isConfirmation },
    findFirst,
  );
  if ("first" in run) return answerRepeat(run.first);
  await broadcast(context.bus, "run.submitted", { runId: run.id, teamId: run.teamId });
  // The rows exist, so the run is accepted. The recovery sweep queues what can't be queued now.
  await dispatchCaptures(context).catch(error => context.warn(error, LOG_MESSAGES.notQueued(run.id)));
  return toSubmittedRun(context, run);
}

/** A submission completed by configurations. */
type CompletedSubmission = Omit<Configured, "configured"> & Pick<Run, "configuredBy">;

/** Completes a submission with its repository's configuration, then with its project's. */
async function configure(
  context: RunsContext,
  { teamId }: Caller,
  submitted: SubmitRun,
  {
    unsetFields,
    defaultedFields,
    lenient,
  }: Required<Pick<Submission, "unsetFields" | "defaultedFields" | "lenient">>,
): Promise<CompletedSubmission> {
  const configured = await applyConfiguration(context, teamId, submitted, { unsetFields, lenient });
  const owner = { teamId, project: projectNameOf(submitted) };
  const defaulted = defaultedFields.filter(name => !configured.configured.includes(name));
  const body = await applyProjectConfiguration(context.em(), owner, configured.body, defaulted);
  const project = changedFields(configured.body, body);
  return { ...configured, body, configuredBy: { repository: [...configured.configured], project } };
}

/**
 * Checks the secrets that a submission refers to, and notes if it comes from a fork. In a lenient submission, the pages
 * that miss a secret fail alone.
 */
async function admitSecrets(
  context: RunsContext,
  { teamId }: Caller,
  configured: CompletedSubmission,
  lenient: boolean,
): Promise<CompletedSubmission> {
  const { options = {}, scm, url } = configured.body;
  const owner = { teamId, project: projectNameOf(configured.body) };
  if (!lenient) await requireSecrets(context.em(), owner, options);
  if (!scm || secretNamesIn(options).length === 0 || scm.fromFork !== undefined) return configured;
  const fromFork = await isFromFork(context, { teamId, url, commit: scm });
  return { ...configured, body: { ...configured.body, scm: { ...scm, fromFork } } };
}

/** Writes a counted run. Returns the first run if an equal one was written at the same time. */
async function writeRun(
  context: RunsContext,
  caller: Caller,
  { body, warnings, configuredBy, pages }: CompletedSubmission & { pages: PlannedScreenshot[] },
  keys: RunKeys,
  findFirst: () => Promise<Run | null>,
): Promise<Run | { first: Run }> {
  const em = context.em();
  try {
    const followed = await findProjectFor(em, caller, projectNameOf(body), body);
    await noteDefaultBranch(context, caller, followed);
    const run = {
      ...newRun(caller, body, followed.project, keys),
      warnings,
      configuredBy,
      screenshotsPerJob: screenshotsPerJob(pages),
    };
    await insertRun(em, run, await pairBaselines(em, run, body, pages));
    return run;
  } catch (error) {
    // The rows may exist if the database became unreachable in between. Billing later finds runs that were counted by
    // mistake.
    if (isDatabaseUnavailable(error)) throw error;
    const first = await findFirst();
    if (first?.id !== keys.id) await uncountRun(context, keys.id);
    if (first && error instanceof UniqueConstraintViolationException) return { first };
    throw error;
  }
}

/** Normalizes the host's spelling and removes the fragment, which don't make another deployment. */
function normalizeUrl(address: string): string {
  const url = new URL(address);
  url.hash = "";
  return url.href;
}

/** Removes what changes when the base branch moves on. The same submission stays the same then. */
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

function projectNameOf({ project, scm, url }: SubmitRun): string {
  return project ?? (scm ? `${scm.owner}/${scm.repo}` : new URL(url).host);
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
