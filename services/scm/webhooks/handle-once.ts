import { randomUUID } from "node:crypto";
import { acquireLease } from "../../../shared/acquire-lease.ts";
import { resultWithin } from "../../../shared/async.ts";
import type { DeliveryAnswer } from "../../../shared/contracts/platform/delivery.ts";
import type { ScmContext } from "../scm-context.ts";
import { EVENT_REASONS } from "../texts/events.ts";
import { DUPLICATE, notTriggered } from "./answer.ts";
import { type LeasedDelivery, leaseDelivery } from "./delivery.store.ts";
import type { EventHandler } from "./events/event.ts";
import { continueDelivery, handleDelivery } from "./handle-delivery.ts";

/** The code host waits ten seconds. */
const RESPONSE_TIMEOUT_MS = 8_000;

/**
 * Handles a delivery unless it was handled before. One that takes long is continued after the response: the limits of
 * the code host can delay a write by a minute.
 */
export async function handleOnce(
  context: ScmContext,
  delivery: Omit<LeasedDelivery, "lease" | "retries" | "isSaved">,
  handle: () => ReturnType<EventHandler>,
  responseTimeoutMs = RESPONSE_TIMEOUT_MS,
): Promise<DeliveryAnswer> {
  const lease = randomUUID();
  const leased = await acquireLease(() => leaseDelivery(context.em(), delivery.id, lease));
  if (leased === "done") return DUPLICATE;
  if (leased === "others")
    return { status: 503, body: { triggered: false, error: EVENT_REASONS.inProgress } };
  const mine: LeasedDelivery = { ...delivery, lease, retries: 0, isSaved: false };
  const handling = handleDelivery(context, mine, handle);
  const answer = await resultWithin(handling, responseTimeoutMs);
  if (answer !== null) return answer;
  // An event that failed may be deleted already, so its sender has to get the error.
  if (mine.isEnding) return handling;
  await continueDelivery(context, mine, handling);
  return notTriggered(EVENT_REASONS.continued);
}
