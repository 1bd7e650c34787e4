import type { ChannelName, NotificationView } from "../../../shared/contracts/monitors/alerts.ts";
import type { IncidentTool } from "../../../shared/contracts/monitors/monitor-channels.ts";
import type { MonitorView } from "../../../shared/contracts/monitors/monitors.ts";
import { plural } from "../format.ts";

/** Texts of the alert channels on a monitor's page. */
export const channelsTexts = {
  title: "Notifications",
  list: "Channels",
  empty: "No notifications. This monitor has no alert channels. {how}",
  add: "Add alert channels",
  adminsAdd: "Team admins can add them.",
  nothingSent: "Nothing sent yet",
  attempts: "{attempts}, next {time}",
  attemptCount: (attempts: number) => plural(attempts, "attempt"),
  sendTest: "Send test alert",
  answered: (answer: string) => `Answer: ${answer}`,
  testQueued: (receivers: number) => `Test alert queued for ${plural(receivers, "receiver")}.`,
} as const;

/** What to do about a receiver's answer. */
export const answerAdvice = {
  unauthorized: "The receiver refuses the address or key. Copy it from the tool again.",
  gone: "The receiver doesn't know this address. Create it in the tool again, and enter the new one.",
  refused:
    "The receiver doesn't take this kind of message. Check that the URL belongs to an incoming webhook.",
  tooMany: "The receiver gets too many messages. The message is sent later.",
  broken: "The receiver has a problem of its own. The message is sent again later.",
} as const;

export const channelNames: Record<ChannelName, string> = {
  slack: "Slack",
  email: "Email",
  pagerduty: "PagerDuty",
  incidents: "Incident service",
  webhook: "Webhook",
};

export const incidentToolNames: Record<IncidentTool, string> = {
  opsgenie: "Opsgenie",
  "incident-io": "incident.io",
  alertmanager: "Alertmanager",
};

/** Returns the name of a monitor's channel. */
export function channelNameOf(channel: ChannelName, { incidents }: MonitorView["alerts"]): string {
  return channel === "incidents" && incidents ? incidentToolNames[incidents.tool] : channelNames[channel];
}

export const notificationNames: Record<NotificationView["kind"], string> = {
  changed: "change alert",
  down: "downtime alert",
  recovered: "recovery",
  test: "test alert",
  replaced: "incident closed",
  unchecked: "not checked",
  checked: "checked again",
  certificate: "certificate expires",
  renewed: "certificate renewed",
  failing: "HTTP check fails",
  passing: "HTTP check passes",
};

export const notificationStatusNames: Record<NotificationView["status"], string> = {
  queued: "Queued",
  sent: "Sent",
  failed: "Failed",
  dropped: "Not sent",
};
