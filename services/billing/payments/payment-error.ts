/** `unreachable`: it may answer later; `missing`: what was asked for is not there; `refused`: it answered, and no. */
export type PaymentFailure = "unreachable" | "missing" | "refused";

/** The provider did not do what was asked of it. Holds no secrets, unlike the client's own errors. */
export class PaymentError extends Error {
  readonly fault: PaymentFailure;
  /** Whether there was an answer: the provider may give the same one to the same idempotency key for a day. */
  readonly answered: boolean;

  constructor(fault: PaymentFailure, message: string, answered = false) {
    super(message);
    this.name = "PaymentError";
    this.fault = fault;
    this.answered = answered;
  }
}
