import { projectOfBuild } from "../../../shared/contracts/builds/builds.ts";
import type { OutgoingEvent } from "../../../shared/contracts/webhooks/events.ts";
import { WEBHOOK_BOUNDS } from "../../../shared/contracts/webhooks/webhooks.ts";
import { WEBHOOK_TEXTS } from "../texts.ts";

/** What decides which events a webhook gets. */
export interface Subscription {
  id: string;
  teamId: string;
  /** Null for all projects. */
  project: string | null;
  events: string[];
  status: string;
  /** Number of its waiting deliveries. */
  waiting: number;
}

/** A delivery that is to be queued, or logged with the reason why it is not sent. */
export interface PlannedDelivery {
  webhookId: string;
  event: OutgoingEvent;
  dropped: string | null;
}

/** Returns the deliveries of events, in the order of the events. */
export function planDeliveries(
  subscriptions: readonly Subscription[],
  events: readonly OutgoingEvent[],
): PlannedDelivery[] {
  const waiting = new Map(subscriptions.map(each => [each.id, each.waiting]));
  return events.flatMap(event =>
    subscriptions
      .filter(subscription => isSubscribed(subscription, event))
      .map(({ id, status }) => {
        if (status !== "active") return { webhookId: id, event, dropped: WEBHOOK_TEXTS.paused };
        const count = waiting.get(id) ?? 0;
        if (count >= WEBHOOK_BOUNDS.waiting)
          return { webhookId: id, event, dropped: WEBHOOK_TEXTS.tooManyWaiting(WEBHOOK_BOUNDS.waiting) };
        waiting.set(id, count + 1);
        return { webhookId: id, event, dropped: null };
      }),
  );
}

function isSubscribed({ teamId, project, events }: Subscription, event: OutgoingEvent): boolean {
  if (teamId !== event.teamId || !events.includes(event.type)) return false;
  return (
    project === null ||
    event.project === project ||
    event.project?.startsWith(projectOfBuild(project, "")) === true
  );
}
