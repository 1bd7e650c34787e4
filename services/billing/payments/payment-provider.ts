import { isUtf8 } from "node:buffer";
import Stripe from "stripe";
import { z } from "zod";
import { PAID_PLANS, type PaidPlan } from "../../../shared/contracts/billing/billing.ts";
import { LOG_MESSAGES, WEBHOOK_ERRORS } from "../texts.ts";
import { PaymentError } from "./payment-error.ts";
import { BadEvent, type PaymentEvent, readEvent } from "./payment-event.ts";
import { type Subscription, subscriptionStatusOf } from "./subscription.rule.ts";

/** All attempts together: a person, or the provider itself, waits for the answer. */
const ANSWERED_WITHIN_MS = 8_000;
/** Events that are older are refused: who caught one must not send it again. */
const TOLERANCE_S = 300;

/** This service as the payment provider knows it. */
export interface PaymentClient {
  secretKey: string;
  webhookSecret: string;
  /** Null for the provider's own. */
  apiUrl: string | null;
}

const soldAs = z.enum(PAID_PLANS).nullable().catch(null);

/** A checkout that was begun. */
export interface Checkout {
  id: string;
  /** Null once it cannot be opened any more. */
  url: string | null;
  plan: PaidPlan | null;
}

export interface NewCheckout {
  customerId: string;
  teamId: string;
  plan: PaidPlan;
  priceId: string;
  successUrl: string;
  cancelUrl: string;
  /** Asked again with the same one, it is the same checkout. */
  idempotencyKey: string;
}

/** The payment provider's API. The only file that knows its client. */
export class PaymentProvider {
  readonly #client: PaymentClient;
  readonly #stripe: Stripe;
  /** Every answer is there by then, or an error, ms. */
  readonly answersWithinMs: number;

  constructor(client: PaymentClient, answersWithinMs = ANSWERED_WITHIN_MS) {
    this.#client = client;
    this.#stripe = clientOf(client, {});
    this.answersWithinMs = answersWithinMs;
  }

  /** The event that these bytes are, if the provider signed them a moment ago. @throws BadEvent */
  eventOf(body: Buffer, signature: string | undefined): PaymentEvent {
    if (signature === undefined) throw new BadEvent(WEBHOOK_ERRORS.noSignature);
    // The client checks the text that it decodes, in which a byte order mark and malformed bytes are lost.
    if (!isUtf8(body) || body.indexOf(BYTE_ORDER_MARK) === 0)
      throw new BadEvent(WEBHOOK_ERRORS.wrongSignature);
    let signed: unknown;
    try {
      signed = this.#stripe.webhooks.constructEvent(body, signature, this.#client.webhookSecret, TOLERANCE_S);
    } catch (error) {
      throw new BadEvent(refusalOf(error));
    }
    return readEvent(signed);
  }

  /** @returns its id; the same for the same idempotency key @throws PaymentError */
  async createCustomer(teamId: string, idempotencyKey: string): Promise<string> {
    const made = await this.#ask(stripe =>
      stripe.customers.create({ description: `Team ${teamId}`, metadata: { teamId } }, { idempotencyKey }),
    );
    return made.id;
  }

  /** Every subscription that a customer has or had; none of one that was deleted. @throws PaymentError */
  async subscriptionsOf(customer: string): Promise<Subscription[]> {
    try {
      const query = { customer, status: "all", limit: 100 };
      const found = await this.#ask(stripe =>
        stripe.subscriptions.list(query).autoPagingToArray({ limit: 1_000 }),
      );
      return found.map(subscriptionOf);
    } catch (error) {
      if (error instanceof PaymentError && error.fault === "missing") return [];
      throw error;
    }
  }

  /** Begins a checkout. @throws PaymentError missing when the customer was deleted */
  async createCheckout(checkout: NewCheckout): Promise<Checkout> {
    const { customerId, teamId, plan, priceId, successUrl, cancelUrl, idempotencyKey } = checkout;
    const made = await this.#ask(stripe =>
      stripe.checkout.sessions.create(
        {
          mode: "subscription",
          customer: customerId,
          // What people enter there is then on their invoices.
          customer_update: { name: "auto", address: "auto" },
          client_reference_id: teamId,
          line_items: [{ price: priceId, quantity: 1 }],
          metadata: { teamId, plan },
          subscription_data: { metadata: { teamId } },
          success_url: successUrl,
          cancel_url: cancelUrl,
        },
        { idempotencyKey },
      ),
    );
    return checkoutOf(made);
  }

  /** @throws PaymentError */
  async readCheckout(id: string): Promise<Checkout> {
    return checkoutOf(await this.#ask(stripe => stripe.checkout.sessions.retrieve(id)));
  }

  /** Ends a checkout, so that nobody can pay there any more; one that has ended stays as it is. @throws PaymentError */
  async expireCheckout(id: string): Promise<void> {
    try {
      await this.#ask(stripe => stripe.checkout.sessions.expire(id));
    } catch (error) {
      if (!(error instanceof PaymentError) || error.fault === "unreachable") throw error;
    }
  }

  /** A page for the customer: to manage everything, or to confirm a change of a subscription. @throws PaymentError */
  async openPortal(customer: string, returnUrl: string, change?: PlanChange): Promise<string> {
    const made = await this.#ask(stripe =>
      stripe.billingPortal.sessions.create({
        customer,
        return_url: returnUrl,
        ...(change && { flow_data: flowOf(change, returnUrl) }),
      }),
    );
    return made.url;
  }

  /** Ends a subscription at once; one that has ended stays as it is. @throws PaymentError */
  async cancel(subscriptionId: string): Promise<void> {
    try {
      await this.#ask(stripe => stripe.subscriptions.cancel(subscriptionId));
    } catch (error) {
      if (!(error instanceof PaymentError) || error.fault !== "missing") throw error;
    }
  }

  /** Asks within one deadline, over all attempts and all pages of an answer. */
  async #ask<T>(work: (stripe: Stripe) => Promise<T>): Promise<T> {
    const timeoutMs = this.answersWithinMs;
    const over = new AbortController();
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      over.abort();
      late.reject(new Error(LOG_MESSAGES.timeout(timeoutMs / 1_000)));
    }, timeoutMs);
    const stripe = clientOf(this.#client, { timeout: timeoutMs, httpClient: endingWith(over.signal) });
    try {
      return await Promise.race([work(stripe), late.promise]);
    } catch (error) {
      throw paymentError(error);
    } finally {
      clearTimeout(timer);
    }
  }
}

