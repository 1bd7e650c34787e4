import { z } from "zod";

/** Requests by the published APIs of incident services, which refuse others. */

/** Opsgenie's Alert API: POST /v2/alerts. */
export const opsgenieAlert = z.strictObject({
  message: z.string().min(1).max(130),
  alias: z.string().min(1).max(512),
  description: z.string().max(15_000).optional(),
  source: z.string().max(100).optional(),
  priority: z.enum(["P1", "P2", "P3", "P4", "P5"]).optional(),
  entity: z.string().max(512).optional(),
  details: z.record(z.string(), z.string()).optional(),
});

/** Opsgenie's Alert API: POST /v2/alerts/:alias/close?identifierType=alias. */
export const opsgenieClose = z.strictObject({
  source: z.string().max(100).optional(),
  note: z.string().max(25_000).optional(),
});

/** Alert events V2 of incident.io: POST /v2/alert_events/http/:source. */
export const incidentIoEvent = z.strictObject({
  title: z.string().min(1),
  status: z.enum(["firing", "resolved"]),
  deduplication_key: z.string().min(1),
  description: z.string().optional(),
  source_url: z.url().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
});

const labelName = z.string().regex(/^[a-zA-Z_][a-zA-Z0-9_]*$/);

/** Alertmanager's API v2: POST /api/v2/alerts. */
export const postableAlerts = z
  .array(
    z
      .strictObject({
        labels: z.record(labelName, z.string().min(1)),
        annotations: z.record(labelName, z.string()),
        startsAt: z.iso.datetime(),
        endsAt: z.iso.datetime(),
        generatorURL: z.url().optional(),
      })
      .refine(({ startsAt, endsAt }) => startsAt <= endsAt, "must start before its end"),
  )
  .min(1);
