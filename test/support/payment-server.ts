import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import Stripe from "stripe";
import type { z } from "zod";
import * as forms from "./payment-forms.ts";

const SECRET_KEY = "sk_test_ofTheTests";
const WEBHOOK_SECRET = "whsec_ofTheTests";
export const PRICES = { pro: "price_pro", proBefore: "price_proBefore", business: "price_business" };
const MONTH_S = 30 * 24 * 3_600;

export interface ServedSubscription {
  id: string;
  customer: string;
  status: Stripe.Subscription["status"];
  created: number;
  price: string;
  item: string;
  periodEnd: number;
  cancelAtPeriodEnd: boolean;
  cancelAt: number | null;
}

export interface ServedCheckout {
  id: string;
  customer: string;
  status: "open" | "complete" | "expired";
  price: string;
  form: z.output<typeof forms.checkoutForm>;
}

interface Answer {
  status: number;
  body: object;
}

/** What a server that has trouble does; `away` hangs up, `slow` never answers. */
type Trouble = 401 | 402 | 429 | 500 | "away" | "slow";

class Refusal extends Error {
  readonly answer: Answer;

  constructor(status: number, error: { type: string; message: string; code?: string; param?: string }) {
    super(error.message);
    this.answer = { status, body: { error } };
  }
}

/** Stands for the payment provider: keeps what it is told, and answers only what is asked as its API wants it. */
export class PaymentServer {
  readonly #server: Server;
  readonly customers = new Map<string, { id: string; teamId: string; deleted: boolean }>();
  readonly subscriptions = new Map<string, ServedSubscription>();
  readonly checkouts = new Map<string, ServedCheckout>();
  readonly portals: z.output<typeof forms.portalForm>[] = [];
  readonly prices = new Set([...Object.values(PRICES), "price_other"]);
  /** What it was asked that it should not be, in words. */
  readonly faults: string[] = [];
  /** Each request, as `GET /v1/subscriptions`. */
  readonly asked: string[] = [];
  /** Answers by idempotency key; also those that said no. */
  readonly #given = new Map<string, { request: string; answer: Answer | null }>();
  trouble: Trouble | null = null;
  /** Called before a list of subscriptions is answered, once it is read. */
  beforeList: (() => Promise<void>) | null = null;

