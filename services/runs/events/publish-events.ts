import { countFitting } from "../../../shared/broker/message-size.ts";
import { call } from "../../../shared/contracts/bus.ts";
import type { PeriodicTask } from "../../../shared/periodic-task.ts";
import { outOfScope } from "../../../shared/tracing/work-scope.ts";
import type { RunsContext } from "../runs-context.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import { deleteEvents, findOldestEvents } from "./outgoing-event.store.ts";

type Publisher = Pick<RunsContext, "em" | "bus" | "publishing">;

const BATCH_SIZE = 100;
/** A node publishes its own events at once. This finds those of stopped nodes, and of failed attempts. */
const INTERVAL_MS = 10_000;

/**
 * Hands stored events to the alerts service, oldest first, and deletes them once it has them. Several nodes may do it
 * at the same time: it ignores events that it knows. @throws Error while that service is unavailable
 */
async function publishStored({ em, bus }: Publisher): Promise<void> {
  for (let hasMore = true; hasMore; ) {
    const oldest = await findOldestEvents(em(), BATCH_SIZE);
    const events = oldest.slice(0, countFitting(oldest));
    if (events.length > 0) {
      await call(bus, "alerts.publish", { events });
      await deleteEvents(
        em(),
        events.map(event => event.id),
      );
    }
    hasMore = oldest.length === BATCH_SIZE || events.length < oldest.length;
  }
}

function publish(context: Publisher): Promise<void> {
  // Stored events are of many runs, whichever run's end starts this.
  return context.publishing.run("events", () => outOfScope(() => publishStored(context)));
}

/** Publishes the events of a committed transaction soon. */
export function publishSoon(context: Publisher & Pick<RunsContext, "pendingEvents">): void {
  // Without the alerts service, the periodic task repeats it.
  context.pendingEvents.add(publish(context).catch(() => {}));
}

/** Publishes events that are still stored. */
export function publishEventsTask(context: Publisher): PeriodicTask {
  return {
    intervalMs: INTERVAL_MS,
    work: () => publish(context),
    failed: LOG_MESSAGES.eventsNotPublished,
  };
}
