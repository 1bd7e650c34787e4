import { randomUUID } from "node:crypto";
import type { AlertedMonitor } from "../../../shared/contracts/monitors/alert-actions.ts";
import type { AlertsContext } from "../alerts-context.ts";
import { planNotifications } from "../decisions/plan-notifications.ts";
import { findOptOuts } from "../decisions/state.store.ts";
import type { AlertMessage } from "./message.ts";
import { insertNotifications } from "./notification.store.ts";

/** Queues a test alert for every receiver. It neither depends on nor changes alerts and snoozes. */
export async function testChannels(
  context: AlertsContext,
  monitor: AlertedMonitor,
): Promise<{ id: string; channel: string }[]> {
  const test = randomUUID();
  const notifications = planNotifications({
    source: `test ${test}`,
    message: sampleOf(monitor, test),
    replaces: null,
    channels: monitor.channels,
    optedOut: await findOptOuts(context.em(), monitor.id),
    hasMailer: context.mailer !== null,
  });
  await context.em().transactional(tx => insertNotifications(tx, notifications));
  context.wake();
  return notifications.map(({ id, channel }) => ({ id, channel }));
}

/** Returns the test alert. @param test makes it a separate incident */
function sampleOf({ id, teamId, name, url }: AlertedMonitor, test: string): AlertMessage {
  return {
    monitor: { id, teamId, name, url },
    kind: "test",
    at: new Date().toISOString(),
    runId: null,
    about: `test-${test}`,
    regressions: [
      {
        ...{ route: "/", state: null, environment: null, viewport: 1280, diffRatio: 0.042 },
        images: { baseline: null, current: null, diff: null },
      },
    ],
    count: 1,
    otherRenderers: 0,
    reason: null,
    down: null,
    since: null,
    resolvedBy: null,
    title: null,
    incidentId: null,
  };
}