function clientOf({ secretKey, apiUrl }: PaymentClient, config: Stripe.StripeConfig): Stripe {
  return new Stripe(secretKey, {
    maxNetworkRetries: 1,
    telemetry: false,
    ...(apiUrl !== null && addressOf(new URL(apiUrl))),
    ...config,
  });
}

/** Requests that end with a signal: the client's own timeout restarts with each attempt. */
function endingWith(over: AbortSignal) {
  return Stripe.createFetchHttpClient((url: string | URL | Request, init?: RequestInit) => {
    const signals = init?.signal ? [init.signal, over] : [over];
    return fetch(url, { ...init, signal: AbortSignal.any(signals) });
  });
}

/** A subscription that is to be of another price. */
export interface PlanChange {
  subscriptionId: string;
  itemId: string;
  priceId: string;
}

function flowOf({ subscriptionId, itemId, priceId }: PlanChange, returnUrl: string) {
  return {
    type: "subscription_update_confirm" as const,
    subscription_update_confirm: {
      subscription: subscriptionId,
      items: [{ id: itemId, price: priceId, quantity: 1 }],
    },
    after_completion: { type: "redirect" as const, redirect: { return_url: returnUrl } },
  };
}

function addressOf({ protocol, hostname, port }: URL) {
  const isHttps = protocol === "https:";
  return {
    protocol: isHttps ? ("https" as const) : ("http" as const),
    host: hostname,
    port: port === "" ? (isHttps ? 443 : 80) : Number(port),
  };
}

function checkoutOf({ id, status, url, metadata }: Stripe.Checkout.Session): Checkout {
  return { id, url: status === "open" ? url : null, plan: soldAs.parse(metadata?.plan ?? null) };
}

function subscriptionOf(subscription: Stripe.Subscription): Subscription {
  const { id, status, created, items, cancel_at, cancel_at_period_end } = subscription;
  const ends = items.data.map(item => item.current_period_end);
  const renews = ends.length === 0 ? null : Math.max(...ends);
  return {
    id,
    status: subscriptionStatusOf(status),
    createdAt: timeOf(created),
    items: items.data.map(item => ({ id: item.id, priceId: item.price.id })),
    renewsAt: renews === null ? null : timeOf(renews),
    cancelsAt: cancelsAt(cancel_at, cancel_at_period_end ? renews : null),
  };
}

function cancelsAt(at: number | null, periodEnd: number | null): Date | null {
  const seconds = at ?? periodEnd;
  return seconds === null ? null : timeOf(seconds);
}

/** @param seconds since 1970 */
function timeOf(seconds: number): Date {
  return new Date(seconds * 1_000);
}

/** In words of our own: the client's error holds the whole body. */
const BYTE_ORDER_MARK = Buffer.from("\ufeff");

function refusalOf(error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  if (/tolerance/.test(message)) return WEBHOOK_ERRORS.tooOld(TOLERANCE_S);
  if (/timestamp and signatures|No signatures found with/.test(message)) return WEBHOOK_ERRORS.badSignature;
  if (/No signatures found matching|No webhook payload/.test(message)) return WEBHOOK_ERRORS.wrongSignature;
  return WEBHOOK_ERRORS.notAnEvent;
}

function paymentError(error: unknown): PaymentError {
  if (!(error instanceof Stripe.errors.StripeError))
    return new PaymentError("unreachable", error instanceof Error ? error.message : String(error));
  const { message, statusCode = 0, code, param = "", requestId } = error;
  const said = requestId === undefined ? message : `${message} (request ${requestId})`;
  const answered = statusCode > 0;
  // A price that is not there is the operator's slip, and no fault of the thing asked for.
  const isMissing = statusCode === 404 || (code === "resource_missing" && !/price|items/.test(param));
  if (isMissing) return new PaymentError("missing", said, answered);
  const mayPass = !answered || statusCode >= 500 || statusCode === 429 || statusCode === 409;
  return new PaymentError(mayPass ? "unreachable" : "refused", said, answered);
}
