import type { ChannelName, NotificationView } from "../../../shared/contracts/monitors/alerts.ts";
import type { MonitorView } from "../../../shared/contracts/monitors/monitors.ts";

/** A receiver of a monitor's alerts, with its last notification. */
export interface ReceiverRow {
  channel: ChannelName;
  /** An address, or the last characters of a secret one. */
  name: string;
  last: NotificationView | null;
}

/**
 * Returns the monitor's current receivers, each with its last notification. Notifications to former receivers
 * don't count.
 */
export function receiversOf(alerts: MonitorView["alerts"], sent: readonly NotificationView[]): ReceiverRow[] {
  const { slack, email, pagerduty, incidents, webhook } = alerts;
  const lastOf = (channel: ChannelName, isIt: (receiver: string) => boolean) =>
    sent
      .filter(one => one.channel === channel && isIt(one.receiver))
      .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))[0] ?? null;
  const secret = (channel: ChannelName, known: { tail: string; host?: string } | null): ReceiverRow[] => {
    if (!known) return [];
    // The service and its host name an incident service well enough.
    const name = channel === "incidents" && known.host ? known.host : `${known.host ?? ""}…${known.tail}`;
    return [{ channel, name, last: lastOf(channel, receiver => receiver.endsWith(known.tail)) }];
  };
  return [
    ...secret("slack", slack),
    ...email.map(address => ({
      ...{ channel: "email" as const, name: address },
      last: lastOf("email", receiver => receiver === address),
    })),
    ...secret("pagerduty", pagerduty),
    ...secret("incidents", incidents),
    ...secret("webhook", webhook),
  ];
}
