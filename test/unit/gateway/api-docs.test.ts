import assert from "node:assert/strict";
import { Validator } from "@seriousme/openapi-schema-validator";
import { anchor, apiMarkdown } from "../../../services/gateway/openapi/api-docs.ts";
import { fieldTable } from "../../../services/gateway/openapi/describe-schema.ts";
import { openApi } from "../../../services/gateway/openapi/openapi.ts";
import { ROUTES } from "../../../services/gateway/routes/routes.ts";
import { version } from "../../../shared/process.ts";

const document = openApi(ROUTES, version);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
);

describe("The OpenAPI document", () => {
  it("is valid OpenAPI 3.1", async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone({ ...document }));
    assert.ok(valid, JSON.stringify(errors));
    assert.equal(validator.version, "3.1");
  });

  it("contains every route with parameters, security and responses", () => {
    assert.equal(operations.length, Object.keys(ROUTES).length);
    for (const [name, route] of Object.entries(ROUTES)) {
      const [method = "", path = ""] = name.split(" ");
      const operation = document.paths[path.replace(/[:*](\w+)/g, "{$1}")]?.[method.toLowerCase()];
      assert.ok(operation, name);
      const inPath = operation.parameters.filter(parameter => parameter.in === "path");
      assert.deepEqual(
        inPath.map(parameter => parameter.name),
        path.split("/").flatMap(part => (/^[:*]/.test(part) ? [part.slice(1)] : [])),
      );
      assert.equal(operation.security.length === 0, ["public", "signed"].includes(route.role), name);
      assert.equal(operation.requestBody !== undefined, (route.body ?? route.rawBody) !== undefined, name);
      assert.deepEqual(Object.keys(operation.responses), [...Object.keys(route.answers), "default"]);
    }
  });

  it("has unique operation ids", () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    assert.equal(new Set(ids).size, ids.length);
  });

  it("contains the defaults of fields", () => {
    const defaultsOf = (path: string) => {
      const schema = document.paths[path]?.post?.requestBody?.content["application/json"]?.schema ?? {};
      const properties: object = "properties" in schema && schema.properties ? schema.properties : {};
      return Object.fromEntries(
        Object.entries(properties).flatMap(([name, { default: preset }]) =>
          preset === undefined ? [] : [[name, preset]],
        ),
      );
    };
    assert.deepEqual(defaultsOf("/v1/run"), {
      url: "http://archive.localhost/",
      routes: ["/"],
      viewports: [1280],
      threshold: 0.01,
      partial: false,
    });
    assert.deepEqual(defaultsOf("/v1/monitors"), {
      routes: ["/"],
      viewports: [1280],
      intervalMinutes: 60,
      alertThreshold: 0.02,
      regions: [],
      agree: 1,
      alerts: {},
      paused: false,
      tags: [],
      options: {},
    });
  });

  it("requires a body only where it is required", () => {
    const body = (path: string) => document.paths[path]?.post?.requestBody?.required;
    assert.deepEqual(
      [
        "/v1/run",
        "/v1/baselines/{runId}/approve",
        "/v1/baselines/{runId}/reject",
        "/v1/runs/{id}/cancel",
      ].map(body),
      [true, false, true, undefined],
    );
  });
});

describe("The API reference", () => {
  const markdown = apiMarkdown(document);

  it("links each route in its list", () => {
    const headings = [...markdown.matchAll(/^##+ (.+)$/gm)].map(([, heading = ""]) => anchor(heading));
    assert.equal(new Set(headings).size, headings.length);
    for (const [, target = ""] of markdown.matchAll(/\]\(#([^)]+)\)/g))
      assert.ok(headings.includes(target), target);
    for (const { method, path } of operations)
      assert.ok(markdown.includes(`## ${method.toUpperCase()} ${path}\n`));
  });

  it("says which parameters are required, and what access a route needs", () => {
    const { get } = document.paths["/v1/compare"] ?? {};
    const required = get?.parameters.filter(parameter => parameter.required).map(({ name }) => name);
    assert.deepEqual(required, ["base", "head"]);
    assert.match(markdown, /\| `base` \| query \|/);
    const provision = document.paths["/scim/v2/Users"]?.post;
    assert.deepEqual(provision?.security, [{ apiKey: [] }]);
    assert.match(markdown, /\(#post-scimv2users\) \| Provision a user \| a key with the scope scim \|/);
  });

  it("documents fields in lists, maps and variants, and which are optional", () => {
    const text = { type: "string" };
    const schema = {
      type: "object",
      required: ["list", "preset"],
      properties: {
        list: {
          type: "array",
          maxItems: 3,
          items: { type: "object", required: ["a"], properties: { a: text, b: text } },
        },
        map: {
          type: "object",
          additionalProperties: { type: "object", properties: { width: { type: ["integer", "null"] } } },
        },
        either: {
          oneOf: [
            { type: "object", required: ["kind"], properties: { kind: { const: "x" }, more: text } },
            { type: "object", required: ["kind"], properties: { kind: { const: "y" } } },
          ],
        },
        preset: { type: "integer", minimum: 1, maximum: 9, default: 5, description: "one | two" },
      },
    };
    assert.deepEqual(fieldTable(schema).slice(2), [
      "| `list` | array of object | at most 3 |",
      "| `list[].a` | string |  |",
      "| `list[].b?` | string |  |",
      "| `map?` | map of object |  |",
      "| `map.*.width?` | integer or null |  |",
      "| `either?` | object |  |",
      "| `either.kind` | `x` or `y` |  |",
      "| `either.more?` | string |  |",
      "| `preset?` | integer | one \\| two; 1–9; default `5` |",
    ]);
  });
});
