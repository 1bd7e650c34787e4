import {
  EVENT_SUMMARIES,
  EVENT_TYPES,
  type EventType,
  eventBody,
  TEST_EVENT,
} from "../../../shared/contracts/webhooks/events.ts";
import { jsonSchema } from "./json-schema.ts";
import type { OpenApi } from "./openapi-document.ts";

const TYPES: EventType[] = [...EVENT_TYPES, TEST_EVENT];

const HEADERS = {
  "webhook-id": "Id of the event. Retries and replays have the same id",
  "webhook-timestamp": "Time of the attempt, in seconds since 1970",
  "webhook-signature": "Signatures of the id, the timestamp and the body, by Standard Webhooks",
};

/** Returns the requests that webhooks receive, for the OpenAPI document. */
export function describeWebhooks(): OpenApi["webhooks"] {
  return Object.fromEntries(
    TYPES.map(type => [
      type,
      {
        post: {
          summary: EVENT_SUMMARIES[type],
          operationId: `on.${type}`,
          security: [],
          parameters: Object.entries(HEADERS).map(([name, description]) => ({
            ...{ name, description },
            in: "header" as const,
            required: true,
            schema: { type: "string" },
          })),
          requestBody: {
            required: true,
            content: { "application/json": { schema: jsonSchema(eventBody(type), "output") } },
          },
          responses: { "2XX": { description: "Received. Any other answer is retried for three days" } },
        },
      },
    ]),
  );
}
