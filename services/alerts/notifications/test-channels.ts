import { randomUUID } from "node:crypto";
import type { AlertedMonitor } from "../../../shared/contracts/monitors/alert-actions.ts";
import type { AlertsContext } from "../alerts-context.ts";
import { planDeliveries } from "../decisions/plan-notifications.ts";
import { findOptOuts } from "../decisions/state.store.ts";
import type { AlertMessage } from "./message.ts";
import { insertDeliveries } from "./notification.store.ts";

/** Queues a sample for every receiver, whatever was alerted or snoozed; nothing is remembered of it. */
export async function testChannels(
  context: AlertsContext,
  monitor: AlertedMonitor,
): Promise<{ id: string; channel: string }[]> {
  const test = randomUUID();
  const deliveries = planDeliveries({
    source: `test ${test}`,
    message: sampleOf(monitor, test),
    replaces: null,
    channels: monitor.channels,
    optedOut: await findOptOuts(context.em(), monitor.id),
    hasMailer: context.mailer !== null,
  });
  await context.em().transactional(tx => insertDeliveries(tx, deliveries));
  context.nudge();
  return deliveries.map(({ id, channel }) => ({ id, channel }));
}

/** @param test makes it an incident of its own */
function sampleOf({ id, teamId, name, url }: AlertedMonitor, test: string): AlertMessage {
  return {
    monitor: { id, teamId, name, url },
    kind: "test",
    at: new Date().toISOString(),
    runId: null,
    about: `test-${test}`,
    regressions: [
      { route: "/", viewport: 1280, diffRatio: 0.042, images: { baseline: null, current: null, diff: null } },
    ],
    count: 1,
    otherRenderers: 0,
    reason: null,
    down: null,
    since: null,
  };
}
