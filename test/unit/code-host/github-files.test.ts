import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { importWorkflowParser } from "../../support/formats/workflow-parser.ts";

const ROOT = join(import.meta.dirname, "../../..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read("package.json")));

const workflow = z.object({
  permissions: z.object({ contents: z.literal("read") }),
  jobs: z.record(
    z.string(),
    z.looseObject({
      needs: z.string().optional(),
      "timeout-minutes": z.number(),
      steps: z.array(z.looseObject({ uses: z.string().optional(), run: z.string().optional() })),
    }),
  ),
});

/** The parts of GitHub's issue form schema that our forms use. */
const label = { label: z.string().min(1), description: z.string().optional() };
const field = {
  id: z.string().regex(/^[\w-]+$/),
  validations: z.strictObject({ required: z.boolean() }).optional(),
};
const form = z.strictObject({
  name: z.string().min(4),
  description: z.string().min(4),
  labels: z.array(z.string()),
  body: z.array(
    z.discriminatedUnion("type", [
      z.strictObject({ type: z.literal("markdown"), attributes: z.strictObject({ value: z.string() }) }),
      z.strictObject({ type: z.literal("input"), ...field, attributes: z.strictObject(label) }),
      z.strictObject({
        type: z.literal("textarea"),
        ...field,
        attributes: z.strictObject({ ...label, render: z.string().optional() }),
      }),
      z.strictObject({
        type: z.literal("dropdown"),
        ...field,
        attributes: z.strictObject({ ...label, options: z.array(z.string()).min(1) }),
      }),
    ]),
  ),
});

const WORKFLOWS = readdirSync(join(ROOT, ".github/workflows"));
const FORMS = readdirSync(join(ROOT, ".github/ISSUE_TEMPLATE")).filter(name => name !== "config.yml");

describe("The files in .github", () => {
  for (const name of WORKFLOWS) {
    const content = read(`.github/workflows/${name}`);

    it(`${name} passes the code host's own parser`, async () => {
      const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = await importWorkflowParser();
      const { context, value } = parseWorkflow({ name, content }, new NoOperationTraceWriter());
      assert.deepEqual(context.errors.getErrors().map(String), []);
      assert.ok(value);
      assert.deepEqual((await convertWorkflowTemplate(context, value)).errors ?? [], []);
    });

    it(`${name} runs existing scripts and pins actions by commit`, () => {
      const steps = Object.values(workflow.parse(parse(content)).jobs).flatMap(job => job.steps);
      const used = steps.flatMap(({ run = "" }) =>
        [...run.matchAll(/npm run ([\w:]+)/g)].map(([, each]) => each ?? ""),
      );
      assert.ok(used.length > 0);
      assert.deepEqual(
        used.filter(each => !(each in scripts)),
        [],
      );
      const actions = steps.flatMap(({ uses = [] }) => uses);
      assert.ok(actions.length > 0);
      for (const action of actions) assert.match(action, /^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
      assert.doesNotMatch(content, /run:.*\$\{\{/, "what others choose reaches a shell only as a variable");
    });
  }

  it("run checks and all suites in parallel", () => {
    const { jobs } = workflow.parse(parse(read(".github/workflows/tests.yml")));
    const suites = ["check", "unit", "service", "journey", "cluster", "install", "deploy"];
    assert.deepEqual(Object.keys(jobs), [...suites, "commits"]);
    for (const { needs } of Object.values(jobs)) assert.equal(needs, undefined);
  });

  for (const name of FORMS)
    it(`${name} is a form with a label for each field`, () => {
      const { body } = form.parse(parse(read(`.github/ISSUE_TEMPLATE/${name}`)));
      const ids = body.flatMap(each => ("id" in each ? each.id : []));
      assert.deepEqual(ids, [...new Set(ids)]);
    });

  it("update the packages of every lock file", () => {
    const { updates } = z
      .object({ updates: z.array(z.looseObject({ directories: z.array(z.string()).optional() })) })
      .parse(parse(read(".github/dependabot.yml")));
    const folders = updates.flatMap(({ directories = [] }) => directories);
    for (const folder of folders) assert.doesNotThrow(() => read(`${folder}/package-lock.json`), folder);
    assert.deepEqual(folders, ["/", "/bench"]);
  });

  it("use the same Node version as editors and CI", () => {
    const { engines } = z
      .object({ engines: z.object({ node: z.string() }) })
      .parse(JSON.parse(read("package.json")));
    assert.equal(engines.node, `>=${read(".nvmrc").trim()}`);
  });
});
