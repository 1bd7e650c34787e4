import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Gateway } from "../../../services/gateway/gateway-context.ts";
import { MIN_NOTICE_DAYS } from "../../../services/gateway/http/deprecation.ts";
import { handle } from "../../../services/gateway/http/handle.ts";
import { apiMarkdown } from "../../../services/gateway/openapi/api-docs.ts";
import { openApi } from "../../../services/gateway/openapi/openapi.ts";
import type { Request, Route } from "../../../services/gateway/routes/route.ts";
import { ROUTES } from "../../../services/gateway/routes/routes.ts";
import { version } from "../../../shared/process.ts";
import { type ApiDocument, breakingChanges } from "../../support/tools/breaking-changes.ts";

/**
 * The document of the last release, 0.2.0. Replace it in the commit that makes a release, with
 * `GET /v1/openapi.json` of that release.
 */
const RELEASED = new URL("../../../services/gateway/openapi/released.json", import.meta.url);

/** Changes that break no client of the last release, with the reason. */
const ACCEPTED: [change: RegExp, reason: string][] = [
  [
    /^\w+ \/v1\/monitors\S*: the response's .*options: ignoreRegions: \[\] \w+ can be absent now$/,
    "Responses repeat the options of the monitor. Only a client that sent a selector gets one back.",
  ],
];

const schema = (properties: object, required: string[] = []) => ({
  content: {
    "application/json": { schema: { type: "object", properties, required, additionalProperties: false } },
  },
});
const text = { type: "string" };

/** A document with one operation. */
function document(body: object, answer: object, parameters: object[] = []): ApiDocument {
  return JSON.parse(
    JSON.stringify({
      paths: { "/v1/a": { post: { parameters, requestBody: body, responses: { 200: answer } } } },
    }),
  );
}

describe("The API", () => {
  it("breaks no client of the last release", () => {
    const released: ApiDocument = JSON.parse(readFileSync(RELEASED, "utf8"));
    const now: ApiDocument = JSON.parse(JSON.stringify(openApi(ROUTES, version)));
    assert.ok(Object.keys(released.paths).length > 40);
    assert.deepEqual(
      breakingChanges(released, now).filter(change => !ACCEPTED.some(([pattern]) => pattern.test(change))),
      [],
    );
  });

  it("announces each removal with the promised notice", () => {
    for (const [name, { deprecated }] of Object.entries(ROUTES)) {
      if (!deprecated) continue;
      const days = (Date.parse(deprecated.sunset) - Date.parse(deprecated.since)) / 86_400_000;
      assert.ok(days >= MIN_NOTICE_DAYS, name);
    }
  });
});

describe("The comparison of two API documents", () => {
  const cases: [what: string, before: ApiDocument, after: ApiDocument, expected: string[]][] = [
    [
      "finds a lost operation",
      document({}, schema({})),
      { paths: {} },
      ["POST /v1/a: the operation is gone"],
    ],
    [
      "finds lost, nullable and optional fields of responses, at any depth",
      document(
        {},
        schema(
          { a: text, b: { type: "array", items: { type: "object", properties: { c: text } } }, d: text },
          ["d"],
        ),
      ),
      document(
        {},
        schema({
          a: { anyOf: [text, { type: "null" }] },
          b: { type: "array", items: { type: "object", properties: { e: text } } },
          d: text,
        }),
      ),
      [
        "POST /v1/a: the response's a: value can be null now",
        "POST /v1/a: the response's b: [] c is gone",
        "POST /v1/a: the response's d can be absent now",
      ],
    ],
    [
      "finds new required, refused and narrowed fields of requests",
      document(
        schema({
          a: { enum: ["x", "y"] },
          b: { type: "number", maximum: 9 },
          c: text,
          d: { type: ["string", "null"] },
        }),
        {},
      ),
      document(
        schema({ a: { enum: ["x"] }, b: { type: "integer", maximum: 8 }, d: text, e: text }, ["e"]),
        {},
      ),
      [
        "POST /v1/a: the request's e is required now",
        "POST /v1/a: the request's a: value can't be y anymore",
        "POST /v1/a: the request's b: maximum is narrower",
        "POST /v1/a: the request's c is refused now",
        "POST /v1/a: the request's d: value can't be null anymore",
      ],
    ],
    [
      "finds lost and required parameters",
      document({}, {}, [{ in: "query", name: "a" }]),
      document({}, {}, [{ in: "query", name: "b", required: true }]),
      ["POST /v1/a: the parameter query a is gone", "POST /v1/a: the parameter query b is required now"],
    ],
    [
      "accepts what clients don't notice",
      document(schema({ a: { enum: ["x"] } }, ["a"]), schema({ a: { enum: ["x"] }, n: { type: "number" } })),
      document(
        schema({ a: text, b: text }),
        schema({ a: { enum: ["x", "y"] }, n: { type: "integer" }, more: text }),
        [{ in: "query", name: "c", required: false }],
      ),
      [],
    ],
  ];
  for (const [what, before, after, expected] of cases)
    it(what, () => assert.deepEqual(breakingChanges(before, after), expected));
});

describe("A deprecated route", () => {
  const old: Route = {
    role: "public",
    summary: "Get something",
    deprecated: { since: "2027-01-01", sunset: "2027-07-01", use: "`GET /v1/new`" },
    answers: { 200: z.object({ a: z.string().meta({ deprecated: true }) }) },
    serve: async () => ({ status: 204, body: null }),
  };

  it("has the standard headers", async () => {
    const headers: Record<string, string> = {};
    const res = {
      setHeader: (name: string, value: string) => {
        headers[name] = value;
      },
      writeHead: () => ({ end: () => {} }),
    };
    // The route is public and has no body, so these parts are all that is used.
    const parts: unknown = { req: { headers: {} }, res, params: {}, query: {}, context: { meta: {} } };
    const gateway: unknown = { site: { baseUrl: "https://vrs.example" } };
    // biome-ignore lint/plugin: see above.
    await handle(gateway as Gateway, old, parts as Request);
    assert.deepEqual(headers, {
      Deprecation: "@1798761600",
      Sunset: "Thu, 01 Jul 2027 00:00:00 GMT",
      Link: '<https://vrs.example/docs/reference/compatibility>; rel="deprecation"',
      "Cache-Control": "no-store",
    });
  });

  it("is marked in the document and in the reference, with its deprecated fields", () => {
    const made = openApi({ "GET /v1/old": old }, "1");
    assert.partialDeepStrictEqual(made.paths["/v1/old"]?.get, { deprecated: true, "x-sunset": "2027-07-01" });
    const markdown = apiMarkdown(made);
    assert.match(markdown, /Deprecated\. It will be removed after 2027-07-01\. Use `GET \/v1\/new`\./);
    assert.match(markdown, /\| `a` \| string \| deprecated \|/);
  });
});
