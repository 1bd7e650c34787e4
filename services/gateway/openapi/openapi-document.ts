/** The part of an OpenAPI 3.1 document that the service writes and reads. */
export interface OpenApi {
  openapi: "3.1.0";
  info: { title: string; version: string; description: string };
  components: { securitySchemes: object; schemas: Record<string, object> };
  paths: Record<string, Record<string, Operation>>;
  /** The requests that the service sends to webhooks, by event. */
  webhooks: Record<string, { post: WebhookRequest }>;
}

/** A request that the service sends. */
interface WebhookRequest {
  summary: string;
  operationId: string;
  security: object[];
  parameters: Operation["parameters"];
  requestBody: { required: true; content: Record<string, { schema: object }> };
  responses: Record<string, { description: string }>;
}

export interface Operation {
  summary: string;
  operationId: string;
  deprecated?: true;
  /** Date of the removal, at the earliest. */
  "x-sunset"?: string;
  /** What replaces a deprecated operation. */
  description?: string;
  "x-role": string;
  /** The scope of the only keys that may send it. */
  "x-scope"?: "scim";
  /** Whether keys that can only upload may send it. */
  "x-upload-keys"?: true;
  security: object[];
  parameters: {
    name: string;
    in: "path" | "query" | "header";
    required: boolean;
    schema: object;
    description?: string;
  }[];
  requestBody?: { required: boolean; content: Record<string, { schema: object }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>;
}
