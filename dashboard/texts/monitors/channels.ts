import type { ChannelName, NotificationView } from "../../../shared/contracts/monitors/alerts.ts";
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
  testQueued: (receivers: number) => `Test alert queued for ${plural(receivers, "receiver")}.`,
} as const;

export const channelNames: Record<ChannelName, string> = {
  slack: "Slack",
  email: "Email",
  pagerduty: "PagerDuty",
  incidents: "Incident service",
  webhook: "Webhook",
};

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
