import assert from "node:assert/strict";
import { runVrs } from "../../../cli/program.ts";
import { ScreenshotsTestContext } from "../../support/contexts/screenshots-context.ts";
import { RecordingTerminal } from "../../support/drivers/cli-terminal.ts";
import { requireListed, requireOutput } from "../../support/tools/require-output.ts";

describe("The published schemas of --json", () => {
  let context: ScreenshotsTestContext;
  before(async () => {
    context = await ScreenshotsTestContext.start();
  });
  after(() => context?.stop());

  const printed = async (...args: string[]) => {
    const terminal = new RecordingTerminal({ cwd: context.root, env: { HOME: context.root } });
    await runVrs([...args, "--json"], terminal);
    return terminal.printed;
  };

  it("describe the real results", async () => {
    requireListed("error", await printed("report"));
    await context.draw("shots/a.png", "#036");
    const first = requireListed("check", await printed("check", "--screenshots", "shots"));
    assert.equal(first.counts.new, 1);
    const approval = requireListed("approve", await printed("approve"));
    assert.equal(approval.approved.length, 1);
    await context.draw("shots/a.png", "#c00");
    assert.equal(
      requireListed("check", await printed("check", "--screenshots", "shots")).conclusion,
      "changed",
    );
    requireListed("report", await printed("report"));
    requireListed("doctor", await printed("doctor"));
    const imported = requireListed("import", await printed("import", "shots", "--from", "reg-suit"));
    assert.equal(imported.failed.length, 0);
    const { written } = requireListed("init", await printed("init", "--yes"));
    assert.ok(written.includes("service.config.ts"));
  });

  it("refuse other documents, and allow fields of later releases", () => {
    assert.throws(
      () => requireOutput("error", '{ "error": { "code": 1, "message": "" } }'),
      /code must be string/,
    );
    requireOutput("error", '{ "error": { "code": "a", "message": "", "more": 1 }, "later": true }');
  });

  it("are printed with their version, or listed", async () => {
    const schema = JSON.parse(await printed("schema", "check"));
    assert.equal(schema.$id, "urn:vrs:check-1");
    const { schemas } = JSON.parse(await printed("schema"));
    assert.deepEqual(schemas[0], { name: "check", version: 1 });
    assert.match(await printed("schema", "toString"), /There is no schema \\"toString\\"/);
  });
});
