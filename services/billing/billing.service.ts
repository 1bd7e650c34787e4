import type { Service } from "moleculer";
import { database, type WithDatabase } from "../../mixins/database.ts";
import { configOf } from "../../shared/config.ts";
import { action, callerOf, on, service } from "../../shared/contracts/bus.ts";
import type { BillingNode } from "./billing-node.ts";
import { migrations } from "./migrations/index.ts";
import { PLANS } from "./plans.ts";
import { readUsage } from "./read-usage.ts";
import { settleUsage } from "./settle-usage.ts";
import { forgetTeam, giveBackAllowance } from "./store.ts";
import { takeAllowance } from "./take-allowance.ts";
import { UsageEntity } from "./usage.entity.ts";

const SETTLE_EVERY_MS = 5 * 60_000;

interface Billing extends Service, WithDatabase {
  node: BillingNode;
  settler?: NodeJS.Timeout;
}

export default service<Billing>({
  name: "billing",
  mixins: [database({ schema: "billing", entities: [UsageEntity], migrations })],
  actions: {
    plan: action("billing.plan", function (this: Billing, { teamId }) {
      return this.node.planOf(teamId);
    }),
    take: action("billing.take", async function (this: Billing, params) {
      await takeAllowance(this.node, params);
      return null;
    }),
    giveBack: action("billing.giveBack", async function (this: Billing, { runId }) {
      await giveBackAllowance(this.em(), [runId]);
      return null;
    }),
    usage: action("billing.usage", function (this: Billing, _params, context) {
      return readUsage(this.node, callerOf(context).teamId);
    }),
  },
  events: {
    "team.gone": on("team.gone", function (this: Billing, { teamId }) {
      return forgetTeam(this.em(), teamId);
    }),
  },
  async started() {
    const plan = PLANS[configOf(this.broker).plan];
    this.node = {
      em: () => this.em(),
      bus: this.broker,
      planOf: async () => plan,
      warn: (error, what) => this.logger.warn({ err: error }, what),
    };
    const settleOften = () =>
      void settleUsage(this.node).catch(error => this.node.warn(error, "Usage was not settled; later again"));
    // Each node at its own moments.
    this.settler = setInterval(settleOften, SETTLE_EVERY_MS * (0.8 + 0.4 * Math.random()));
  },
  async stopped() {
    clearInterval(this.settler);
  },
});
