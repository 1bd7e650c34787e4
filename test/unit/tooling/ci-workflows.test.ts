import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { importWorkflowParser } from "../../support/formats/workflow-parser.ts";

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
