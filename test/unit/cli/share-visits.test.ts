import assert from "node:assert/strict";
import { shareVisits } from "../../../cli/check/screenshots/share-visits.rule.ts";

const visitsOf = (groups: Record<string, number>) =>
  Object.entries(groups).flatMap(([group, count]) =>
    Array.from({ length: count }, (_, index) => ({ name: `${group}${index}`, story: storyOf(group) })),
  );
const storyOf = (group: string) => ({
  ...{ id: group, previewUrl: "", globals: {}, delayMs: 0, timeoutMs: 1, group },
});
const sizesOf = (groups: Record<string, number>, concurrency: number) =>
  shareVisits(visitsOf(groups), concurrency).map(part => part.length);

describe("The visits of a check", () => {
  it("share a preview by group, in their order, while there are enough groups", () => {
    const parts = shareVisits(visitsOf({ a: 2, b: 2, c: 2, d: 2 }), 2);
    assert.deepEqual(
      parts.map(part => part.map(({ name }) => name).join(" ")),
      ["a0 a1", "b0 b1", "c0 c1", "d0 d1"],
    );
  });

  it("start with the largest group, so that it doesn't end alone", () => {
    assert.deepEqual(sizesOf({ a: 1, b: 1, c: 3, d: 1, e: 2, f: 4 }, 2), [4, 3, 2, 1, 1, 1]);
  });

  it("split a group if there would be fewer parts than pages", () => {
    assert.deepEqual(sizesOf({ changed: 10, audited: 10 }, 3), [10, 10]);
    assert.deepEqual(sizesOf({ changed: 10, audited: 10 }, 6), [4, 4, 4, 4, 2, 2]);
    assert.deepEqual(sizesOf({ changed: 10 }, 8), [2, 2, 2, 2, 2]);
    assert.deepEqual(sizesOf({ changed: 10 }, 1), [10]);
    assert.deepEqual(sizesOf({}, 2), []);
  });

  it("share a preview with up to nine others", () => {
    assert.deepEqual(sizesOf({ a: 25, b: 10, c: 11 }, 1), [10, 9, 9, 7, 6, 5]);
  });

  it("without stories each are a part, in their order", () => {
    const visits = ["/", "/about", "/prices"].map(name => ({ name, story: undefined }));
    assert.deepEqual(
      shareVisits(visits, 2).map(part => part.map(({ name }) => name)),
      [["/"], ["/about"], ["/prices"]],
    );
  });
});
