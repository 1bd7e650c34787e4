/**
 * Regenerates bitbucket-api.json from the parts of the public API description that the service uses:
 * `node test/support/fakes/bitbucket/make-bitbucket-api.ts swagger.v3.json`.
 * The description is the file cloud/bitbucket/swagger.v3.json on dac-static.atlassian.com. Only names, types, requirements
 * and scopes are kept. It fails if an operation or a field is not described there.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const ROOT = "/repositories/{workspace}/{repo_slug}";
const PULL = "/pullrequests/{pull_request_id}";

/** What the service sends, beside the parameters in the path. */
interface Sent {
  /** Described as parameters. */
  query?: string[];
  /** Named in the words of the operation. */
  inWords?: string[];
  isList?: boolean;
  /** Fields of the body, by their path in its schema. */
  body?: string[];
  /** Fields of the body that only the words of the operation name. */
  bodyInWords?: string[];
}

/** The requests of the service, below the repository. Add new ones here. */
const OPERATIONS: Record<string, Sent> = {
  "GET ": {},
  "GET /refs/branches/{name}": {},
  "GET /refs/tags/{name}": {},
  "GET /src/{commit}/{path}": { query: ["format"], isList: true },
  "POST /src": { query: ["message", "parents", "branch"] },
  "GET /commit/{commit}": {},
  "GET /commits/{revision}": { inWords: ["exclude"], isList: true },
  "GET /merge-base/{revspec}": {},
  "GET /diffstat/{spec}": { query: ["topic"], isList: true },
  "POST /commit/{commit}/statuses/build": {
    body: ["key", "state", "name", "description", "url", "refname"],
  },
  "GET /commit/{commit}/statuses/build/{key}": {},
  "PUT /commit/{commit}/statuses/build/{key}": {
    body: ["key", "state", "name", "description", "url", "refname"],
  },
  "GET /pullrequests": { query: ["state"], inWords: ["filtering"], isList: true },
  "POST /pullrequests": {
    body: ["title", "source.branch.name", "destination.branch.name", "close_source_branch"],
    bodyInWords: ["description"],
  },
  [`GET ${PULL}/commits`]: { isList: true },
  [`GET ${PULL}/comments`]: { inWords: ["sort"], isList: true },
  [`POST ${PULL}/comments`]: { body: ["content.raw"] },
  [`GET ${PULL}/comments/{comment_id}`]: {},
  [`PUT ${PULL}/comments/{comment_id}`]: { body: ["content.raw"] },
  [`DELETE ${PULL}/comments/{comment_id}`]: {},
  "POST /hooks": { body: ["description", "url", "active", "secret", "events"] },
  "PUT /hooks/{uid}": { body: ["description", "url", "active", "secret", "events"] },
  "DELETE /hooks/{uid}": {},
};

/** The parameters of every list, which the description names only once. */
const LIST_PARAMETERS = ["page", "pagelen"];
/** What a word of an operation stands for. */
const PARAMETERS_OF_WORDS: Record<string, string> = { filtering: "q" };

const node = z.looseObject({
  $ref: z.string().optional(),
  allOf: z.array(z.unknown()).optional(),
  type: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
});
type Node = z.infer<typeof node>;
const parameter = z.object({
  name: z.string(),
  in: z.string(),
  required: z.boolean().default(false),
  schema: z.looseObject({}),
});
const operation = z.object({
  description: z.string().default(""),
  parameters: z.array(parameter).default([]),
  requestBody: z.object({ content: z.record(z.string(), z.object({ schema: z.unknown() })) }).optional(),
  security: z.array(z.record(z.string(), z.array(z.string()))).default([]),
});
const description = z.object({
  info: z.object({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.looseObject({ parameters: z.array(parameter).default([]) })),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});

const source = process.argv[2] ?? "swagger.v3.json";
const { info, paths, components } = description.parse(JSON.parse(await readFile(source, "utf8")));
const used: Record<string, Record<string, object>> = {};
for (const [name, sent] of Object.entries(OPERATIONS)) {
  const [method = "", below = ""] = name.split(" ");
  const path = `${ROOT}${below}`;
  const found = paths[path]?.[method.toLowerCase()];
  if (found === undefined) throw new Error(`${source} has no ${method} ${path}.`);
  const shared = paths[path]?.parameters ?? [];
  used[path] = {
    ...used[path],
    [method.toLowerCase()]: operationOf(name, shared, operation.parse(found), sent),
  };
}
const made = { info: { ...info, from: "swagger.v3.json" }, paths: used, components: { parameters: {} } };
await writeFile(join(import.meta.dirname, "bitbucket-api.json"), `${JSON.stringify(made, null, 2)}\n`);

function operationOf(
  name: string,
  shared: z.infer<typeof parameter>[],
  { description: words, parameters, requestBody, security }: z.infer<typeof operation>,
  { query = [], inWords = [], isList = false, body = [], bodyInWords = [] }: Sent,
): object {
  const all = [...shared, ...parameters];
  const inQuery = query.map(each => {
    const found = all.find(other => other.in === "query" && other.name === each);
    if (!found) throw new Error(`${name} has no parameter ${each}.`);
    return { name: each, in: "query", required: found.required, schema: typeOf(found.schema) };
  });
  for (const word of [...inWords, ...bodyInWords])
    if (!words.includes(word)) throw new Error(`The description of ${name} does not name ${word}.`);
  const named = [
    ...inWords.map(word => PARAMETERS_OF_WORDS[word] ?? word),
    ...(isList ? LIST_PARAMETERS : []),
  ];
  const inList = named.map(each => ({
    name: each,
    in: "query",
    required: false,
    schema: { type: "string" },
  }));
  const scopes = security.flatMap(({ oauth2 = [] }) => oauth2);
  const result = { scopes, parameters: [...inQuery, ...inList] };
  if (body.length === 0) return result;
  const root = Object.values(requestBody?.content ?? {})[0]?.schema;
  const others = Object.fromEntries(bodyInWords.map(each => [each, { type: "string" }]));
  const schema = schemaOf(
    body.map(path => path.split(".")),
    root,
    { name, others },
  );
  return { ...result, requestBody: { required: true, content: { "application/json": { schema } } } };
}

/** Returns the schema of an object with only these fields, and fails if one is not described. */
function schemaOf(
  paths: string[][],
  of: unknown,
  { name, others }: { name: string; others: Record<string, object> },
): object {
  const all = propertiesOf(of);
  const properties = [...Map.groupBy(paths, ([first = ""]) => first)].map(([field, below]) => {
    const found = all[field];
    if (found === undefined) throw new Error(`${name} has no field ${field}.`);
    const rest = below.map(path => path.slice(1)).filter(path => path.length > 0);
    const schema = rest.length === 0 ? typeOf(found) : schemaOf(rest, found, { name, others: {} });
    return [field, schema];
  });
  return {
    type: "object",
    additionalProperties: false,
    properties: { ...Object.fromEntries(properties), ...others },
  };
}

function resolved(of: unknown): Node {
  const read = node.parse(of);
  return read.$ref === undefined ? read : resolved(components.schemas[read.$ref.split("/").at(-1) ?? ""]);
}

function propertiesOf(of: unknown): Record<string, unknown> {
  const { allOf = [], properties = {} } = resolved(of);
  return Object.assign({}, ...allOf.map(propertiesOf), properties);
}

/** Returns a schema without its words. */
function typeOf(of: unknown): object {
  const { type, enum: values, format, maxLength, items } = resolved(of);
  return { type, enum: values, format, maxLength, items: items === undefined ? undefined : typeOf(items) };
}
