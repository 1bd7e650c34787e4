import type { AlertChannels, AlertedMonitor } from "../../../shared/contracts/monitors/alert-actions.ts";
import { CHANNEL_NAMES } from "../../../shared/contracts/monitors/alerts.ts";
import { newId } from "../../../shared/ids.ts";
import { CHANNELS } from "../channels/registry.ts";
import type { AlertMessage } from "../notifications/message.ts";
import type { NewDelivery } from "../notifications/notification.store.ts";
import { digestOf } from "../notifications/receiver.ts";
import { DELIVERY_ERRORS } from "../texts.ts";

/** Messages of one cause, to all that a monitor's team has set. */
interface Plan {
  /** What the messages come from: a second plan of the same source queues nothing. */
  source: string;
  message: AlertMessage;
  /** What was alerted before and is so no more; null where nothing was. */
  replaces: string | null;
  channels: AlertChannels;
  /** Addresses that asked not to be written to, in lower case. */
  optedOut: ReadonlySet<string>;
  hasMailer: boolean;
}

/**
 * One delivery for each receiver, so that none waits for another. Messages of a monitor to one receiver are sent in
 * their order: an incident must not be closed before it is opened. Samples wait for nothing.
 */
export function planDeliveries(plan: Plan): NewDelivery[] {
  const { source, message, replaces, channels, optedOut, hasMailer } = plan;
  const { id: monitorId, teamId } = message.monitor;
  return CHANNEL_NAMES.flatMap(channel => {
    const { receivers, nameOf, incidents } = CHANNELS[channel];
    const closing = { ...message, kind: "replaced" as const, about: replaces ?? "" };
    const messages = incidents && replaces !== null ? [closing, message] : [message];
    return receivers(channels).flatMap(target =>
      messages.map(one => {
        const end = `${channel} ${digestOf(target)}`;
        return {
          id: newId("dlv"),
          key: `${source} ${end} ${one.kind}`,
          teamId,
          monitorId,
          lane: message.kind === "test" ? null : `${monitorId} ${end}`,
          channel,
          kind: one.kind,
          receiver: nameOf(target),
          target,
          payload: { alert: one },
          ...why(channel, target.address, optedOut, hasMailer),
        };
      }),
    );
  });
}

/** The end of the incident that is open of a monitor, for the channels that have incidents. */
export function planClosing(
  { channels, ...monitor }: AlertedMonitor,
  about: string,
  source: string,
): NewDelivery[] {
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
  };
  const closings = planDeliveries({
    ...{ source, message, channels },
    ...{ replaces: null, optedOut: new Set(), hasMailer: false },
  });
  return closings.filter(({ channel }) => CHANNELS[channel].incidents);
}

/** Why a mail is not to be sent, where it is not. */
function why(
  channel: string,
  address: string,
  optedOut: ReadonlySet<string>,
  hasMailer: boolean,
): { dropped?: string } {
  if (channel !== "email") return {};
  if (!hasMailer) return { dropped: DELIVERY_ERRORS.noMailServer };
  return optedOut.has(address.toLowerCase()) ? { dropped: DELIVERY_ERRORS.unsubscribed } : {};
}
