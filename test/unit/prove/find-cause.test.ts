import assert from "node:assert/strict";
import fc from "fast-check";
import { findCause } from "../../../shared/prove/find-cause.ts";

const FILES = Array.from({ length: 16 }, (_, n) => n);

/** Finds the cause of a difference that vanishes when all of these files are replaced. */
async function search(files: readonly number[], cause: readonly number[]) {
  let tests = 0;
  const found = await findCause(files, async replaced => {
    tests++;
    return cause.every(file => replaced.includes(file));
  });
  return { found, tests };
}

describe("search for the file that causes a change", () => {
  it("needs one test if the most likely file is the cause", async () => {
    assert.deepEqual(await search(FILES, [0]), { found: [0], tests: 1 });
    assert.deepEqual(await search([7], [7]), { found: [7], tests: 1 });
  });

  it("finds any single file in about log₂ n tests", async () => {
    for (const cause of FILES) {
      const { found, tests } = await search(FILES, [cause]);
      assert.deepEqual(found, [cause]);
      assert.ok(tests <= 3 + 4, `${tests} tests`);
    }
  });

  it("says that no file is the cause after two tests", async () => {
    assert.deepEqual(await search(FILES, [99]), { found: null, tests: 2 });
    assert.deepEqual(await search([], []), { found: null, tests: 0 });
  });

  it("names only sets that were seen to explain the change", async () => {
    const set = fc.uniqueArray(fc.integer({ min: 0, max: 15 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(set, async cause => {
        const { found } = await search(FILES, cause);
        assert.ok(found !== null && cause.every(file => found.includes(file)));
        if (cause.length === 1) assert.equal(found.length, 1);
      }),
    );
  });
});
