import type { Service } from "moleculer";
import { action, callerOf } from "../../../shared/contracts/bus.ts";
import type { AlertsContext } from "../alerts-context.ts";
import { getDelivery, listDeliveries, replayDelivery, testWebhook } from "./manage-deliveries.ts";
import {
  changeWebhook,
  createWebhook,
  getWebhook,
  listWebhooks,
  removeWebhook,
  rotateSecret,
} from "./manage-webhooks.ts";
import { publishEvents } from "./publish-events.ts";

interface Webhooks extends Service {
  context: AlertsContext;
}

/** The actions of the alerts service on webhooks. */
export const webhookActions = {
  publish: action("alerts.publish", async function (this: Webhooks, { events }) {
    await publishEvents(this.context, events);
    return null;
  }),
  webhooks: action("alerts.webhooks", function (this: Webhooks, _params, context) {
    return listWebhooks(this.context, callerOf(context));
  }),
  webhook: action("alerts.webhook", function (this: Webhooks, { id }, context) {
    return getWebhook(this.context, callerOf(context), id);
  }),
  createWebhook: action("alerts.createWebhook", function (this: Webhooks, params, context) {
    return createWebhook(this.context, callerOf(context), params);
  }),
  changeWebhook: action("alerts.changeWebhook", function (this: Webhooks, params, context) {
    return changeWebhook(this.context, callerOf(context), params);
  }),
  deleteWebhook: action("alerts.deleteWebhook", function (this: Webhooks, { id }, context) {
    return removeWebhook(this.context, callerOf(context), id);
  }),
  rotateWebhookSecret: action("alerts.rotateWebhookSecret", function (this: Webhooks, params, context) {
    return rotateSecret(this.context, callerOf(context), params);
  }),
  testWebhook: action("alerts.testWebhook", function (this: Webhooks, { id }, context) {
    return testWebhook(this.context, callerOf(context), id);
  }),
  deliveries: action("alerts.deliveries", function (this: Webhooks, params, context) {
    return listDeliveries(this.context, callerOf(context), params);
  }),
  delivery: action("alerts.delivery", function (this: Webhooks, params, context) {
    return getDelivery(this.context, callerOf(context), params);
  }),
  replayDelivery: action("alerts.replayDelivery", function (this: Webhooks, params, context) {
    return replayDelivery(this.context, callerOf(context), params);
  }),
};
