import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { DEMO_TEXTS } from "../../../cli/texts/demo.ts";

const MAIN = join(import.meta.dirname, "../../../cli/demo/main.ts");

describe("the demo's options", () => {
  const demo = (option: string) =>
    spawnSync(process.execPath, [MAIN, option], { encoding: "utf8", timeout: 20_000 });

  it("include --help, which starts nothing", () => {
    const { status, stdout } = demo("--help");
    assert.deepEqual([status, stdout], [0, `${DEMO_TEXTS.help}\n`]);
  });

  it("are refused when they are unknown", () => {
    const { status, stdout, stderr } = demo("--port=4610");
    assert.deepEqual([status, stdout], [2, ""]);
    assert.match(stderr, /--port/);
  });
}).timeout(60_000);
