import { pickPage } from "../../../shared/contracts/capture/page-fields.ts";
import { isEnded } from "../../../shared/contracts/runs/run-outcomes.ts";
import type { SubmittedRun } from "../../../shared/contracts/runs/submit-run.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { newId } from "../../../shared/ids.ts";
import { findArchive } from "../archives/manage-archives.ts";
import { noteActivity } from "../note-activity.ts";
import { findKeptOptions } from "../proofs/proof.store.ts";
import { runOf } from "../queries/read-runs.ts";
import type { Run } from "../run.entity.ts";
import type { RunsContext } from "../runs-context.ts";
import { findScreenshots } from "../screenshot.store.ts";
import { RERUN_ERRORS } from "../texts/runs.ts";
import { rerunBody } from "./rerun-body.rule.ts";
import { submitRun } from "./submit-run.ts";

/**
 * Submits a run again: all its pages, or only those that failed. It counts toward the plan like any other run. A
 * repeated idempotency key returns the first run.
 * @throws ServiceError not_found; conflict if the run can't be captured again; the errors of a submission
 */
export async function rerunRun(
  context: RunsContext,
  caller: Caller,
  { id, only, idempotencyKey }: { id: string; only?: "failed"; idempotencyKey?: string | undefined },
): Promise<SubmittedRun> {
  const run = await runOf(context, caller, id);
  const refusal = whyNot(run);
  if (refusal !== null) throw new ServiceError("conflict", refusal);
  const em = context.em();
  const options = await findKeptOptions(em, id);
  if (!options) throw new ServiceError("conflict", RERUN_ERRORS.expired);
  const { archive, project } = run;
  if (archive !== null && !(await findArchive(context, caller, { project, id: archive })))
    throw new ServiceError("conflict", RERUN_ERRORS.noArchive);
  const captured = (await findScreenshots(em, id)).filter(({ status }) => status !== "removed");
  if (captured.some(({ story }) => story !== null))
    throw new ServiceError("conflict", RERUN_ERRORS.storybook);
  const pages = only === "failed" ? captured.filter(({ status }) => status === "failed") : captured;
  if (pages.length === 0) throw new ServiceError("conflict", RERUN_ERRORS.nothing);
  const regions = [...new Set(pages.flatMap(({ region }) => region ?? []))];
  const body = rerunBody(run, { options, regions }, pages, only === undefined);
  const submitted = await submitRun(context, caller, {
    id: newId("run"),
    body,
    configuredBy: run.configuredBy,
    only: pages.map(pickPage),
    regions,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });
  if (submitted.deduplicated) return submitted;
  await noteActivity(context, caller, "run.rerun", id, {
    project,
    as: submitted.id,
    screenshots: pages.length,
  });
  return submitted;
}

function whyNot({ kind, source, status, tunnel }: Run): string | null {
  if (kind !== "run") return RERUN_ERRORS.kind;
  if (source !== "capture") return RERUN_ERRORS.uploaded;
  if (tunnel !== null) return RERUN_ERRORS.tunnel;
  return isEnded(status) ? null : RERUN_ERRORS.unfinished;
}
