import assert from "node:assert/strict";
import { createRequire } from "node:module";
import fc from "fast-check";
import { after, before, beforeEach, describe, it } from "mocha";
import { z } from "zod";
import { EVENTS } from "../../../services/scm/webhooks/events/index.ts";
import { receiveWebhook } from "../../../services/scm/webhooks/receive-webhook.ts";
import { deliver, ScmTestContext } from "../../support/contexts/code-host/scm-context.ts";
import { MAIN_DATABASE } from "../../support/databases/databases.ts";
import { CodeHostAppServer } from "../../support/fakes/code-host/code-host-app.ts";
import { HostedRepository } from "../../support/fakes/code-host/hosted-repository.ts";

const INSTALLATION = 4242;

const examples = z
  .array(z.object({ name: z.string(), examples: z.array(z.looseObject({ action: z.string().optional() })) }))
  .parse(createRequire(import.meta.url)("@octokit/webhooks-examples"))
  .filter(({ name }) => EVENTS.has(name))
  .flatMap(({ name, examples }) =>
    // Some were recorded by webhooks that belong to no app.
    examples.map(example => ({ name, payload: { ...example, installation: { id: INSTALLATION } } })),
  );

/** Values that an attacker may put into a payload. */
const ODD: unknown[] = [
  null,
  "",
  0,
  -1,
  1.5,
  2 ** 60,
  true,
  [],
  {},
  "\0",
  "\ud800",
  "../..",
  "https://127.0.0.1",
  "x".repeat(5_000),
];

/** Returns the payload with one part replaced or left out, chosen by the numbers. */
function mutate(value: unknown, where: number[], what: number): unknown {
  const [first = 0, ...rest] = where;
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0 || where.length === 0)
    return what < ODD.length ? ODD[what] : undefined;
  const keys = Object.keys(value);
  const key = keys[first % keys.length] ?? "";
  const changed = mutate(Object.entries(value).find(([name]) => name === key)?.[1], rest, what);
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === key ? changed : item));
  return { ...value, [key]: changed };
}

describe("Webhook payloads", () => {
  let context: ScmTestContext;

  before(async () => {
    context = await ScmTestContext.start(MAIN_DATABASE);
  });
  beforeEach(() => context.reset({ SERVICE_PREVIEW_URL_TEMPLATE: "https://{prNumber}.previews.example" }));
  after(() => context?.stop());

  for (const name of EVENTS.keys())
    it(`are accepted: ${name}`, async () => {
      const all = examples.filter(example => example.name === name);
      assert.ok(all.length > 0);
      for (const { payload } of all) {
        const { status, body } = await context.send(name, payload);
        assert.equal(status, 200, JSON.stringify(body));
      }
    });

  it("start a check in the repository of the code host's own example", async () => {
    const { payload } =
      examples.find(({ name, payload }) => name === "pull_request" && payload.action === "opened") ?? {};
    const { pull_request: pull, repository } = z
      .object({
        pull_request: z.object({ head: z.object({ sha: z.string() }) }),
        repository: z.object({ name: z.string(), owner: z.object({ login: z.string() }) }),
      })
      .parse(payload);
    const hosted = new HostedRepository(repository.owner.login, repository.name);
    hosted.commits.set(pull.head.sha, { tree: "", parents: [], message: "" });
    context.host.installations.set(INSTALLATION, [hosted]);
    const { body } = await context.send("pull_request", payload ?? {});
    assert.equal(Object(body).triggered, true, JSON.stringify(body));
    assert.equal(hosted.checks.length, 1);
    context.host.installations.delete(INSTALLATION);
  });

  it("never fail with arbitrary content, and start nothing without a signature", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...examples),
        fc.array(fc.nat(40), { minLength: 1, maxLength: 5 }),
        fc.nat(ODD.length),
        async ({ name, payload }, where, what) => {
          const body = JSON.stringify(mutate(payload, where, what)) ?? "";
          const headers = CodeHostAppServer.headers(name, body);
          const answer = await receiveWebhook(context.node, deliver(headers, body));
          assert.ok([200, 400].includes(answer.status), `${answer.status} ${JSON.stringify(answer.body)}`);
          const forged = {
            ...headers,
            "x-hub-signature-256": CodeHostAppServer.headers(name, `${body} `)["x-hub-signature-256"] ?? "",
          };
          assert.equal((await receiveWebhook(context.node, deliver(forged, body))).status, 401);
        },
      ),
      { seed: 20_261_121, numRuns: 250, endOnFailure: true },
    );
    assert.deepEqual(context.cloud.submitted, []);
  });
});
