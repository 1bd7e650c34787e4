import assert from "node:assert/strict";
import type { PaymentsContext } from "../../../services/billing/billing-context.ts";
import { migrations } from "../../../services/billing/migrations/index.ts";
import { AccountEntity } from "../../../services/billing/payments/account.entity.ts";
import { findPlan } from "../../../services/billing/payments/account.store.ts";
import { receivePaymentEvent } from "../../../services/billing/payments/handle-payment-event.ts";
import { PaymentProvider } from "../../../services/billing/payments/payment-provider.ts";
import { startCheckout } from "../../../services/billing/payments/start-checkout.ts";
import { planWith } from "../../../services/billing/plans.ts";
import { UsageEntity } from "../../../services/billing/usage/usage.store.ts";
import { SingleFlight } from "../../../shared/async.ts";
import { loadConfig } from "../../../shared/config.ts";
import type { PaidPlan } from "../../../shared/contracts/billing/billing.ts";
import type { Bus } from "../../../shared/contracts/bus.ts";
import { newId } from "../../../shared/ids.ts";
import { DatabaseNode } from "../databases/database-node.ts";
import type { DatabaseKind, TestDatabase } from "../databases/databases.ts";
import type { ServedSubscription } from "../fakes/payment-records.ts";
import { PaymentServer } from "../fakes/payment-server.ts";

/** Short enough for a test, and long enough for a busy machine. */
const RESPONSE_TIMEOUT_MS = 2_000;

/** A bus with the other services. */
class OtherServices implements Bus {
  readonly sent: { name: string; payload: object }[] = [];
  /** Whether the activity accepts no entries. */
  isRefusing = false;
  /** The deleted teams. */
  readonly gone = new Set<string>();

  async call<Result>(name: string, params: object): Promise<Result> {
    if (name === "teams.note") {
      if (this.isRefusing) throw new Error("The node went away.");
      this.sent.push({ name, payload: params });
      // biome-ignore lint/plugin: the response of teams.note.
      return null as Result;
    }
    assert.equal(name, "teams.existing");
    assert.ok("ids" in params && Array.isArray(params.ids));
    // biome-ignore lint/plugin: the response of teams.existing.
    return params.ids.filter(id => !this.gone.has(id)) as Result;
  }

  async emit(name: string, payload: object): Promise<void> {
    this.sent.push({ name, payload });
  }

  async broadcast(): Promise<void> {}
}

/** The payments part of the billing service, on a real database and with a fake payment provider. */
export class PaymentsTestContext {
  readonly server: PaymentServer;
  readonly #database: TestDatabase;
  readonly #node: DatabaseNode;
  readonly bus = new OtherServices();
  readonly node: PaymentsContext;
  readonly warnings: string[] = [];

  private constructor(server: PaymentServer, database: TestDatabase, node: DatabaseNode) {
    this.server = server;
    this.#database = database;
    this.#node = node;
    this.node = this.another();
  }

  static async start(kind: DatabaseKind): Promise<PaymentsTestContext> {
    const [server, database] = await Promise.all([PaymentServer.start(), kind.make()]);
    const entities = [UsageEntity, AccountEntity];
    const node = await DatabaseNode.start(database.env, { schema: "billing", entities, migrations });
    return new PaymentsTestContext(server, database, node);
  }

  /** Returns the context of another node of the same service. */
  another(timeoutMs = RESPONSE_TIMEOUT_MS): PaymentsContext {
    const { payments } = loadConfig(this.server.env);
    assert.ok(payments);
    return {
      em: this.#node.em,
      bus: this.bus,
      planOf: async teamId => planWith(await findPlan(this.em(), teamId)),
      warn: (error, what) => this.warnings.push(`${what}: ${error}`),
      provider: new PaymentProvider(payments, timeoutMs),
      prices: payments.prices,
      readings: new SingleFlight(),
      pageUrl: "http://localhost:4400/billing",
    };
  }

  em() {
    return this.#node.em();
  }

  /** Creates a team that pays for a plan, after the provider's event. */
  async subscriber(plan: PaidPlan = "pro"): Promise<{ teamId: string; subscription: ServedSubscription }> {
    const teamId = newId("team");
    await startCheckout(this.node, teamId, plan);
    const subscription = this.server.pay(this.server.openCheckout(teamId));
    await this.sendEvent("created", subscription);
    return { teamId, subscription };
  }

  /** Changes a subscription at the provider, and sends the event. */
  async change(subscription: ServedSubscription, facts: Partial<ServedSubscription>): Promise<void> {
    Object.assign(subscription, facts);
    await this.sendEvent(facts.status === "canceled" ? "deleted" : "updated", subscription);
  }

  async sendEvent(type: "created" | "updated" | "deleted", subscription: ServedSubscription): Promise<void> {
    const answer = await this.deliver(this.server.subscriptionEvent(type, subscription));
    assert.deepEqual(answer, { status: 200, body: { received: true, applied: true } });
  }

  /** Sends an event. @returns the response */
  deliver({ body, signature }: { body: string; signature?: string }, node = this.node) {
    const headers: Record<string, string> = signature === undefined ? {} : { "stripe-signature": signature };
    return receivePaymentEvent(node, { headers, params: {}, body: Buffer.from(body).toString("base64") });
  }

  async planOf(teamId: string) {
    const { name, retentionDays } = await this.node.planOf(teamId);
    return { name, retentionDays };
  }

  /** Returns what was sent about a team, in order, with the changed plans. */
  sent(teamId: string): string[] {
    return this.bus.sent
      .map(({ name, payload }) => ({ name, ...payload }))
      .filter(one => "teamId" in one && one.teamId === teamId)
      .map(one => {
        if ("was" in one && "plan" in one) return `${one.was} → ${one.plan}`;
        return "type" in one ? String(one.type) : one.name;
      });
  }

  async stop(): Promise<void> {
    await this.#node.stop();
    await Promise.all([this.#database.remove(), this.server.close()]);
  }
}
