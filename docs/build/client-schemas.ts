import type { OpenApi, Operation } from "../../services/gateway/openapi/openapi-document.ts";

/** The part of JSON Schema that becomes a type of a client. */
export interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  prefixItems?: Schema[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  additionalProperties?: Schema | boolean;
  description?: string;
  default?: unknown;
}

/** Returns every operation of `/v1` that clients can call, by its name. */
export function clientOperationsOf({ paths }: OpenApi): { name: string; operation: Operation }[] {
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        operation,
      })),
    )
    .filter(({ name, operation }) => / \/v1\//.test(name) && isOfClients(operation));
}

/** Whether a client can call it: its body and its response are JSON, and it needs no cookie. */
const isOfClients = (operation: Operation) =>
  !isOther(operation) &&
  answersOf(operation) !== null &&
  !/^(get|post|delete)V1(Session|SignIn)/.test(operation.operationId);

/** Whether it has a body that is not JSON. */
const isOther = ({ requestBody }: Operation) =>
  requestBody !== undefined && !("application/json" in requestBody.content);

/** Returns the schemas of all successful responses, without those that have no body; null for another media type. */
export function answersOf({ responses }: Operation): Schema[] | null {
  const schemas: Schema[] = [];
  for (const [status, { content }] of Object.entries(responses)) {
    if (!/^2/.test(status)) continue;
    const schema = content?.["application/json"]?.schema;
    if (content && (!schema || Object.keys(schema).length === 0)) return null;
    schemas.push(schema ?? { type: "null" });
  }
  return schemas.length === 0 ? null : schemas;
}