  private constructor() {
    this.#server = createServer((req, res) => {
      if (this.trouble === "away") return void req.socket.destroy();
      this.#serve(req, res).catch(error => {
        this.faults.push(String(error));
        res.writeHead(500).end();
      });
    });
  }

  static async start(): Promise<PaymentServer> {
    const server = new PaymentServer();
    server.#server.listen(0, "127.0.0.1");
    await once(server.#server, "listening");
    return server;
  }

  /** What makes the service use it. */
  get env(): Record<string, string> {
    return {
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_PRICE_PRO: `${PRICES.pro},${PRICES.proBefore}`,
      STRIPE_PRICE_BUSINESS: PRICES.business,
      STRIPE_API_URL: this.url,
    };
  }

  get url(): string {
    const address = this.#server.address();
    assert.ok(address !== null && typeof address === "object");
    return `http://127.0.0.1:${address.port}`;
  }

  /** What nobody else may see. */
  get secrets(): string[] {
    return [SECRET_KEY, WEBHOOK_SECRET];
  }

  /** The open checkout of a team. */
  openCheckout(teamId: string): ServedCheckout {
    const open = [...this.checkouts.values()].filter(
      ({ status, form }) => status === "open" && form.client_reference_id === teamId,
    );
    assert.equal(open.length, 1);
    const [checkout] = open;
    assert.ok(checkout);
    return checkout;
  }

  /** Pays at a checkout: from then on there is a subscription. */
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

  /** An event as it is sent, signed; `object` is what it is about. */
  event(
    type: string,
    object: object,
    {
      id = newId("evt"),
      secret = WEBHOOK_SECRET,
      ageS = 0,
    }: { id?: string; secret?: string; ageS?: number } = {},
  ): { body: string; signature: string } {
    const created = Math.floor(Date.now() / 1_000) - ageS;
    const facts = { id, object: "event", api_version: Stripe.API_VERSION, created, type, livemode: false };
    const body = JSON.stringify({ ...facts, pending_webhooks: 1, data: { object } }, null, 2);
    const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp: created });
    return { body, signature };
  }

  /** An event about a subscription, as it is now. */
  told(type: "created" | "updated" | "deleted", subscription: ServedSubscription, options = {}) {
    return this.event(`customer.subscription.${type}`, viewOf(subscription), options);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(req.url ?? "/", this.url);
    const body = await text(req);
    this.asked.push(`${req.method} ${url.pathname}`);
    if (this.trouble === "slow") return;
    const answer = await this.#answer(req, url, body);
    res.writeHead(answer.status, { "Content-Type": "application/json", "Request-Id": newId("req") });
    res.end(JSON.stringify(answer.body));
  }

  async #answer(req: IncomingMessage, url: URL, body: string): Promise<Answer> {
    try {
      this.#checkHeaders(req, body);
      if (this.trouble === 429)
        throw new Refusal(429, { type: "invalid_request_error", code: "rate_limit", message: "Slow down." });
      if (req.method !== "POST") return { status: 200, body: await this.#execute(req, url, body) };
      return await this.#once(req, url, body);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return error.answer;
    }
  }

  /** A repeat with the same key is answered as the first was, whatever that was. */
  async #once(req: IncomingMessage, url: URL, body: string): Promise<Answer> {
    const key = req.headers["idempotency-key"];
    if (typeof key !== "string" || key === "" || key.length > 255)
      throw this.#fault("a POST without an idempotency key");
    const request = `${url.pathname} ${body}`;
    const before = this.#given.get(key);
    if (before && before.request !== request)
      throw new Refusal(400, {
        type: "idempotency_error",
        message: "This key was used for another request.",
      });
    if (before) {
      if (before.answer) return before.answer;
      throw new Refusal(409, {
        type: "idempotency_error",
        code: "idempotency_key_in_use",
        message: "In use.",
      });
    }
    this.#given.set(key, { request, answer: null });
    const answer = await this.#execute(req, url, body).then(
      done => ({ status: 200, body: done }),
      error => {
        if (error instanceof Refusal) return error.answer;
        throw error;
      },
    );
    this.#given.set(key, { request, answer });
    return answer;
  }

  #checkHeaders({ method, headers }: IncomingMessage, body: string): void {
    if (headers.authorization !== `Bearer ${SECRET_KEY}` || this.trouble === 401)
      throw new Refusal(401, {
        type: "invalid_request_error",
        message: "Invalid API Key provided: sk_test_****ests",
      });
    if (headers["stripe-version"] !== Stripe.API_VERSION)
      throw this.#fault(`version ${headers["stripe-version"]}`);
    if (headers["x-stripe-client-telemetry"] !== undefined) throw this.#fault("telemetry");
    if (method === "POST" && headers["content-type"] !== "application/x-www-form-urlencoded")
      throw this.#fault(`content type ${headers["content-type"]}`);
    if (method !== "POST" && body !== "") throw this.#fault("a body that nobody reads");
  }

  #fault(what: string): Refusal {
    this.faults.push(what);
    return new Refusal(400, { type: "invalid_request_error", message: what });
  }

  #read<T>(schema: z.ZodType<T>, form: string): T {
    const parsed = schema.safeParse(forms.readForm(form));
    if (parsed.success) return parsed.data;
    throw this.#fault(`${form}: ${parsed.error.message}`);
  }

  async #execute(req: IncomingMessage, url: URL, body: string): Promise<object> {
    if (this.trouble === 500) throw new Refusal(500, { type: "api_error", message: "Something broke." });
    if (this.trouble === 402)
      throw new Refusal(402, { type: "card_error", code: "card_declined", message: "No." });
    const [, one = ""] = /^\/v1\/(?:subscriptions|checkout\/sessions)\/(\w+)/.exec(url.pathname) ?? [];
    const route = `${req.method} ${one === "" ? url.pathname : url.pathname.replace(one, ":id")}`;
    switch (route) {
      case "POST /v1/customers":
        return this.#createCustomer(this.#read(forms.customerForm, body));
      case "GET /v1/subscriptions":
        return this.#list(this.#read(forms.subscriptionsQuery, url.search.slice(1)));
      case "DELETE /v1/subscriptions/:id":
        return this.#cancel(one);
      case "POST /v1/checkout/sessions":
        return this.#createCheckout(this.#read(forms.checkoutForm, body));
      case "GET /v1/checkout/sessions/:id":
        return this.#checkoutView(this.#checkout(one));
      case "POST /v1/checkout/sessions/:id/expire": {
        this.#read(forms.nothing, body);
        const checkout = this.#checkout(one);
        if (checkout.status !== "open")
          throw new Refusal(400, { type: "invalid_request_error", message: `It is ${checkout.status}.` });
        checkout.status = "expired";
        return this.#checkoutView(checkout);
      }
      case "POST /v1/billing_portal/sessions":
        return this.#openPortal(this.#read(forms.portalForm, body));
      default:
        this.faults.push(route);
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
    const data = all.slice(from, from + limit).map(viewOf);
    await this.beforeList?.();
    return { object: "list", url: "/v1/subscriptions", has_more: all.length > from + limit, data };
  }

  #cancel(id: string): object {
    const subscription = this.subscriptions.get(id);
    if (!subscription || subscription.status === "canceled") throw missing("subscription", id, "id", 404);
    subscription.status = "canceled";
    return viewOf(subscription);
  }

  #createCheckout(form: z.output<typeof forms.checkoutForm>): object {
    this.#customer(form.customer);
    const price = form.line_items[0]?.price ?? "";
    if (!this.prices.has(price)) throw missing("price", price, "line_items[0][price]");
    const id = newId("cs_test");
    const checkout: ServedCheckout = { id, customer: form.customer, status: "open", price, form };
    this.checkouts.set(id, checkout);
    return this.#checkoutView(checkout);
  }

  #checkout(id: string): ServedCheckout {
    const checkout = this.checkouts.get(id);
    if (!checkout) throw missing("checkout session", id, "session", 404);
    return checkout;
  }

  #checkoutView({ id, status, customer, form }: ServedCheckout): object {
    return {
      id,
      object: "checkout.session",
      mode: "subscription",
      status,
      customer,
      client_reference_id: form.client_reference_id,
      metadata: form.metadata,
      url: status === "open" ? `${this.url}/pay/${id}` : null,
    } satisfies Partial<Stripe.Checkout.Session>;
  }

  #openPortal(form: z.output<typeof forms.portalForm>): object {
    this.#customer(form.customer);
    const change = form.flow_data?.subscription_update_confirm;
    const subscription = change && this.subscriptions.get(change.subscription);
    const [item] = change?.items ?? [];
    if (change && (subscription?.customer !== form.customer || subscription.item !== item?.id))
      throw this.#fault("a change of what is another customer's");
    if (change && subscription?.price === item?.price) throw this.#fault("a change that is none");
    this.portals.push(form);
    return {
      id: newId("bps"),
      object: "billing_portal.session",
      url: `${this.url}/portal/${this.portals.length}`,
    };
  }
}

