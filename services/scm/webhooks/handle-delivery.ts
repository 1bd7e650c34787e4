import type { DeliveryAnswer } from "../../../shared/contracts/platform/delivery.ts";
import { parseJson } from "../../../shared/json.ts";
import { nextTryMs } from "../checks/check-state.rule.ts";
import { HostError } from "../code-host/host-error.ts";
import type { ScmContext } from "../scm-context.ts";
import { EVENT_REASONS, LOG_MESSAGES } from "../texts.ts";
import { notTriggered } from "./answer.ts";
import {
  claimDueDeliveries,
  finishDelivery,
  postponeDelivery,
  releaseDelivery,
  type TakenDelivery,
} from "./delivery.store.ts";
import type { EventHandler, Handled } from "./events/event.ts";
import { EVENTS } from "./events/index.ts";

const AT_ONCE = 5;

/** Handles every delivery again that is due, because the code host did not answer before. */
export async function handleDueDeliveries(context: ScmContext, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const due = await claimDueDeliveries(context.em(), AT_ONCE);
    await Promise.all(due.map(delivery => handleAgain(context, delivery)));
    if (due.length < AT_ONCE) return;
  }
}

async function handleAgain(context: ScmContext, delivery: TakenDelivery): Promise<void> {
  const handle = EVENTS.get(delivery.event);
  const payload = parseJson(delivery.payload);
  if (!handle || payload === undefined) return releaseDelivery(context.em(), delivery.id, delivery.claim);
  try {
    await handleDelivery(context, delivery, () => handle(context, payload));
  } catch (error) {
    context.warn(error, LOG_MESSAGES.eventNotHandled(delivery.event));
    await postponeDelivery(context.em(), delivery, nextTryMs(delivery.tries));
  }
}

/**
 * Handles a claimed delivery. One that waits for the code host is kept, to be handled later; any other that failed is
 * forgotten, so that it can be sent again.
 */
export async function handleDelivery(
  context: ScmContext,
  delivery: TakenDelivery,
  handle: () => ReturnType<EventHandler>,
): Promise<DeliveryAnswer> {
  let settled: Settled | null = null;
  try {
    settled = await settle(context, delivery.event, handle);
    return settled.answer;
  } finally {
    const { id, claim, tries } = delivery;
    if (settled?.next === "wait") await postponeDelivery(context.em(), delivery, nextTryMs(tries));
    else if (settled?.next === "done") await finishDelivery(context.em(), id);
    else if (tries === 0 || settled) await releaseDelivery(context.em(), id, claim);
  }
}

interface Settled {
  answer: DeliveryAnswer;
  next: "done" | "wait" | "forget";
}

/** What the code host itself did not answer is no fault of the delivery. */
async function settle(
  context: ScmContext,
  event: string,
  handle: () => ReturnType<EventHandler>,
): Promise<Settled> {
  try {
    const { unfinished, ...answer }: Handled = await handle();
    if (unfinished?.passing) return { answer, next: "wait" };
    return { answer, next: answer.status < 500 ? "done" : "forget" };
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    context.warn(error, LOG_MESSAGES.requestFailed(event));
    const [reason, next] = error.passing
      ? ([EVENT_REASONS.retried(error.message), "wait"] as const)
      : ([EVENT_REASONS.refused(error.message), "forget"] as const);
    return { answer: notTriggered(reason.slice(0, 500)), next };
  }
}
