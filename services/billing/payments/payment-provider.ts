import { isUtf8 } from "node:buffer";
import Stripe from "stripe";
import { z } from "zod";
import { withTimeout } from "../../../shared/async.ts";
import { PAID_PLANS, type PaidPlan } from "../../../shared/contracts/billing/billing.ts";
import { LOG_MESSAGES, WEBHOOK_ERRORS } from "../texts.ts";
import { PaymentError } from "./payment-error.ts";
import { BadEvent, type PaymentEvent, readEvent } from "./payment-event.ts";
import { type Subscription, subscriptionStatusOf } from "./subscription.rule.ts";

/** For all attempts together, because a person or the provider waits for the response. */
const RESPONSE_TIMEOUT_MS = 8_000;
/** Older events are refused, so that an intercepted one cannot be sent again. */
const MAX_EVENT_AGE_S = 300;

/** This service's credentials at the payment provider. */
export interface PaymentClient {
  secretKey: string;
  webhookSecret: string;
  /** Null for the provider's own API. */
  apiUrl: string | null;
}

const soldPlan = z.enum(PAID_PLANS).nullable().catch(null);

/** A checkout that was started. */
export interface Checkout {
  id: string;
  /** Null after it was completed or has expired. */
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
  /** The same key returns the same checkout. */
  idempotencyKey: string;
}

/** The payment provider's API. Only this file imports the client library. */
export class PaymentProvider {
  readonly #client: PaymentClient;
  readonly #stripe: Stripe;
  /** The deadline of each request, for all its attempts. */
  readonly timeoutMs: number;

  constructor(client: PaymentClient, timeoutMs = RESPONSE_TIMEOUT_MS) {
    this.#client = client;
    this.#stripe = clientOf(client, {});
    this.timeoutMs = timeoutMs;
  }

