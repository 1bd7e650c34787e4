import { setTimeout as delay } from "node:timers/promises";
import { type Backoff, backoffMs } from "../../../shared/backoff.ts";
import type { RunView } from "../../../shared/contracts/runs/runs.ts";
import { LOG_MESSAGES } from "../texts.ts";

const TRIES = 5;
const RETRIES: Backoff = { firstMs: 1_000, longestMs: 8_000 };
const ANSWERED_WITHIN_MS = 10_000;

/** The app of another installation, whose runs are done here. */
export interface RemoteApp {
  baseUrl: string;
  /** The same on both sides. */
  secret: string;
}

/** Tells an app how the run of one of its checks ended. It also looks by itself now and then, so that a few tries do. */
export async function notifyApp(
  { baseUrl, secret }: RemoteApp,
  run: RunView,
  signal: AbortSignal,
): Promise<void> {
  const checkRunId = run.scm?.checkRunId;
  if (checkRunId === undefined) return;
  const { id: runId, status, counts, links } = run;
  const conclusion = status === "completed" ? run.conclusion : status;
  const body = JSON.stringify({ runId, conclusion, counts, reportUrl: links.report });
  for (let tried = 1; ; tried++) {
    const answer = await fetch(`${baseUrl}/runs/${encodeURIComponent(checkRunId)}/complete`, {
      method: "POST",
      headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
      body,
      redirect: "error",
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWERED_WITHIN_MS)]),
    }).catch((error: Error) => error);
    if (answer instanceof Response) await answer.body?.cancel();
    if (answer instanceof Response && answer.ok) return;
    const why = answer instanceof Response ? `it returned status ${answer.status}` : answer.message;
    const isFinal = answer instanceof Response && answer.status < 500 && answer.status !== 429;
    if (isFinal || tried === TRIES) throw new Error(LOG_MESSAGES.appNotNotified(runId, why));
    await delay(backoffMs(tried, RETRIES), undefined, { signal });
  }
}
