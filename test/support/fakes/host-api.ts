import { readFileSync } from "node:fs";
import Ajv, { type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import { z } from "zod";

const schema = z.looseObject({});
const parameter = z.looseObject({
  name: z.string(),
  in: z.string(),
  required: z.boolean().default(false),
  schema,
});
const reference = z.object({ $ref: z.string() });
const operation = z.looseObject({
  parameters: z.array(z.union([reference, parameter])).default([]),
  requestBody: z
    .looseObject({
      required: z.boolean().default(false),
      content: z.looseObject({ "application/json": z.looseObject({ schema }).optional() }),
    })
    .optional(),
});
const description = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.looseObject({ parameters: z.record(z.string(), parameter) }),
});

/** A request as the code host gets it. */
export interface HostedRequest {
  method: string;
  /** Without the API's own base. */
  path: string;
  query: Record<string, string>;
  /** Undefined for none. */
  body: unknown;
}

interface Operation {
  path: RegExp;
  literals: number;
  check(request: HostedRequest): string | null;
}

/** Made by make-host-api.ts. */
const file = new URL("host-api.json", import.meta.url);

/** Checks requests against the code host's own public description of its API, of which it has what the app asks. */
export class HostApi {
  readonly #api = description.parse(JSON.parse(readFileSync(file, "utf8")));
  readonly #ajv = addFormats.default(new Ajv.default({ strict: false, logger: false }));
  readonly #coercing = addFormats.default(
    new Ajv.default({ strict: false, logger: false, coerceTypes: true }),
  );
  readonly #operations = new Map<string, Operation[]>();

  constructor() {
    for (const ajv of [this.#ajv, this.#coercing])
      ajv.addSchema({ $id: "host", components: this.#api.components });
  }

  /** What is wrong with a request; null when it is as the description says. */
  fault(request: HostedRequest): string | null {
    const found = this.#operationsOf(request.method)
      .filter(({ path }) => path.test(request.path))
      .sort((a, b) => b.literals - a.literals)[0];
    if (!found) return `There is no ${request.method} ${request.path}.`;
    const fault = found.check(request);
    return fault && `${request.method} ${request.path}: ${fault}`;
  }

  #operationsOf(method: string): Operation[] {
    const known = this.#operations.get(method);
    if (known) return known;
    const all = Object.entries(this.#api.paths).flatMap(([template, methods]) => {
      const found = methods[method.toLowerCase()];
      return found === undefined ? [] : [this.#operation(template, found)];
    });
    this.#operations.set(method, all);
    return all;
  }

  #operation(template: string, found: unknown): Operation {
    // A path parameter may hold slashes where it is the last.
    const pattern = template.replaceAll(/\{[\w-]+\}(?=$|(.))/g, (_all, next?: string) =>
      next ? "[^/]+" : ".+",
    );
    let checks: ((request: HostedRequest) => string | null) | null = null;
    return {
      path: new RegExp(`^${pattern}$`),
      literals: template.replaceAll(/\{[\w-]+\}/g, "").length,
      check: request => {
        checks ??= this.#checks(operation.parse(found));
        return checks(request);
      },
    };
  }

  #checks({ parameters, requestBody }: z.infer<typeof operation>) {
    const resolved = parameters.map(each => {
      const named = reference.safeParse(each);
      if (!named.success) return parameter.parse(each);
      return parameter.parse(this.#api.components.parameters[named.data.$ref.split("/").at(-1) ?? ""]);
    });
    const inQuery = resolved.filter(each => each.in === "query");
    const query = this.#coercing.compile(
      rooted({
        type: "object",
        properties: Object.fromEntries(inQuery.map(each => [each.name, each.schema])),
        required: inQuery.filter(each => each.required).map(each => each.name),
        additionalProperties: false,
      }),
    );
    const json = requestBody?.content["application/json"]?.schema;
    const body = json && this.#ajv.compile(rooted(json));
    return (request: HostedRequest): string | null => {
      if (!query({ ...request.query })) return `query ${wordsOf(query)}`;
      if (request.body === undefined) return requestBody?.required ? "has no body" : null;
      if (!body) return "has a body";
      return body(request.body) ? null : `body ${wordsOf(body)}`;
    };
  }
}

/** With its references leading to the description's components. */
function rooted(of: object): object {
  return JSON.parse(JSON.stringify(of).replaceAll('"$ref":"#/', '"$ref":"host#/'));
}

function wordsOf({ errors }: ValidateFunction): string {
  return (errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`).join("; ");
}
