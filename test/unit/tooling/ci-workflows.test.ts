import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { importWorkflowParser } from "../../support/formats/workflow-parser.ts";

const WORKFLOWS = join(import.meta.dirname, "../../../.github/workflows");
const GUIDE = join(import.meta.dirname, "../../../docs/guides/upload-screenshots-from-ci.md");

describe("the starter workflows of the guide for CI", () => {
  it("are valid, and upload the shards of one build", async () => {
    const guide = await readFile(GUIDE, "utf8");
    const workflows = [...guide.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = ""]) => text);
    assert.equal(workflows.length, 4);
    for (const text of workflows) {
      assert.ok(typeof parse(text) === "object");
      assert.match(text, /vrs upload screenshots --parallel (auto|\$\{\{ matrix\.shard \}\}\/4)/);
    }
    const { NoOperationTraceWriter, parseWorkflow } = await importWorkflowParser();
    const file = { name: "tests.yml", content: workflows[0] ?? "" };
    const { context } = parseWorkflow(file, new NoOperationTraceWriter());
    assert.deepEqual(context.errors.getErrors().map(String), []);
  });
});

const step = z.looseObject({
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).default({}),
});
const job = z.looseObject({
  needs: z.string().optional(),
  "runs-on": z.string(),
  "timeout-minutes": z.int(),
  permissions: z.record(z.string(), z.string()).default({}),
  strategy: z.object({ matrix: z.object({ include: z.array(z.record(z.string(), z.string())) }) }).optional(),
  steps: z.array(step),
});
const workflow = z.looseObject({
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(z.string(), job),
});

async function readWorkflow(name: string) {
  return workflow.parse(parse(await readFile(join(WORKFLOWS, name), "utf8")));
}

describe("the project's workflows", () => {
  it("are valid", async () => {
    const { NoOperationTraceWriter, parseWorkflow } = await importWorkflowParser();
    const names = await readdir(WORKFLOWS);
    assert.ok(names.includes("release.yml") && names.includes("tests.yml"));
    for (const name of names) {
      const content = await readFile(join(WORKFLOWS, name), "utf8");
      const { context } = parseWorkflow({ name, content }, new NoOperationTraceWriter());
      assert.deepEqual(context.errors.getErrors().map(String), [], name);
    }
  });

  it("pin every action to a commit, and may only read by default", async () => {
    for (const name of await readdir(WORKFLOWS)) {
      const { permissions, jobs } = await readWorkflow(name);
      assert.deepEqual(permissions, { contents: "read" }, name);
      for (const { uses } of Object.values(jobs).flatMap(({ steps }) => steps))
        if (uses !== undefined) assert.match(uses, /^[\w-]+\/[\w-]+@[0-9a-f]{40}$/, name);
    }
  });
});

describe("the release workflow", () => {
  it("publishes nothing before the checks pass", async () => {
    const { jobs } = await readWorkflow("release.yml");
    const ancestors = (name: string): string[] => {
      const needed = jobs[name]?.needs;
      return needed === undefined ? [] : [needed, ...ancestors(needed)];
    };
    const publishing = Object.keys(jobs).filter(name =>
      Object.values(jobs[name]?.permissions ?? {}).includes("write"),
    );
    assert.deepEqual(publishing.sort(), ["chart", "image", "image-index", "package"]);
    for (const name of publishing) assert.ok(ancestors(name).includes("check"), name);
  });

  it("builds the image for two architectures with provenance and an SBOM, under one tag", async () => {
    const { jobs } = await readWorkflow("release.yml");
    const architectures = jobs.image?.strategy?.matrix.include.map(({ architecture }) => architecture) ?? [];
    assert.deepEqual(architectures, ["amd64", "arm64"]);
    const build =
      jobs.image?.steps.map(({ run }) => run ?? "").find(run => run.includes("buildx build")) ?? "";
    assert.match(build, /--provenance mode=max --sbom true/);
    const index = jobs["image-index"]?.steps
      .map(({ run }) => run ?? "")
      .find(run => run.includes("imagetools create"));
    for (const architecture of architectures)
      assert.ok(index?.includes(`$version-${architecture}"`), architecture);
  });

  it("attests the image and the chart by digest, and pushes the chart as an OCI artifact", async () => {
    const { jobs } = await readWorkflow("release.yml");
    for (const name of ["image-index", "chart"]) {
      const attest = jobs[name]?.steps.find(({ uses }) =>
        uses?.startsWith("actions/attest-build-provenance@"),
      );
      assert.match(String(attest?.with["subject-digest"]), /outputs\.digest/, name);
      assert.deepEqual(
        [jobs[name]?.permissions["id-token"], jobs[name]?.permissions.attestations],
        ["write", "write"],
      );
    }
    const push = jobs.chart?.steps.map(({ run }) => run ?? "").find(run => run.includes("helm push"));
    assert.match(push ?? "", /oci:\/\//);
  });
});
