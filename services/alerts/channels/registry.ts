import { CHANNEL_NAMES, type ChannelName } from "../../../shared/contracts/monitors/alerts.ts";
import type { Channel } from "./channel.ts";
import { email } from "./email.ts";
import { incidentTools } from "./incident-tools.ts";
import { pagerduty } from "./pagerduty.ts";
import { slack } from "./slack.ts";
import { webhook } from "./webhook.ts";

/** All alert channels by name. */
export const CHANNELS: Readonly<Record<ChannelName, Channel>> = {
  slack,
  email,
  pagerduty,
  incidents: incidentTools,
  webhook,
};

/** The channels that open and close incidents. */
export const INCIDENT_CHANNELS = CHANNEL_NAMES.filter(channel => CHANNELS[channel].incidents);
