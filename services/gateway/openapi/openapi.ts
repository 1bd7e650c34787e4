import type { z } from "zod";
import { problem } from "../../../shared/contracts/problem.ts";
import { SESSION_COOKIE } from "../auth/session-cookie.ts";
import type { Deprecation, Route } from "../routes/route.ts";
import { DEPRECATION_TEXTS } from "../texts/api.ts";
import { describeWebhooks } from "./describe-webhooks.ts";
import { jsonSchema } from "./json-schema.ts";
import type { OpenApi, Operation } from "./openapi-document.ts";

/** Returns the OpenAPI document of routes. */
export function openApi(routes: Record<string, Route>, version: string): OpenApi {
  const paths: OpenApi["paths"] = {};
  for (const [name, route] of Object.entries(routes)) {
    const [method = "", path = ""] = name.split(" ");
    const template = path.replace(/[:*](\w+)/g, "{$1}");
    paths[template] = { ...paths[template], [method.toLowerCase()]: operation(method, path, route) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "vrs",
      version,
      description:
        "Captures screenshots of web pages, compares them with approved baselines, and reports the changes.",
    },
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer" },
        session: { type: "apiKey", in: "cookie", name: SESSION_COOKIE },
      },
      schemas: { Problem: jsonSchema(problem, "output") },
    },
    paths,
    webhooks: describeWebhooks(),
  };
}

/** Security of routes that need something other than a key or session. */
const CALLER = [{ apiKey: [] }, { session: [] }];
const SECURITY: Record<string, object[]> = { public: [], signed: [], link: [...CALLER, {}] };

function operation(method: string, path: string, route: Route): Operation {
  return {
    summary: route.summary,
    operationId: `${method.toLowerCase()}${path.replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    ...(route.deprecated && deprecatedOperation(route.deprecated)),
    "x-role": route.role,
    ...(route.provisioning && { "x-scope": "scim" as const }),
    ...(route.allowsUploadKeys && { "x-upload-keys": true }),
    security: route.provisioning ? [{ apiKey: [] }] : (SECURITY[route.role] ?? CALLER),
    parameters: [...pathParameters(path), ...queryParameters(route.query), ...headerParameters(route)],
    ...(route.body && {
      requestBody: {
        required: !route.body.safeParse(undefined).success,
        content: { "application/json": { schema: jsonSchema(route.body, "input") } },
      },
    }),
    ...(route.rawBody !== undefined && {
      requestBody: { required: true, content: { [route.rawBody]: { schema: {} } } },
    }),
    responses: { ...answers(route), default: problemAnswer },
  };
}

function deprecatedOperation({ sunset, use }: Deprecation) {
  return {
    deprecated: true,
    "x-sunset": sunset,
    description: DEPRECATION_TEXTS.operation(sunset, use),
  } as const;
}

const problemAnswer = {
  description: "What went wrong, and what to do",
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
};

function pathParameters(path: string): Operation["parameters"] {
  return [...path.matchAll(/[:*](\w+)/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

function queryParameters(query: z.ZodType | undefined): Operation["parameters"] {
  if (!query) return [];
  const { properties = {}, required = [] } = jsonSchema(query, "input");
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema: typeof schema === "object" ? schema : {},
  }));
}

function headerParameters({ idempotent }: Route): Operation["parameters"] {
  if (!idempotent) return [];
  const description = "Idempotency key. A request that repeats it returns what the first request created";
  return [
    {
      name: "Idempotency-Key",
      in: "header",
      required: false,
      schema: { type: "string", maxLength: 200 },
      description,
    },
  ];
}

function answers(route: Route): Operation["responses"] {
  return Object.fromEntries(
    Object.entries(route.answers).map(([status, answer]) => {
      const description = DESCRIPTIONS[status] ?? "Answer";
      if (answer === null) return [status, { description }];
      const [type, schema] =
        typeof answer === "string" ? [answer, {}] : ["application/json", jsonSchema(answer, "output")];
      return [status, { description, content: { [type]: { schema } } }];
    }),
  );
}

const DESCRIPTIONS: Record<string, string> = {
  200: "Done",
  201: "Created",
  202: "Accepted. The work continues after the response",
  204: "Done. No body",
  302: "Redirect",
  400: "Refused",
  401: "The signature or token is missing or wrong",
  500: "Not configured",
  502: "An upstream service failed. Send the request again",
  503: "Not ready",
};
