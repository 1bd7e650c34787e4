import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { isContentRefused, type Outcome } from "../../shared/alerts/outcome.rule.ts";
import { postJson } from "../../shared/alerts/post-json.ts";
import { ALERT_TEXTS } from "../texts/monitor.ts";
import { AlertStateFile } from "./alert-state.ts";
import type { HistoryEntry } from "./history-entry.ts";
import { type AlertPlan, planAlert } from "./plan-alert.ts";
import { bodyOf, briefBodyOf, formOf, type OutgoingAlert } from "./webhook-form.ts";

/** Delays between attempts, ms. After a longer outage, the next run retries. */
const RETRY_DELAYS_MS = [1_000, 4_000];
/** The longest delay that a receiver may ask for. */
const MAX_WAIT_MS = 30_000;

export interface SendOptions {
  webhook: string;
  historyDir: string;
  threshold: number;
  /** Aborts the waits between attempts. */
  stopping: AbortSignal;
}

/** The result of a run's alert. */
export interface AlertReport {
  decision: AlertPlan["decision"];
  sent: boolean;
  /** Why it was not sent. */
  error: string | null;
}

/**
 * Sends an alert for a run if one is due. The stored state is what was sent, so the next run that finds the same
 * problem retries an alert that failed.
 */
export async function sendAlert(entries: HistoryEntry[], options: SendOptions): Promise<AlertReport> {
  const file = new AlertStateFile(options.historyDir, options.webhook);
  const memory = await file.read();
  const { decision, alert, next } = planAlert(entries, memory, new Date());
  if (alert === null && isDeepStrictEqual(next.pairs, memory.pairs))
    return { decision, sent: false, error: null };
  // Other processes may monitor the same pages with the same receiver. Each must know what the others sent.
  const report = await file.withFileLock(options.stopping, () => sendDueAlert(file, entries, options));
  return report ?? { decision, sent: false, error: ALERT_TEXTS.otherProcess };
}

async function sendDueAlert(
  file: AlertStateFile,
  entries: HistoryEntry[],
  options: SendOptions,
): Promise<AlertReport> {
  const memory = await file.read();
  const { decision, alert, next } = planAlert(entries, memory, new Date());
  if (alert === null) {
    await file.write({ ...next, pending: memory.pending });
    return { decision, sent: false, error: null };
  }
  const about = `${alert.kind} ${alert.about}`;
  const id = memory.pending?.about === about ? memory.pending.id : `alr_${randomUUID()}`;
  await file.write({ ...memory, pending: { id, about } });
  const outcome = await sendMessage({ id, alert, threshold: options.threshold }, options);
  if (outcome.kind !== "sent") return { decision, sent: false, error: outcome.answer };
  await file.write({ ...next, pending: null });
  return { decision, sent: true, error: null };
}

/** Sends the whole message. If the receiver refuses it, sends a minimal one once. */
async function sendMessage(outgoing: OutgoingAlert, options: SendOptions): Promise<Outcome> {
  const form = formOf(options.webhook);
  const outcome = await post(bodyOf(form, outgoing), outgoing, options);
  return isContentRefused(outcome) ? await post(briefBodyOf(form, outgoing), outgoing, options) : outcome;
}

async function post(
  content: object,
  outgoing: OutgoingAlert,
  { webhook, stopping }: SendOptions,
): Promise<Outcome> {
  const body = JSON.stringify(content);
  const headers = { "Vrs-Delivery": outgoing.id, "Vrs-Event": `monitor.${outgoing.alert.kind}` };
  // A running request is never aborted, because it may have arrived. It has its own timeout.
  const { signal } = new AbortController();
  for (let retries = 0; ; retries++) {
    const outcome = await postJson({ url: webhook, body, headers, policy: null, signal });
    const waitMs = RETRY_DELAYS_MS[retries];
    if (outcome.kind !== "retry" || waitMs === undefined || stopping.aborted) return outcome;
    const retryAfterMs = outcome.retryAfterMs ?? 0;
    if (retryAfterMs > MAX_WAIT_MS) return outcome;
    await delay(Math.max(waitMs, retryAfterMs), undefined, { signal: stopping }).catch(() => {});
  }
}
