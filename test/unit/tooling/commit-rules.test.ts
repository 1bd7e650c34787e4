import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commitFailures } from "../../support/tools/commit-rules.ts";

const PROGRAM = join(import.meta.dirname, "../../support/tools/check-commits.ts");

describe("the rules for commit messages", () => {
  for (const message of [
    "fix(runs): keep the run's baseline\n\nIt was lost when a branch was renamed.",
    "feat!: remove the old API",
    "docs: say how to start\n",
  ])
    it(`accept “${message.split("\n")[0]}”`, () => assert.deepEqual(commitFailures(message), []));

  for (const [message, fault] of [
    ["Fix the run", /type\(scope\): subject/],
    ["fix(runs):no space", /type\(scope\): subject/],
    ["fixes: the run", /type must be one of/],
    [`fix: ${"x".repeat(68)}`, /at most 72 characters/],
    ["fix: the run.", /period/],
    ["fix: the run\nwithout a gap", /second line/],
  ] as const)
    it(`refuse “${message.slice(0, 30).replace("\n", "⏎")}”`, () => {
      const faults = commitFailures(message);
      assert.equal(faults.length, 1);
      assert.match(faults[0] ?? "", fault);
    });

  it("are applied to every commit of a range", () => {
    const folder = mkdtempSync(join(tmpdir(), "vrs-commits-"));
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd: folder });
    const check = () =>
      spawnSync(process.execPath, [PROGRAM, "start..HEAD"], { cwd: folder, encoding: "utf8" });
    try {
      git("init", "--quiet");
      git("commit", "--allow-empty", "--quiet", "-m", "Before the range");
      git("tag", "start");
      git("commit", "--allow-empty", "--quiet", "-m", "fix: one\n\nWith a body.");
      assert.deepEqual([check().status, check().stderr], [0, ""]);
      git("commit", "--allow-empty", "--quiet", "-m", "Two");
      git("commit", "--allow-empty", "--quiet", "-m", "fix: three");
      const { status, stderr } = check();
      assert.equal(status, 1);
      assert.match(stderr, /^\w+ Two\n {2}The first line must be/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
