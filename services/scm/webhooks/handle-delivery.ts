import type { DeliveryAnswer } from "../../../shared/contracts/platform/delivery.ts";
import { parseJson } from "../../../shared/json.ts";
import { startPeriodicTask } from "../../../shared/periodic-task.ts";
import { failureBackoffMs } from "../checks/check-state.rule.ts";
import { HostError } from "../code-host/host-error.ts";
import { findConnection } from "../connections/connection.store.ts";
import { isConnection } from "../connections/connection-id.ts";
import { type LaneWork, workInLanes } from "../lanes/lanes.ts";
import type { ScmContext } from "../scm-context.ts";
import { EVENT_REASONS } from "../texts/events.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import { DUPLICATE, type Handled, notTriggered } from "./answer.ts";
import { connectedHandlerOf } from "./connected/event-sources.ts";
import {
  finishDelivery,
  type LeasedDelivery,
  leaseDueDeliveries,
  postponeDelivery,
  releaseDelivery,
  renewDeliveryLease,
  saveDelivery,
} from "./delivery.store.ts";
import type { EventHandler } from "./events/event.ts";
import { EVENTS } from "./events/index.ts";
import { eventDigest, isHandled, markHandled } from "./handled-event.store.ts";

/** Well within a lease, so that one renewal may fail. */
const RENEWAL_INTERVAL_MS = 4_000;

/** Retries all due deliveries that the code host did not respond to before. */
export async function handleDueDeliveries(context: ScmContext, signal?: AbortSignal): Promise<void> {
  const deliveries: LaneWork<LeasedDelivery> = {
    lease: full => leaseDueDeliveries(context.em(), full),
    work: (delivery, overdue) => retryLeased(context, delivery, overdue),
    failed: (error, { event }) => context.warn(error, LOG_MESSAGES.eventNotHandled(event)),
  };
  await workInLanes(deliveries, signal);
}

/** Returns what handles a delivery, or null if its repository was disconnected. */
async function handlerOf(
  { em }: ScmContext,
  { installationId, event }: LeasedDelivery,
): Promise<EventHandler | null> {
  if (installationId === null || !isConnection(installationId)) return EVENTS.get(event) ?? null;
  const connection = await findConnection(em(), installationId);
  return connection && connectedHandlerOf(connection, event);
}

/**
 * Retries a delivery, and keeps its lease meanwhile. A code host that does not respond takes longer than a lease, and
 * each further lease would count as another retry.
 */
async function retryLeased(
  context: ScmContext,
  delivery: LeasedDelivery,
  overdue: AbortSignal,
): Promise<void> {
  await keepingLease(context, delivery, () => retryDelivery(context, delivery), overdue);
}

/**
 * Goes on with a delivery whose sender gets its response now. If this node stops, another one retries the event.
 * @param handling what `handleDelivery` returned
 * @returns when the event is saved
 */
export async function continueDelivery(
  context: ScmContext,
  delivery: LeasedDelivery,
  handling: Promise<unknown>,
): Promise<void> {
  // First, so that an error from now on keeps the event.
  delivery.isSaved = true;
  await saveDelivery(context.em(), delivery);
  void keepingLease(context, delivery, () => handling)
    .catch(error => retryLater(context, delivery, error))
    // The database does not respond, or this node stops. The event is retried after its lease.
    .catch(error => context.warn(error, LOG_MESSAGES.eventNotHandled(delivery.event)));
}

async function keepingLease(
  context: ScmContext,
  delivery: LeasedDelivery,
  work: () => Promise<unknown>,
  overdue?: AbortSignal,
): Promise<void> {
  const renewing = startPeriodicTask(
    {
      intervalMs: RENEWAL_INTERVAL_MS,
      work: async () => (overdue?.aborted ? undefined : renewDeliveryLease(context.em(), delivery)),
      failed: LOG_MESSAGES.deliveryLeaseNotRenewed,
    },
    context.warn,
  );
  try {
    await work();
  } finally {
    await renewing.stop();
  }
}

async function retryDelivery(context: ScmContext, delivery: LeasedDelivery): Promise<void> {
  const handle = await handlerOf(context, delivery);
  const payload = parseJson(delivery.payload);
  if (!handle || payload === undefined) return releaseDelivery(context.em(), delivery.id, delivery.lease);
  try {
    await handleDelivery(context, delivery, () => handle(context, payload));
  } catch (error) {
    await retryLater(context, delivery, error);
  }
}

async function retryLater(context: ScmContext, delivery: LeasedDelivery, error: unknown): Promise<void> {
  context.warn(error, LOG_MESSAGES.eventNotHandled(delivery.event));
  await postponeDelivery(context.em(), delivery, failureBackoffMs(delivery.retries));
}

/**
 * Handles a leased delivery, unless it repeats an event that has no effect twice. One that the code host did not
 * respond to is kept for a retry. After any other error it is deleted, unless it is saved, so that the code host can
 * send it again.
 */
export async function handleDelivery(
  context: ScmContext,
  delivery: LeasedDelivery,
  handle: () => ReturnType<EventHandler>,
): Promise<DeliveryAnswer> {
  let result: HandlingResult | null = null;
  const digest = eventDigest(delivery);
  const handleNew = async () => ((await isHandled(context.em(), digest)) ? DUPLICATE : handle());
  try {
    result = await runHandler(context, delivery.event, handleNew);
    return result.answer;
  } finally {
    // It may have been saved meanwhile.
    const { id, lease, retries, isSaved } = delivery;
    delivery.isEnding = true;
    if (result?.next === "wait") await postponeDelivery(context.em(), delivery, failureBackoffMs(retries));
    else if (result?.next === "done") {
      if (result.once) await markHandled(context.em(), digest);
      await finishDelivery(context.em(), id);
    } else if (!isSaved || result) await releaseDelivery(context.em(), id, lease);
  }
}

interface HandlingResult {
  answer: DeliveryAnswer;
  next: "done" | "wait" | "forget";
  once: boolean;
}

/** Runs the handler. A code host that does not respond does not fail the delivery. */
async function runHandler(
  context: ScmContext,
  event: string,
  handle: () => ReturnType<EventHandler>,
): Promise<HandlingResult> {
  try {
    const { unfinished, once = false, ...answer }: Handled = await handle();
    if (unfinished?.passing) return { answer, next: "wait", once };
    return { answer, next: answer.status < 500 ? "done" : "forget", once };
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    context.warn(error, LOG_MESSAGES.requestFailed(event));
    const [reason, next] = error.passing
      ? ([EVENT_REASONS.retried(error.message), "wait"] as const)
      : ([EVENT_REASONS.refused(error.message), "forget"] as const);
    return { answer: notTriggered(reason.slice(0, 500)), next, once: false };
  }
}
