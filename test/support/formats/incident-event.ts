import { z } from "zod";

/** An event by the reference of PagerDuty's Events API v2. */

const secureUrl = z.url({ protocol: /^https$/ });
const key = { routing_key: z.string().length(32), dedup_key: z.string().min(1).max(255) };

export const incidentEvent = z.discriminatedUnion("event_action", [
  z.strictObject({
    ...key,
    event_action: z.literal("trigger"),
    client: z.string(),
    client_url: z.url(),
    payload: z.strictObject({
      summary: z.string().min(1).max(1024),
      source: z.string().min(1),
      severity: z.enum(["critical", "error", "warning", "info"]),
      timestamp: z.iso.datetime(),
      component: z.string(),
      class: z.string(),
      custom_details: z.record(z.string(), z.unknown()),
    }),
    links: z.array(z.strictObject({ href: z.url(), text: z.string() })),
    images: z.array(z.strictObject({ src: secureUrl, href: z.url(), alt: z.string() })),
  }),
  z.strictObject({ ...key, event_action: z.literal("resolve") }),
]);

export const EVENT_BYTES = 512 * 1024;