function missing(what: string, id: string, param: string, status = 400): Refusal {
  const message = `No such ${what}: '${id}'`;
  return new Refusal(status, { type: "invalid_request_error", code: "resource_missing", message, param });
}

function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString("hex")}`;
}

type ItemView = Pick<Stripe.SubscriptionItem, "id" | "object" | "current_period_end" | "quantity"> & {
  price: Pick<Stripe.Price, "id" | "object">;
};
type View = Pick<
  Stripe.Subscription,
  "id" | "object" | "customer" | "status" | "created" | "cancel_at" | "cancel_at_period_end"
> & { items: { object: "list"; data: ItemView[]; has_more: boolean; url: string } };

/** Of the fields that the API has, those that we read. */
function viewOf({ id, customer, status, created, price, item, ...rest }: ServedSubscription): View {
  const { periodEnd, cancelAt, cancelAtPeriodEnd } = rest;
  return {
    id,
    object: "subscription",
    customer,
    status,
    created,
    cancel_at: cancelAt,
    cancel_at_period_end: cancelAtPeriodEnd,
    items: {
      object: "list",
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
      data: [
        {
          id: item,
          object: "subscription_item",
          quantity: 1,
          current_period_end: periodEnd,
          price: { id: price, object: "price" },
        },
      ],
    },
  };
}
