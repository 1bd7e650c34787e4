import { createHmac, timingSafeEqual } from "node:crypto";
import type { ResultJob } from "../../../shared/contracts/runs/jobs.ts";

/** What a job asks for of a screenshot. */
type Stage = "capture" | "compare";

/**
 * Signs jobs, so that only a worker that has a job can report its result. A worker may write to the queue of results,
 * and one that was broken into would otherwise write the results of every team's runs.
 */
export class JobTokens {
  readonly #key: string;

  /** @param key known to the nodes that have this service, and to no worker */
  constructor(key: string) {
    this.#key = key;
  }

  /** Returns the token of a job: of one screenshot, and of one stage. */
  issue(stage: Stage, runId: string, screenshotId: string): string {
    const text = JSON.stringify(["job", stage, runId, screenshotId]);
    return createHmac("sha256", this.#key).update(text).digest("base64url");
  }

  /** Returns whether the result comes from a worker that was given the job. */
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
  return result.kind === "compared" ? "compare" : "capture";
}
