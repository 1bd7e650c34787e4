import assert from "node:assert/strict";
import { stripVTControlCharacters } from "node:util";
import { toShow } from "../../../cli/dev/log-lines.ts";

const line = (level: number) => JSON.stringify({ level, time: 0, mod: "runs", msg: "It is late", pid: 1 });
const shown = (text: string) => stripVTControlCharacters(toShow(text) ?? "");

describe("The terminal of npm run dev", () => {
  it("shows warnings and errors in one short line", () => {
    assert.match(shown(line(40)), /^\d\d:\d\d:\d\d warn runs: It is late$/);
    assert.match(shown(line(50)), /^\d\d:\d\d:\d\d error runs: It is late$/);
  });

  it("shows where an error was thrown", () => {
    const text = JSON.stringify({ ...JSON.parse(line(50)), err: { stack: "Error: it\n    at runs.ts" } });
    assert.match(shown(text), /It is late\nError: it\n {4}at runs\.ts$/);
  });

  it("leaves routine lines to the log file", () => {
    assert.equal(toShow(line(30)), null);
  });

  it("shows other lines, such as a compiler's error", () => {
    assert.equal(toShow("SyntaxError: unexpected"), "SyntaxError: unexpected");
  });
});
