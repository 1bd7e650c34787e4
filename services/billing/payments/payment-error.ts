/**
 * `unreachable`: it may respond later. `missing`: the requested object does not exist. `refused`: it responded with a
 * refusal.
 */
export type PaymentFailure = "unreachable" | "missing" | "refused";

/** A failed request to the payment provider. It holds no secrets, unlike the client's own errors. */
export class PaymentError extends Error {
  readonly failure: PaymentFailure;
  /** Whether the provider responded. It may repeat that response to the same idempotency key for a day. */
  readonly hasResponse: boolean;

  constructor(failure: PaymentFailure, message: string, hasResponse = false) {
    super(message);
    this.name = "PaymentError";
    this.failure = failure;
    this.hasResponse = hasResponse;
  }
}
