import { randomUUID } from "node:crypto";
import { acquireLease } from "../../../shared/acquire-lease.ts";
import type { DeliveryAnswer } from "../../../shared/contracts/platform/delivery.ts";
import type { ScmContext } from "../scm-context.ts";
import { EVENT_REASONS } from "../texts/events.ts";
import { DUPLICATE } from "./answer.ts";
import { type LeasedDelivery, leaseDelivery } from "./delivery.store.ts";
import type { EventHandler } from "./events/event.ts";
import { handleDelivery } from "./handle-delivery.ts";

/**
 * Handles a delivery unless it was handled before. If it outlasts its lease and is sent again, it is handled twice,
 * which has the same result.
 */
export async function handleOnce(
  context: ScmContext,
  delivery: Omit<LeasedDelivery, "lease" | "retries">,
  handle: () => ReturnType<EventHandler>,
): Promise<DeliveryAnswer> {
  const lease = randomUUID();
  const leased = await acquireLease(() => leaseDelivery(context.em(), delivery.id, lease));
  if (leased === "done") return DUPLICATE;
  if (leased === "others") return { status: 503, body: { triggered: false, error: STILL_UNDER_WAY } };
  return handleDelivery(context, { ...delivery, lease, retries: 0 }, handle);
}

const STILL_UNDER_WAY = EVENT_REASONS.inProgress;
