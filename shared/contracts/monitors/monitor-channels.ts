import { z } from "zod";
import { isPageUrl } from "../fields.ts";

const MAX_EMAILS = 20;

const webUrl = z
  .string()
  .max(2000)
  .refine(isPageUrl, "must be an absolute https URL without a username or password");

/** Addresses that get emails, each once. */
export const emailAddresses = z
  .array(z.email("must be an email address").max(254))
  .max(MAX_EMAILS)
  .transform(uniqueAddresses)
  .describe("Email addresses, not case-sensitive");

/**
 * Keeps the first spelling of each address. Unsubscribing ignores case, so two spellings must not count as two
 * receivers.
 */
function uniqueAddresses(addresses: string[]): string[] {
  const lower = addresses.map(address => address.toLowerCase());
  return addresses.filter((_, index) => lower.indexOf(lower[index] ?? "") === index);
}

const routingKey = z
  .string()
  .regex(/^[0-9A-Za-z]{32}$/, "must be the routing key of an integration: 32 letters and digits")
  .describe("Routing key of a PagerDuty service (Events API v2)");

const secret = z
  .string()
  .min(16, "must have at least 16 characters")
  .max(200)
  .regex(/^[\x21-\x7e]+$/, "must be printable ASCII without spaces")
  .describe("Secret that signs the requests. It is never shown again");

/** Incident services besides PagerDuty, each with its own API. */
export const INCIDENT_TOOLS = ["opsgenie", "incident-io", "alertmanager"] as const;
export type IncidentTool = (typeof INCIDENT_TOOLS)[number];

const incidents = z
  .strictObject({
    tool: z.enum(INCIDENT_TOOLS),
    url: webUrl.describe(
      "Opsgenie: `https://api.opsgenie.com` or the EU's. incident.io: the URL of an HTTP alert source. Alertmanager: its base URL",
    ),
    key: z
      .string()
      .min(8, "must have at least 8 characters")
      .max(500)
      .regex(/^[\x21-\x7e]+$/, "must be printable ASCII without spaces")
      .describe("API key, or the token that protects Alertmanager. It is never shown again"),
  })
  .describe("Incident service with alerts that are opened and closed by a key");

export type IncidentChannel = z.infer<typeof incidents>;

export const chatWebhook = webUrl.describe("Incoming webhook of Slack or a compatible chat tool");

/** The alert channels of a monitor. */
export const channels = z
  .strictObject({
    slack: chatWebhook,
    email: emailAddresses,
    pagerduty: routingKey,
    incidents,
    webhook: z.strictObject({ url: webUrl, secret }).describe("Your own webhook receiver"),
  })
  .partial();

/** Null removes a channel. A channel that is left out stays. */
export const channelChanges = z
  .strictObject({
    slack: chatWebhook.nullable(),
    email: emailAddresses.nullable(),
    pagerduty: routingKey.nullable(),
    incidents: incidents.nullable(),
    webhook: z.strictObject({ url: webUrl, secret }).partial().nullable(),
  })
  .partial();

export type ChannelChanges = z.infer<typeof channelChanges>;
