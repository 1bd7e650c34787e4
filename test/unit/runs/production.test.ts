import assert from "node:assert/strict";
import { findInProduction, type SeenLook } from "../../../services/runs/looks/production.rule.ts";

const day = (number: number) => new Date(Date.UTC(2026, 0, number));
const run = day(20);

/** Returns a look that came on a day, and was seen until another one. */
function look(id: string, from: number, until: number, more: Partial<SeenLook> = {}): SeenLook {
  return { id, hash: id, fingerprint: null, cameAt: day(from), seenAt: day(until), ...more };
}

const changed = { hash: "new", baselineHash: "old", fingerprint: "banner" };

describe("findInProduction", () => {
  it("finds the same pixels before and after", () => {
    const found = findInProduction(changed, [look("old", 1, 9), look("new", 10, 19)], run);
    assert.deepEqual(found, { lookId: "new", since: day(10), seenAt: day(19) });
  });

  it("finds the same change on a page whose other pixels differ", () => {
    const looks = [look("other", 1, 9), look("other 2", 10, 19, { fingerprint: "banner" })];
    assert.equal(findInProduction(changed, looks, run)?.since.getTime(), day(10).getTime());
  });

  it("goes back to the first look with the change", () => {
    const looks = [
      look("other", 1, 4),
      look("other 2", 5, 9, { fingerprint: "banner" }),
      look("new", 10, 19, { fingerprint: "banner" }),
    ];
    assert.equal(findInProduction(changed, looks, run)?.lookId, "other 2");
  });

  const refused: [string, SeenLook[], Partial<typeof changed>?][] = [
    ["no look", []],
    ["another change", [look("old", 1, 9), look("different", 10, 19, { fingerprint: "font" })]],
    ["a change that was fixed before the run", [look("old", 1, 9), look("new", 10, 14), look("old", 15, 19)]],
    ["a change that came after the run was submitted", [look("old", 1, 19), look("new", 21, 22)]],
    ["a monitor that has not checked for long", [look("old", 1, 5), look("new", 6, 10)]],
    ["production that never had the baseline, so that the run reverts it", [look("new", 1, 19)]],
    [
      "production that changed to the same pixels from others",
      [look("different", 1, 9), look("new", 10, 19)],
    ],
    ["an unknown fingerprint on both sides", [look("other", 1, 19)], { ...changed, hash: "x" }],
  ];
  for (const [what, looks, more] of refused)
    it(`finds nothing for ${what}`, () => {
      for (const fingerprint of ["banner", null])
        assert.equal(findInProduction({ ...changed, ...more, fingerprint }, looks, run), null);
    });

  it("doesn't depend on the order of the looks", () => {
    const looks = [look("new", 10, 19), look("old", 1, 9)];
    assert.equal(findInProduction(changed, looks, run)?.lookId, "new");
  });

  it("never says that the change was seen after the run", () => {
    const found = findInProduction(changed, [look("old", 1, 9), look("new", 10, 25)], run);
    assert.equal(found?.seenAt.getTime(), run.getTime());
  });
});
