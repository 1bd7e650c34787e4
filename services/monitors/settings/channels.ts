import type { AlertChannels } from "../../../shared/contracts/monitors/alert-actions.ts";
import type { ChannelChanges } from "../../../shared/contracts/monitors/monitor-channels.ts";
import type { MonitorView } from "../../../shared/contracts/monitors/monitors.ts";

/** Enough to tell one from another, too little to guess the rest. */
const TAIL_CHARS = 4;

/** The channels after a change: null takes one away, what is not named stays. A webhook may lack a part of it still. */
export function changeChannels(before: AlertChannels, changes: ChannelChanges): HalfChannels {
  const { webhook, ...others } = changes;
  const after: HalfChannels = { ...before };
  if (others.slack !== undefined) after.slack = others.slack;
  if (others.email !== undefined) after.email = others.email;
  if (others.pagerduty !== undefined) after.pagerduty = others.pagerduty;
  if (webhook !== undefined) after.webhook = webhook && { ...before.webhook, ...webhook };
  return after;
}

interface HalfChannels {
  slack?: string | null;
  email?: string[] | null;
  pagerduty?: string | null;
  webhook?: { url?: string; secret?: string } | null;
}

/** The channels without those that are none; or the field that is missing. */
export function wholeChannels(half: HalfChannels): { channels: AlertChannels } | { missing: string } {
  const channels: AlertChannels = {};
  if (half.slack) channels.slack = half.slack;
  if (half.email && half.email.length > 0) channels.email = half.email;
  if (half.pagerduty) channels.pagerduty = half.pagerduty;
  if (half.webhook) {
    const { url, secret } = half.webhook;
    if (url === undefined) return { missing: "alerts.webhook.url" };
    if (secret === undefined) return { missing: "alerts.webhook.secret" };
    channels.webhook = { url, secret };
  }
  return { channels };
}

/** The channels as they are shown: addresses of people whole, of secrets the tail, of a webhook's secret nothing. */
export function maskChannels({
  slack,
  email = [],
  pagerduty,
  webhook,
}: AlertChannels): MonitorView["alerts"] {
  const tail = (value: string) => ({ tail: value.slice(-TAIL_CHARS) });
  return {
    slack: slack === undefined ? null : tail(slack),
    email,
    pagerduty: pagerduty === undefined ? null : tail(pagerduty),
    webhook: webhook === undefined ? null : { host: new URL(webhook.url).host, ...tail(webhook.url) },
  };
}
