import { createHash } from "node:crypto";
import type { SubmitRun, SubmittedRun } from "../../../shared/contracts/runs/submit-run.ts";
import { invalidField } from "../../../shared/errors.ts";
import type { Run } from "../run.entity.ts";
import type { RunsContext } from "../runs-context.ts";
import { RUN_ERRORS } from "../texts/runs.ts";

/** What identifies the repeats of a submission. */
export type RepeatKeys = Pick<Run, "dedupeKey" | "idempotencyKey" | "bodyDigest">;

/** Returns the keys of a submission. Without a commit, only its idempotency key can be repeated. */
export function repeatKeysOf(submitted: SubmitRun, idempotencyKey: string | null): RepeatKeys {
  const { url, scm, rerun, tunnel, archive, project, storybook } = submitted;
  const isDeployment = scm && !rerun && !tunnel;
  return {
    dedupeKey: isDeployment
      ? digest(
          `${normalizeUrl(url)} ${scm.sha.toLowerCase()}${archive ? ` ${archive} ${project ?? ""}` : ""}${storybook ? ` storybook ${storybook.tags?.join(" ") ?? ""}${storybook.onlyChanged ? " only changed" : ""}` : ""}`,
        )
      : null,
    idempotencyKey,
    bodyDigest: digest(JSON.stringify(withoutHistory(submitted))),
  };
}

/** Normalizes the host's spelling and removes the fragment, which don't make another deployment. */
function normalizeUrl(address: string): string {
  const url = new URL(address);
  url.hash = "";
  return url.href;
}

/** Removes what the code host compares, which may change or be missing. The same submission stays the same then. */
function withoutHistory(body: SubmitRun): SubmitRun {
  if (!body.scm) return body;
  const {
    baseSha: _baseSha,
    missingShas: _missingShas,
    changedFiles: _changedFiles,
    message: _message,
    ...scm
  } = body.scm;
  return { ...body, scm };
}

/**
 * Returns the response to a repeat of a submission: its first run.
 * @throws ServiceError invalid_request for an idempotency key that was used with another body
 */
export function toRepeatedRun(
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

/** Returns the response to an accepted submission. */
export function toSubmittedRun(context: RunsContext, run: Run): SubmittedRun {
  const links = { self: context.links.run(run.id), report: context.links.report(run.id, run.linkGeneration) };
  return { id: run.id, status: run.status, project: run.project, links };
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
