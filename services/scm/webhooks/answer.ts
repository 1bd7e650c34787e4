import type { DeliveryAnswer } from "../../../shared/contracts/platform/delivery.ts";

/** Nothing was started, and why. */
export function notTriggered(reason: string): DeliveryAnswer {
  return { status: 200, body: { triggered: false, reason } };
}

/** An answer of one sentence, for what was not done at all. */
export function message(status: number, text: string): DeliveryAnswer {
  return { status, body: { message: text } };
}
