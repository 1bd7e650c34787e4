import assert from "node:assert/strict";
import type { z } from "zod";
import * as forms from "./payment-forms.ts";
import {
  checkoutViewOf,
  newId,
  type ServedCheckout,
  type ServedSubscription,
  subscriptionViewOf,
} from "./payment-records.ts";

export const PRICES = { pro: "price_pro", proBefore: "price_proBefore", business: "price_business" };
const MONTH_S = 30 * 24 * 3_600;

export interface Answer {
  status: number;
  body: object;
}

/** An error response of the provider. */
export class Refusal extends Error {
  readonly answer: Answer;

  constructor(status: number, error: { type: string; message: string; code?: string; param?: string }) {
    super(error.message);
    this.answer = { status, body: { error } };
  }
}

/** The state of an account at the payment provider, and the effect of each request. */
export class PaymentAccount {
  readonly customers = new Map<string, { id: string; teamId: string; deleted: boolean }>();
  readonly subscriptions = new Map<string, ServedSubscription>();
  readonly checkouts = new Map<string, ServedCheckout>();
  readonly portals: z.output<typeof forms.portalForm>[] = [];
  readonly prices = new Set([...Object.values(PRICES), "price_other"]);
  /** Descriptions of invalid requests. */
  readonly invalidRequests: string[] = [];
  /** Called before the response to a list of subscriptions, after the list was read. */
  beforeList: (() => Promise<void>) | null = null;

  /** Returns a team's open checkout. */
  openCheckout(teamId: string): ServedCheckout {
    const open = [...this.checkouts.values()].filter(
      ({ status, form }) => status === "open" && form.client_reference_id === teamId,
    );
    assert.equal(open.length, 1);
    const [checkout] = open;
    assert.ok(checkout);
    return checkout;
  }

  /** Pays at a checkout, which creates a subscription. */
  pay(checkout: ServedCheckout): ServedSubscription {
    assert.equal(checkout.status, "open");
    checkout.status = "complete";
    return this.subscribe(checkout.customer, { price: checkout.price });
  }

  subscribe(customer: string, facts: Partial<ServedSubscription> = {}): ServedSubscription {
    const now = Math.floor(Date.now() / 1_000);
    const subscription: ServedSubscription = {
      id: newId("sub"),
      customer,
      status: "active",
      created: now + this.subscriptions.size,
      price: PRICES.pro,
      item: newId("si"),
      periodEnd: now + MONTH_S,
      cancelAtPeriodEnd: false,
      cancelAt: null,
      ...facts,
    };
    this.subscriptions.set(subscription.id, subscription);
    return subscription;
  }

  protected issue(what: string): Refusal {
    this.invalidRequests.push(what);
    return new Refusal(400, { type: "invalid_request_error", message: what });
  }

  #read<T>(schema: z.ZodType<T>, form: string): T {
    const parsed = schema.safeParse(forms.readForm(form));
    if (parsed.success) return parsed.data;
    throw this.issue(`${form}: ${parsed.error.message}`);
  }

  /** Handles a request. @throws Refusal */
  protected async execute(method: string, url: URL, body: string): Promise<object> {
    const [, one = ""] = /^\/v1\/(?:subscriptions|checkout\/sessions)\/(\w+)/.exec(url.pathname) ?? [];
    const route = `${method} ${one === "" ? url.pathname : url.pathname.replace(one, ":id")}`;
    switch (route) {
      case "POST /v1/customers":
        return this.#createCustomer(this.#read(forms.customerForm, body));
      case "GET /v1/subscriptions":
        return this.#list(this.#read(forms.subscriptionsQuery, url.search.slice(1)));
      case "DELETE /v1/subscriptions/:id":
        return this.#cancel(one);
      case "POST /v1/checkout/sessions":
        return this.#createCheckout(this.#read(forms.checkoutForm, body), url);
      case "GET /v1/checkout/sessions/:id":
        return checkoutViewOf(this.#checkout(one), url.origin);
      case "POST /v1/checkout/sessions/:id/expire": {
        this.#read(forms.nothing, body);
        const checkout = this.#checkout(one);
        if (checkout.status !== "open")
          throw new Refusal(400, { type: "invalid_request_error", message: `It is ${checkout.status}.` });
        checkout.status = "expired";
        return checkoutViewOf(checkout, url.origin);
      }
      case "POST /v1/billing_portal/sessions":
        return this.#openPortal(this.#read(forms.portalForm, body), url);
      default:
        this.invalidRequests.push(route);
        throw new Refusal(404, { type: "invalid_request_error", message: "Unrecognized request URL." });
    }
  }

  #createCustomer({ metadata, description }: z.output<typeof forms.customerForm>): object {
    const id = newId("cus");
    this.customers.set(id, { id, teamId: metadata.teamId ?? "", deleted: false });
    return { id, object: "customer", description, metadata };
  }

  #customer(id: string): void {
    if (!this.customers.has(id) || this.customers.get(id)?.deleted) throw missing("customer", id, "customer");
  }

  async #list({
    customer,
    limit,
    starting_after,
  }: z.output<typeof forms.subscriptionsQuery>): Promise<object> {
    this.#customer(customer);
    const all = [...this.subscriptions.values()]
      .filter(subscription => subscription.customer === customer)
      .toSorted((a, b) => b.created - a.created);
    const from = starting_after === undefined ? 0 : all.findIndex(({ id }) => id === starting_after) + 1;
    const data = all.slice(from, from + limit).map(subscriptionViewOf);
    await this.beforeList?.();
    return { object: "list", url: "/v1/subscriptions", has_more: all.length > from + limit, data };
  }

  #cancel(id: string): object {
    const subscription = this.subscriptions.get(id);
    if (!subscription || subscription.status === "canceled") throw missing("subscription", id, "id", 404);
    subscription.status = "canceled";
    return subscriptionViewOf(subscription);
  }

  #createCheckout(form: z.output<typeof forms.checkoutForm>, url: URL): object {
    this.#customer(form.customer);
    const price = form.line_items[0]?.price ?? "";
    if (!this.prices.has(price)) throw missing("price", price, "line_items[0][price]");
    const id = newId("cs_test");
    const checkout: ServedCheckout = { id, customer: form.customer, status: "open", price, form };
    this.checkouts.set(id, checkout);
    return checkoutViewOf(checkout, url.origin);
  }

  #checkout(id: string): ServedCheckout {
    const checkout = this.checkouts.get(id);
    if (!checkout) throw missing("checkout session", id, "session", 404);
    return checkout;
  }

  #openPortal(form: z.output<typeof forms.portalForm>, url: URL): object {
    this.#customer(form.customer);
    const change = form.flow_data?.subscription_update_confirm;
    const subscription = change && this.subscriptions.get(change.subscription);
    const [item] = change?.items ?? [];
    if (change && (subscription?.customer !== form.customer || subscription.item !== item?.id))
      throw this.issue("a change of what is another customer's");
    if (change && subscription?.price === item?.price) throw this.issue("a change that is none");
    this.portals.push(form);
    return {
      id: newId("bps"),
      object: "billing_portal.session",
      url: `${url.origin}/portal/${this.portals.length}`,
    };
  }
}

function missing(what: string, id: string, param: string, status = 400): Refusal {
  const message = `No such ${what}: '${id}'`;
  return new Refusal(status, { type: "invalid_request_error", code: "resource_missing", message, param });
}
