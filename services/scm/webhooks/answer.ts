import type { DeliveryAnswer } from "../../../shared/contracts/platform/delivery.ts";

/** Returns a response that says why nothing was started. */
export function notTriggered(reason: string): DeliveryAnswer {
  return { status: 200, body: { triggered: false, reason } };
}

/** Returns an error response with one sentence. */
export function message(status: number, text: string): DeliveryAnswer {
  return { status, body: { message: text } };
}
