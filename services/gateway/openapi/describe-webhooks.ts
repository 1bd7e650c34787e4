import {
  EVENT_SUMMARIES,
  EVENT_TYPES,
  type EventType,
  eventBody,
  TEST_EVENT,
} from "../../../shared/contracts/webhooks/events.ts";
import { WEBHOOK_HEADERS, WEBHOOK_RECEIVED } from "../texts/api.ts";
import { jsonSchema } from "./json-schema.ts";
import type { OpenApi } from "./openapi-document.ts";

const TYPES: EventType[] = [...EVENT_TYPES, TEST_EVENT];

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
          parameters: Object.entries(WEBHOOK_HEADERS).map(([name, description]) => ({
            ...{ name, description },
            in: "header" as const,
            required: true,
            schema: { type: "string" },
          })),
          requestBody: {
            required: true,
            content: { "application/json": { schema: jsonSchema(eventBody(type), "output") } },
          },
          responses: { "2XX": { description: WEBHOOK_RECEIVED } },
        },
      },
    ]),
  );
}
