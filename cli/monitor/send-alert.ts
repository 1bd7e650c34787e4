import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { isContentRefused, type Outcome } from "../../shared/alerts/outcome.rule.ts";
import { postJson } from "../../shared/alerts/post-json.ts";
import { ALERT_TEXTS } from "../texts/monitor.ts";
import { type AlertPlan, planAlert } from "./alert.ts";
import { AlertStateFile } from "./alert-state.ts";
import type { HistoryEntry } from "./history-entry.ts";
import { bodyOf, briefBodyOf, formOf, type OutgoingAlert } from "./webhook-form.ts";

/** Waits between tries, ms. What is away for longer is tried again by the next run. */
const RETRY_AFTER_MS = [1_000, 4_000];
/** A receiver may ask for more patience than that, to this bound. */
const LONGEST_WAIT_MS = 30_000;

export interface SendOptions {
  webhook: string;
  historyDir: string;
  threshold: number;
  /** Ends the waits between tries. */
  stopping: AbortSignal;
}

/** What became of a run's alert. */
export interface AlertReport {
  decision: AlertPlan["decision"];
  sent: boolean;
  /** Why it was not sent. */
  error: string | null;
}

/**
 * Tells the receiver of what a run found, if that is news. What is news is known by what was sent: what could not be
 * sent is tried again by the next run that finds it.
 */
export async function sendAlert(entries: HistoryEntry[], options: SendOptions): Promise<AlertReport> {
  const file = new AlertStateFile(options.historyDir, options.webhook);
  const memory = await file.read();
  const { decision, alert, next } = planAlert(entries, memory, new Date());
  if (alert === null && isDeepStrictEqual(next.pairs, memory.pairs))
    return { decision, sent: false, error: null };
  // Others may watch the same and tell the same receiver: what one of them sent is known before the next one asks.
  const report = await file.inTurn(options.stopping, () => tellNews(file, entries, options));
  return report ?? { decision, sent: false, error: ALERT_TEXTS.otherProcess };
}

async function tellNews(
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
  const outcome = await deliver({ id, alert, threshold: options.threshold }, options);
  if (outcome.kind !== "sent") return { decision, sent: false, error: outcome.answer };
  await file.write({ ...next, pending: null });
  return { decision, sent: true, error: null };
}

/** Sends the whole message, or where its receiver refuses that, once a minimal one. */
async function deliver(outgoing: OutgoingAlert, options: SendOptions): Promise<Outcome> {
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
  // A request that is under way may have arrived; it is bounded by itself.
  const { signal } = new AbortController();
  for (let tries = 0; ; tries++) {
    const outcome = await postJson({ url: webhook, body, headers, policy: null, signal });
    const waitMs = RETRY_AFTER_MS[tries];
    if (outcome.kind !== "later" || waitMs === undefined || stopping.aborted) return outcome;
    const askedMs = outcome.askedMs ?? 0;
    if (askedMs > LONGEST_WAIT_MS) return outcome;
    await delay(Math.max(waitMs, askedMs), undefined, { signal: stopping }).catch(() => {});
  }
}
