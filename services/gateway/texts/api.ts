/** Texts of the API's documentation and of its headers, and notes in reports. */

export const DEPRECATION_TEXTS = {
  field: "deprecated",
  operation: (sunset: string, use: string) => `Deprecated. It will be removed after ${sunset}. Use ${use}.`,
};

export const DOCS_TITLE = "vrs API";

export const REPORT_NOTES = {
  imageOmitted: (name: string) =>
    `This file doesn't include the ${name} image, because it would be too large. See the online report.`,
};

/** Headers of requests to webhooks, in the OpenAPI document. */
export const WEBHOOK_HEADERS = {
  "webhook-id": "Id of the event. Retries and replays have the same id",
  "webhook-timestamp": "Time of the attempt, in seconds since 1970",
  "webhook-signature": "Signatures of the id, the timestamp and the body, by Standard Webhooks",
};

export const WEBHOOK_RECEIVED = "Received. Any other answer is retried for three days";
