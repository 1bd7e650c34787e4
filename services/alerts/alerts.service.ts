import type { Service } from "moleculer";
import { database, type WithDatabase } from "../../mixins/database.ts";
import { imageStore, type WithImages } from "../../mixins/image-store.ts";
import { beforeStop } from "../../shared/broker/before-stop.ts";
import { addressPolicy } from "../../shared/capture/address-guard.ts";
import { configOf } from "../../shared/config.ts";
import { action, call, callerOf, on, service } from "../../shared/contracts/bus.ts";
import { Links } from "../../shared/links.ts";
import { AlertStateEntity } from "./alert-state.entity.ts";
import type { AlertsNode } from "./alerts-node.ts";
import { DeliveryEntity } from "./delivery.entity.ts";
import { Dispatcher } from "./dispatcher.ts";
import { listDeliveries } from "./list-deliveries.ts";
import { mailNotice } from "./mail-notice.ts";
import { mailUsage } from "./mail-usage.ts";
import { Mailer } from "./mailer.ts";
import { migrations } from "./migrations/index.ts";
import { forgetMonitor, forgetTeam, prune } from "./prune.ts";
import { reportCheck } from "./report-check.ts";
import { readStanding, snoozeMonitor } from "./snooze-monitor.ts";
import { testChannels } from "./test-channels.ts";
import { unsubscribe } from "./unsubscribe.ts";

const PRUNE_EVERY_MS = 3_600_000;

interface Alerts extends Service, WithDatabase, WithImages {
  node: AlertsNode;
  dispatcher?: Dispatcher;
  pruner?: NodeJS.Timeout;
}

export default service<Alerts>({
  name: "alerts",
  mixins: [
    database({ schema: "alerts", entities: [DeliveryEntity, AlertStateEntity], migrations }),
    imageStore(),
  ],
  actions: {
    report: action("alerts.report", function (this: Alerts, report) {
      return reportCheck(this.node, report);
    }),
    snooze: action("alerts.snooze", function (this: Alerts, params) {
      return snoozeMonitor(this.em(), params);
    }),
    test: action("alerts.test", async function (this: Alerts, { monitor }) {
      return { deliveries: await testChannels(this.node, monitor) };
    }),
    standing: action("alerts.standing", function (this: Alerts, { monitorIds }) {
      return readStanding(this.em(), monitorIds);
    }),
    forget: action("alerts.forget", async function (this: Alerts, { monitorId }) {
      await forgetMonitor(this.em(), monitorId);
      return null;
    }),
    mail: action("alerts.mail", async function (this: Alerts, notice) {
      await mailNotice(this.node, notice);
      return null;
    }),
    deliveries: action("alerts.deliveries", function (this: Alerts, { monitorId, query }, context) {
      return listDeliveries(this.em(), callerOf(context), monitorId, query);
    }),
    unsubscribe: action("alerts.unsubscribe", async function (this: Alerts, params) {
      await unsubscribe(this.em(), params);
      return null;
    }),
  },
  events: {
    "usage.noticed": on("usage.noticed", function (this: Alerts, noticed) {
      return mailUsage(this.node, noticed, configOf(this.broker).baseUrl);
    }),
    "team.gone": on("team.gone", function (this: Alerts, { teamId }) {
      return forgetTeam(this.em(), teamId);
    }),
  },
  created() {
    // While the others still work: what is under way needs links, images and the database.
    beforeStop(this.broker, () => this.dispatcher?.stop());
  },
  async started() {
    const { baseUrl, mail, allowHosts, pagerdutyUrl } = configOf(this.broker);
    const mailer = mail && new Mailer(mail);
    const warn = (error: unknown, what: string) => this.logger.warn({ err: error }, what);
    const sender = {
      links: linksOnceThere(() => call(this.broker, "runs.linkKey", {}), baseUrl),
      baseUrl,
      images: this.images,
      mailer,
      policy: addressPolicy(allowHosts),
      pagerdutyUrl,
    };
    const dispatcher = new Dispatcher({ em: () => this.em(), sender, warn });
    this.dispatcher = dispatcher;
    this.node = { em: () => this.em(), bus: this.broker, nudge: () => dispatcher.nudge(), mailer, warn };
    dispatcher.start();
    const pruneNow = () =>
      void prune(() => this.em()).catch(error => warn(error, "Old deliveries were not deleted"));
    this.pruner = setInterval(pruneNow, PRUNE_EVERY_MS * (0.8 + 0.4 * Math.random()));
  },
  async stopped() {
    clearInterval(this.pruner);
    await this.dispatcher?.stop();
    this.node?.mailer?.close();
  },
});

/** The links, once the runs service has said what signs them. */
function linksOnceThere(keyOf: () => Promise<string>, baseUrl: string): () => Promise<Links> {
  let links: Promise<Links> | null = null;
  return () => {
    links ??= keyOf().then(key => new Links(baseUrl, key));
    links.catch(() => (links = null));
    return links;
  };
}
