import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { forEachIsolated } from "../../../shared/async.ts";

describe("forEachIsolated", () => {
  const run = async (bad: number[]) => {
    const [done, failed]: [number[], string[]] = [[], []];
    const all = forEachIsolated(
      [1, 2, 3, 4, 5],
      async item => {
        if (bad.includes(item)) throw new Error(`no ${item}`);
        done.push(item);
      },
      (error, item) => failed.push(`${item}: ${error}`),
    );
    const thrown = await all.then(
      () => null,
      error => String(error),
    );
    return { done, failed, thrown };
  };

  it("continues after a failed item, and reports it", async () => {
    assert.deepEqual(await run([1, 3, 5]), {
      done: [2, 4],
      failed: ["1: Error: no 1", "3: Error: no 3", "5: Error: no 5"],
      thrown: null,
    });
  });

  it("stops after two failures in a row", async () => {
    assert.deepEqual(await run([2, 3, 4]), {
      done: [1],
      failed: ["2: Error: no 2"],
      thrown: "Error: no 3",
    });
  });
});
