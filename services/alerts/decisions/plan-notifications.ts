import type { AlertChannels, AlertedMonitor } from "../../../shared/contracts/monitors/alert-actions.ts";
import { CHANNEL_NAMES, type ChannelName } from "../../../shared/contracts/monitors/alerts.ts";
import { newId } from "../../../shared/ids.ts";
import { CHANNELS } from "../channels/registry.ts";
import { ownerOf } from "../conditions/condition-track.rule.ts";
import type { ProjectReceiver } from "../notices/email-receivers.rule.ts";
import type { AlertMessage } from "../notifications/message.ts";
import type { NewNotification } from "../notifications/notification.store.ts";
import { digestOf, type Receiver } from "../notifications/receiver.ts";
import { NOTIFICATION_ERRORS } from "../texts.ts";
import type { MonitorPerson } from "./people-of-monitors.ts";

/** Messages with one cause to all channels of a monitor. */
interface Plan {
  /** Identifies the cause. A second plan with the same source queues nothing. */
  source: string;
  message: AlertMessage;
  /** Fingerprint of the alert that this one replaces. Null if there was none. */
  replaces: string | null;
  channels: AlertChannels;
  /** Unsubscribed addresses in lower case. */
  optedOut: ReadonlySet<string>;
  hasMailer: boolean;
  /** Members who chose to hear of monitors, by their address. */
  people?: readonly MonitorPerson[];
  /** Addresses that get the alerts of all monitors. */
  everyMonitor?: readonly Pick<ProjectReceiver, "address" | "projectEmailId">[];
}

/**
 * Returns one notification per receiver, so that none waits for another. Messages of a monitor to one receiver are
 * sent in order, because an incident must be opened before it is closed. So are those about a problem of the whole
 * team. Test alerts don't wait.
 */
export function planNotifications(plan: Plan): NewNotification[] {
  const { source, message, replaces, channels, optedOut, hasMailer } = plan;
  const people = plan.people ?? [];
  const { id: monitorId, teamId } = message.monitor;
  return CHANNEL_NAMES.flatMap(channel => {
    const { receivers, nameOf, incidents } = CHANNELS[channel];
    const closing = { ...message, kind: "replaced" as const, about: replaces ?? "" };
    const messages = incidents && replaces !== null ? [closing, message] : [message];
    const own = receivers(channels);
    return [...own, ...(channel === "email" ? othersOf(plan, own) : [])].flatMap(target =>
      messages.map(one => {
        const end = endOf(channel, target);
        return {
          id: newId("dlv"),
          key: `${source} ${end} ${one.kind}`,
          teamId,
          monitorId,
          lane: message.kind === "test" ? null : `${ownerOf(message)} ${end}`,
          channel,
          kind: one.kind,
          // Other members see the login of a person, not the address.
          receiver: people.find(({ id }) => id === target.userId)?.name ?? nameOf(target),
          target,
          payload: { alert: one },
          ...dropReason(channel, target.address, optedOut, hasMailer),
        };
      }),
    );
  });
}

/** Returns what keys and lanes call each receiver of a monitor. */
export function endsOf(channels: AlertChannels): string[] {
  return CHANNEL_NAMES.flatMap(channel =>
    CHANNELS[channel].receivers(channels).map(target => endOf(channel, target)),
  );
}

/** Returns what keys and lanes call a receiver. */
export function endOf(channel: ChannelName, target: Pick<Receiver, "address">): string {
  return `${channel} ${digestOf(target)}`;
}

/** Returns the people, and the addresses of all monitors, that aren't receivers of the monitor already. */
function othersOf({ people = [], everyMonitor = [] }: Plan, own: readonly Receiver[]): Receiver[] {
  const known = new Set(own.map(({ address }) => address.toLowerCase()));
  const others: Receiver[] = [
    ...people.map(({ id, address }) => ({ address, secret: null, userId: id })),
    ...everyMonitor.map(({ address, projectEmailId }) => ({ address, secret: null, projectEmailId })),
  ];
  return others.filter(({ address }) => {
    const isNew = !known.has(address.toLowerCase());
    known.add(address.toLowerCase());
    return isNew;
  });
}

/** Returns the notifications that close a monitor's open incident, on channels that have incidents. */
export function planClosing(
  { channels, ...monitor }: AlertedMonitor,
  about: string,
  source: string,
): NewNotification[] {
  const { id, teamId, name, url } = monitor;
  const message: AlertMessage = {
    monitor: { id, teamId, name, url },
    kind: "replaced",
    at: new Date().toISOString(),
    runId: null,
    about,
    regressions: [],
    count: 0,
    otherRenderers: 0,
    reason: null,
    down: null,
    since: null,
    resolvedBy: null,
    title: null,
    incidentId: null,
  };
  const closings = planNotifications({
    ...{ source, message, channels },
    ...{ replaces: null, optedOut: new Set(), hasMailer: false },
  });
  return closings.filter(({ channel }) => CHANNELS[channel].incidents);
}

/** Returns why a mail must not be sent, if it must not. */
function dropReason(
  channel: string,
  address: string,
  optedOut: ReadonlySet<string>,
  hasMailer: boolean,
): { dropped?: string } {
  if (channel !== "email") return {};
  if (!hasMailer) return { dropped: NOTIFICATION_ERRORS.noMailServer };
  return optedOut.has(address.toLowerCase()) ? { dropped: NOTIFICATION_ERRORS.unsubscribed } : {};
}
