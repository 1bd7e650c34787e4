import { setTimeout as delay } from "node:timers/promises";
import { type Backoff, backoffMs } from "../../../shared/backoff.ts";
import type { RunView } from "../../../shared/contracts/runs/runs.ts";
import { LOG_MESSAGES } from "../texts/log.ts";

const MAX_ATTEMPTS = 5;
const RETRIES: Backoff = { firstMs: 1_000, longestMs: 8_000 };
const RESPONSE_TIMEOUT_MS = 10_000;

/** The app of another installation whose runs are done here. */
export interface RemoteApp {
  baseUrl: string;
  /** The same on both sides. */
  secret: string;
}

/** Notifies an app that the run of one of its checks ended. A few attempts are enough, because the app also polls. */
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
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(`${baseUrl}/runs/${encodeURIComponent(checkRunId)}/complete`, {
      method: "POST",
      headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
      body,
      redirect: "error",
      signal: AbortSignal.any([signal, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]),
    }).catch((error: Error) => error);
    if (answer instanceof Response) await answer.body?.cancel();
    if (answer instanceof Response && answer.ok) return;
    const why = answer instanceof Response ? `it returned status ${answer.status}` : answer.message;
    const isFinal = answer instanceof Response && answer.status < 500 && answer.status !== 429;
    if (isFinal || attempt === MAX_ATTEMPTS) throw new Error(LOG_MESSAGES.appNotNotified(runId, why));
    await delay(backoffMs(attempt, RETRIES), undefined, { signal });
  }
}
