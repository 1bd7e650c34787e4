import assert from "node:assert/strict";
import { type BrowserProcess, memoryPageBytes } from "../../../shared/capture/browser/browser-processes.ts";
import { chooseProcessToEnd } from "../../../shared/capture/browser/memory.rule.ts";
import { pageMiBWithin } from "../../../shared/capture/capture-limits.ts";

const MIB = 1024 * 1024;
const browser = (residentMiB: number): BrowserProcess => ({
  pid: 1,
  isRenderer: false,
  residentBytes: residentMiB * MIB,
});
const renderer = (pid: number, residentMiB: number): BrowserProcess => ({
  pid,
  isRenderer: true,
  residentBytes: residentMiB * MIB,
});
const choose = (processes: BrowserProcess[], pages = 1) =>
  chooseProcessToEnd(processes, { limitBytes: 1_000 * MIB, pages });

/** Returns an auxiliary vector, as Linux gives it to each process. */
const auxv = (...entries: [type: number, value: number][]) => {
  const numbers = [...entries, [0, 0]].flat();
  return Buffer.from(BigUint64Array.from(numbers, BigInt).buffer);
};

describe("size of a memory page", () => {
  it("is the kernel's, and 4 KiB if it is unknown", () => {
    assert.equal(memoryPageBytes(auxv([16, 6], [6, 65_536], [17, 100])), 65_536);
    assert.equal(memoryPageBytes(auxv([16, 6])), 4096);
    assert.equal(memoryPageBytes(Buffer.alloc(0)), 4096);
  });
});

describe("memory limit of a page", () => {
  it("ends no process while every page is within the limit", () => {
    assert.deepEqual(choose([]), { end: "nothing" });
    assert.deepEqual(choose([browser(900), renderer(2, 999), renderer(3, 900)], 2), { end: "nothing" });
  });

  it("ends the process of a page over the limit", () => {
    assert.deepEqual(choose([browser(100), renderer(2, 10), renderer(3, 1_001)], 5), {
      end: "renderer",
      pid: 3,
    });
  });

  it("ends the largest process when pages have many frame processes", () => {
    const frames = [2, 3, 4, 5].map(pid => renderer(pid, 290 + pid));
    assert.deepEqual(choose([browser(100), ...frames]), { end: "renderer", pid: 5 });
    assert.deepEqual(choose([browser(100), ...frames], 2), { end: "nothing" });
  });

  it("ends the browser when pages fill its shared processes", () => {
    assert.deepEqual(choose([browser(600), browser(500), renderer(3, 10)]), { end: "browser" });
  });

  it("is 2 GiB, or less when the node's memory is limited", () => {
    assert.equal(pageMiBWithin(0, 2), 2_048);
    assert.equal(pageMiBWithin(2 ** 63, 2), 2_048);
    assert.equal(pageMiBWithin(4_096 * MIB, 2), 1_664);
    assert.equal(pageMiBWithin(1_024 * MIB, 4), 512);
  });
});
