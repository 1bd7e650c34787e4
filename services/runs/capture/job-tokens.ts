import { createHmac, timingSafeEqual } from "node:crypto";
import type { Result, ResultJob } from "../../../shared/contracts/runs/jobs.ts";
import { LOG_MESSAGES } from "../texts/log.ts";

/** The stage of a screenshot's job, or of the list of a run's stories. */
type Stage = "capture" | "compare" | "list" | "prove";

/**
 * Signs jobs, so that only a worker that has a job can report its result. Workers can write to the result queue.
 * Without tokens, a compromised worker could write results for the runs of every team.
 */
export class JobTokens {
  readonly #key: string;

  /** @param key secret of the nodes with this service, unknown to workers */
  constructor(key: string) {
    this.#key = key;
  }

  /** Returns the token of a job for one screenshot and one stage. */
  issue(stage: Stage, runId: string, screenshotId: string): string {
    const text = JSON.stringify(["job", stage, runId, screenshotId]);
    return createHmac("sha256", this.#key).update(text).digest("base64url");
  }

  /** Returns whether the result comes from a worker that had the job. */
  accepts(result: ResultJob): boolean {
    const { runId, screenshotId, token } = result;
    if (typeof token !== "string") return false;
    const expected = Buffer.from(this.issue(stageOf(result), runId, screenshotId));
    const given = Buffer.from(token);
    return expected.length === given.length && timingSafeEqual(expected, given);
  }
}

function stageOf(result: ResultJob): Stage {
  if (result.kind === "failed") return result.stage;
  if (result.kind === "listed") return "list";
  if (result.kind === "proved") return "prove";
  return result.kind === "compared" ? "compare" : "capture";
}

/** Checks and removes the token of a result. @returns null, with a warning, if no worker with that job reported it */
export function verifyResult(
  { tokens, warn }: { tokens: JobTokens; warn: (error: Error, what: string) => void },
  job: ResultJob,
): Result | null {
  if (!tokens.accepts(job)) {
    const reason = new Error(LOG_MESSAGES.wrongToken);
    warn(reason, LOG_MESSAGES.resultRejected(job.runId, job.screenshotId));
    return null;
  }
  const { token: _token, ...result } = job;
  return result;
}
