import type { DeliveryAnswer } from "../../../shared/contracts/platform/delivery.ts";
import type { HostError } from "../code-host/host-error.ts";

/** What an event's handler did. */
export type Handled = DeliveryAnswer & {
  /** The error of a code host or of the Cloud API that did not respond, so that the event needs a retry. */
  unfinished?: HostError;
  /**
   * Whether a replay would have an effect again. No other event can have the same body: code hosts number what they
   * send, or the effect changes the next event.
   */
  once?: boolean;
};

/** Returns a response that says why nothing was started. */
export function notTriggered(reason: string): DeliveryAnswer {
  return { status: 200, body: { triggered: false, reason } };
}

/** The response to a delivery, or to a replay of its body, that was handled before. */
export const DUPLICATE = notTriggered("Duplicate delivery (already processed)");

/** Returns an error response with one sentence. */
export function message(status: number, text: string): DeliveryAnswer {
  return { status, body: { message: text } };
}
