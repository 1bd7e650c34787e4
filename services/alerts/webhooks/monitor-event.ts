import type { AlertedMonitor } from "../../../shared/contracts/monitors/alert-actions.ts";
import type { Condition } from "../../../shared/contracts/monitors/conditions.ts";
import { NAMED_PAGES, type OutgoingEvent } from "../../../shared/contracts/webhooks/events.ts";
import { newId } from "../../../shared/ids.ts";
import { isShared, trackOf } from "../conditions/condition-track.rule.ts";
import type { AlertMessage } from "../notifications/message.ts";

/** Returns the event of an alert. The decision about a check queues it once, in its transaction. */
export function monitorEvent(kind: "changed" | "down" | "recovered", message: AlertMessage): OutgoingEvent {
  const { monitor, at } = message;
  return {
    id: newId("evt"),
    type: `monitor.${kind}`,
    teamId: monitor.teamId,
    project: null,
    subject: monitor.id,
    at,
    data: dataOf(kind, message),
  };
}

/** Returns the event of a condition of one monitor, or of several monitors of a team. */
export function conditionEvent(
  { kind, at, title, text }: Condition,
  monitors: readonly AlertedMonitor[],
): OutgoingEvent {
  const [first] = monitors;
  const teamId = first?.teamId ?? "";
  // The start and the end of a problem have the same subject, so that they arrive in order.
  const subject = isShared(trackOf(kind).track) ? teamId : (first?.id ?? teamId);
  const named = monitors.slice(0, NAMED_PAGES).map(({ id, name, url }) => ({ id, name, url }));
  return {
    id: newId("evt"),
    type: `monitor.${kind}`,
    teamId,
    project: null,
    subject,
    at,
    data: { teamId, monitors: named, count: monitors.length, at, title, text },
  };
}

function dataOf(kind: "changed" | "down" | "recovered", message: AlertMessage): object {
  const { monitor, at, runId, since, reason, down, count } = message;
  const { id, name, url, teamId } = monitor;
  const data = { teamId, monitor: { id, name, url }, checkedAt: at, runId };
  if (kind === "recovered") return { ...data, since };
  const changes = {
    changedPages: count,
    regressions: message.regressions.map(({ route, state, environment, viewport, diffRatio, regions }) => ({
      ...{ route, state, environment, viewport, diffRatio },
      ...(regions && { regions }),
    })),
  };
  if (kind === "changed") return { ...data, ...changes };
  return { ...data, reason, routes: down?.routes ?? [], ...changes };
}
