import assert from "node:assert/strict";
import { FILTER_BOUNDS, filtersIn, withFilter } from "../../../dashboard/saved-filters/stored-filters.ts";

const filter = (name: string, address = `runs?project=${name}`) => ({ name, address });

describe("Saved filters", () => {
  it("are in the order of their names, and replace those of the same name or address", () => {
    const saved = [filter("a"), filter("c")];
    assert.deepEqual(withFilter(saved, filter("b")), [filter("a"), filter("b"), filter("c")]);
    assert.deepEqual(withFilter(saved, filter("c", "runs?branch=x")), [
      filter("a"),
      filter("c", "runs?branch=x"),
    ]);
    assert.deepEqual(withFilter(saved, { name: "z", address: "runs?project=a" }), [
      filter("c"),
      { name: "z", address: "runs?project=a" },
    ]);
  });

  it("are few", () => {
    let saved: { name: string; address: string }[] = [];
    for (let index = 0; index < 50; index++) saved = withFilter(saved, filter(`project ${index}`));
    assert.equal(saved.length, FILTER_BOUNDS.perTeam);
    assert.ok(saved.some(({ name }) => name === "project 49"));
  });

  it("are read from the browser's storage, without what is damaged", () => {
    const stored = {
      team_1: [filter("a"), { name: "" }, null, "text", filter("x".repeat(61)), { ...filter("b"), more: 1 }],
      team_2: "none",
    };
    assert.deepEqual(
      filtersIn(JSON.stringify(stored)).team_1?.map(({ name }) => name),
      ["a", "b"],
    );
    assert.deepEqual(filtersIn(JSON.stringify(stored)).team_2, []);
    for (const text of [null, "", "{", "3", "null", "[]"]) assert.deepEqual(filtersIn(text), {});
  });
});