  /** Returns the event in these bytes, if the provider signed them recently. @throws BadEvent */
  eventOf(body: Buffer, signature: string | undefined): PaymentEvent {
    if (signature === undefined) throw new BadEvent(WEBHOOK_ERRORS.noSignature);
    // The client checks the decoded text, which hides a byte order mark and malformed bytes.
    if (!isUtf8(body) || body.indexOf(BYTE_ORDER_MARK) === 0)
      throw new BadEvent(WEBHOOK_ERRORS.wrongSignature);
    let signed: unknown;
    try {
      signed = this.#stripe.webhooks.constructEvent(
        body,
        signature,
        this.#client.webhookSecret,
        MAX_EVENT_AGE_S,
      );
    } catch (error) {
      throw new BadEvent(refusalOf(error));
    }
    return readEvent(signed);
  }

  /** @returns the customer's id, the same for the same idempotency key @throws PaymentError */
  async createCustomer(teamId: string, idempotencyKey: string): Promise<string> {
    const created = await this.#request(stripe =>
      stripe.customers.create({ description: `Team ${teamId}`, metadata: { teamId } }, { idempotencyKey }),
    );
    return created.id;
  }

  /** Returns all current and past subscriptions of a customer, or none if it was deleted. @throws PaymentError */
  async subscriptionsOf(customer: string): Promise<Subscription[]> {
    try {
      const query = { customer, status: "all", limit: 100 };
      const found = await this.#request(stripe =>
        stripe.subscriptions.list(query).autoPagingToArray({ limit: 1_000 }),
      );
      return found.map(subscriptionOf);
    } catch (error) {
      if (error instanceof PaymentError && error.failure === "missing") return [];
      throw error;
    }
  }

  /** Creates a checkout. @throws PaymentError missing if the customer was deleted */
  async createCheckout(checkout: NewCheckout): Promise<Checkout> {
    const { customerId, teamId, plan, priceId, successUrl, cancelUrl, idempotencyKey } = checkout;
    const created = await this.#request(stripe =>
      stripe.checkout.sessions.create(
        {
          mode: "subscription",
          customer: customerId,
          // The name and address that people enter there appear on their invoices.
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
    return checkoutOf(created);
  }

  /** @throws PaymentError */
  async readCheckout(id: string): Promise<Checkout> {
    return checkoutOf(await this.#request(stripe => stripe.checkout.sessions.retrieve(id)));
  }

  /** Expires a checkout, so that it can no longer be paid. One that has ended stays as it is. @throws PaymentError */
  async expireCheckout(id: string): Promise<void> {
    try {
      await this.#request(stripe => stripe.checkout.sessions.expire(id));
    } catch (error) {
      if (!(error instanceof PaymentError) || error.failure === "unreachable") throw error;
    }
  }

  /** Returns the URL of a customer's portal, to manage everything or to confirm a change. @throws PaymentError */
  async openPortal(customer: string, returnUrl: string, change?: PlanChange): Promise<string> {
    const created = await this.#request(stripe =>
      stripe.billingPortal.sessions.create({
        customer,
        return_url: returnUrl,
        ...(change && { flow_data: flowOf(change, returnUrl) }),
      }),
    );
    return created.url;
  }

  /** Cancels a subscription at once. One that has ended stays as it is. @throws PaymentError */
  async cancel(subscriptionId: string): Promise<void> {
    try {
      await this.#request(stripe => stripe.subscriptions.cancel(subscriptionId));
    } catch (error) {
      if (!(error instanceof PaymentError) || error.failure !== "missing") throw error;
    }
  }

  /** Sends requests within one deadline, over all attempts and all pages of a response. */
  async #request<T>(work: (stripe: Stripe) => Promise<T>): Promise<T> {
    const timeoutMs = this.timeoutMs;
    const over = new AbortController();
    const late = () => {
      over.abort();
      return new Error(LOG_MESSAGES.timeout(timeoutMs / 1_000));
    };
    const stripe = clientOf(this.#client, {
      timeout: timeoutMs,
      httpClient: httpClientEndingWith(over.signal),
    });
    try {
      return await withTimeout(work(stripe), timeoutMs, late);
    } catch (error) {
      throw paymentError(error);
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

/** Returns an HTTP client that a signal aborts. The client's own timeout restarts with each attempt. */
function httpClientEndingWith(over: AbortSignal) {
  return Stripe.createFetchHttpClient((url: string | URL | Request, init?: RequestInit) => {
    const signals = init?.signal ? [init.signal, over] : [over];
    return fetch(url, { ...init, signal: AbortSignal.any(signals) });
  });
}

/** A change of a subscription to another price. */
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
  return { id, url: status === "open" ? url : null, plan: soldPlan.parse(metadata?.plan ?? null) };
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

const BYTE_ORDER_MARK = Buffer.from("\ufeff");

/** Returns our own text, because the client's error holds the whole body. */
function refusalOf(error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  if (/tolerance/.test(message)) return WEBHOOK_ERRORS.tooOld(MAX_EVENT_AGE_S);
  if (/timestamp and signatures|No signatures found with/.test(message)) return WEBHOOK_ERRORS.badSignature;
  if (/No signatures found matching|No webhook payload/.test(message)) return WEBHOOK_ERRORS.wrongSignature;
  return WEBHOOK_ERRORS.notAnEvent;
}

function paymentError(error: unknown): PaymentError {
  if (!(error instanceof Stripe.errors.StripeError))
    return new PaymentError("unreachable", error instanceof Error ? error.message : String(error));
  const { message, statusCode = 0, code, param = "", requestId } = error;
  const text = requestId === undefined ? message : `${message} (request ${requestId})`;
  const hasResponse = statusCode > 0;
  // A missing price is the operator's mistake, and says nothing about the requested object.
  const isMissing = statusCode === 404 || (code === "resource_missing" && !/price|items/.test(param));
  if (isMissing) return new PaymentError("missing", text, hasResponse);
  const isTransient = !hasResponse || statusCode >= 500 || statusCode === 429 || statusCode === 409;
  return new PaymentError(isTransient ? "unreachable" : "refused", text, hasResponse);
}
