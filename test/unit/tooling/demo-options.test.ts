import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { DEMO_TEXTS } from "../../../cli/texts/demo.ts";

const MAIN = join(import.meta.dirname, "../../../cli/demo/main.ts");

describe("demo options", () => {
  const demo = (option: string) =>
    spawnSync(process.execPath, [MAIN, option], { encoding: "utf8", timeout: 20_000 });

  it("include --help", () => {
    const { status, stdout } = demo("--help");
    assert.deepEqual([status, stdout], [0, `${DEMO_TEXTS.help}\n`]);
  });

  it("throw when an option is unknown", () => {
    const { status, stdout, stderr } = demo("--port=4610");
    assert.deepEqual([status, stdout], [2, ""]);
    assert.match(stderr, /--port/);
  });
}).timeout(60_000);
