import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import Stripe from "stripe";
import { LocalServer } from "../servers/local-server.ts";
import { type Answer, PaymentAccount, PRICES, Refusal } from "./payment-account.ts";
import { newId, type ServedSubscription, subscriptionViewOf } from "./payment-records.ts";

const SECRET_KEY = "sk_test_ofTheTests";
const WEBHOOK_SECRET = "whsec_ofTheTests";

/** A failure of the server. `away` closes connections, and `slow` never responds. */
type Trouble = 401 | 402 | 429 | 500 | "away" | "slow";

/** A fake payment provider that accepts only valid requests of its API. */
export class PaymentServer extends PaymentAccount {
  readonly #server: LocalServer;
  /** Each request, as `GET /v1/subscriptions`. */
  readonly requests: string[] = [];
  /** Responses by idempotency key, including errors. */
  readonly #given = new Map<string, { request: string; answer: Answer | null }>();
  trouble: Trouble | null = null;
  private constructor() {
    super();
    this.#server = new LocalServer((req, res) => {
      if (this.trouble === "away") return void req.socket.destroy();
      this.#serve(req, res).catch(error => {
        this.invalidRequests.push(String(error));
        res.writeHead(500).end();
      });
    });
  }

  static async start(): Promise<PaymentServer> {
    const server = new PaymentServer();
    await server.#server.listen();
    return server;
  }

  /** The environment of a service that uses it. */
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
    return this.#server.url;
  }

  /** The secrets that must never be logged. */
  get secrets(): string[] {
    return [SECRET_KEY, WEBHOOK_SECRET];
  }

  /** Returns a signed event about `object`. */
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

  /** Returns an event about a subscription in its current state. */
  subscriptionEvent(type: "created" | "updated" | "deleted", subscription: ServedSubscription, options = {}) {
    return this.event(`customer.subscription.${type}`, subscriptionViewOf(subscription), options);
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  async #serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(req.url ?? "/", this.url);
    const body = await text(req);
    this.requests.push(`${req.method} ${url.pathname}`);
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
      if (req.method !== "POST") return { status: 200, body: await this.#do(req, url, body) };
      return await this.#once(req, url, body);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return error.answer;
    }
  }

  /** Repeats the first response for the same idempotency key, including an error. */
  async #once(req: IncomingMessage, url: URL, body: string): Promise<Answer> {
    const key = req.headers["idempotency-key"];
    if (typeof key !== "string" || key === "" || key.length > 255)
      throw this.issue("a POST without an idempotency key");
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
    const answer = await this.#do(req, url, body).then(
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
      throw this.issue(`version ${headers["stripe-version"]}`);
    if (headers["x-stripe-client-telemetry"] !== undefined) throw this.issue("telemetry");
    if (method === "POST" && headers["content-type"] !== "application/x-www-form-urlencoded")
      throw this.issue(`content type ${headers["content-type"]}`);
    if (method !== "POST" && body !== "") throw this.issue("a body that nobody reads");
  }

  async #do({ method = "" }: IncomingMessage, url: URL, body: string): Promise<object> {
    if (this.trouble === 500) throw new Refusal(500, { type: "api_error", message: "Something broke." });
    if (this.trouble === 402)
      throw new Refusal(402, { type: "card_error", code: "card_declined", message: "No." });
    return this.execute(method, url, body);
  }
}
