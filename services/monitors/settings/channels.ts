import type { AlertChannels } from "../../../shared/contracts/monitors/alert-actions.ts";
import type { ChannelChanges, IncidentChannel } from "../../../shared/contracts/monitors/monitor-channels.ts";
import type { MonitorView } from "../../../shared/contracts/monitors/monitors.ts";

/** Enough to distinguish secrets, too little to guess the rest. */
const TAIL_CHARS = 4;

/**
 * Returns the channels after a change. Null removes a channel. Channels that the change doesn't name stay. A
 * webhook may still lack a part.
 */
export function changeChannels(before: AlertChannels, changes: ChannelChanges): PartialChannels {
  const { webhook, ...others } = changes;
  const after: PartialChannels = { ...before };
  if (others.slack !== undefined) after.slack = others.slack;
  if (others.email !== undefined) after.email = others.email;
  if (others.pagerduty !== undefined) after.pagerduty = others.pagerduty;
  if (others.incidents !== undefined) after.incidents = others.incidents;
  if (webhook !== undefined) after.webhook = webhook && { ...before.webhook, ...webhook };
  return after;
}

interface PartialChannels {
  slack?: string | null;
  email?: string[] | null;
  pagerduty?: string | null;
  incidents?: IncidentChannel | null;
  webhook?: { url?: string; secret?: string } | null;
}

/** Returns the complete channels, or the field that is missing. */
export function completeChannels(
  partial: PartialChannels,
): { channels: AlertChannels } | { missing: string } {
  const channels: AlertChannels = {};
  if (partial.slack) channels.slack = partial.slack;
  if (partial.email && partial.email.length > 0) channels.email = partial.email;
  if (partial.pagerduty) channels.pagerduty = partial.pagerduty;
  if (partial.incidents) channels.incidents = partial.incidents;
  if (partial.webhook) {
    const { url, secret } = partial.webhook;
    if (url === undefined) return { missing: "alerts.webhook.url" };
    if (secret === undefined) return { missing: "alerts.webhook.secret" };
    channels.webhook = { url, secret };
  }
  return { channels };
}

/**
 * Returns the channels as they are shown: whole email addresses, the tail of each secret, and nothing of a
 * webhook's secret.
 */
export function maskChannels({
  slack,
  email = [],
  pagerduty,
  incidents,
  webhook,
}: AlertChannels): MonitorView["alerts"] {
  const tail = (value: string) => ({ tail: value.slice(-TAIL_CHARS) });
  return {
    slack: slack === undefined ? null : tail(slack),
    email,
    pagerduty: pagerduty === undefined ? null : tail(pagerduty),
    incidents:
      incidents === undefined
        ? null
        : { tool: incidents.tool, host: new URL(incidents.url).host, ...tail(incidents.url) },
    webhook: webhook === undefined ? null : { host: new URL(webhook.url).host, ...tail(webhook.url) },
  };
}
