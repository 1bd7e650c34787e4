import assert from "node:assert/strict";
import { shareVisits, visitsInOnePreview } from "../../../cli/check/screenshots/share-visits.rule.ts";

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
  it("share a page by group, in their order, while there are enough groups", () => {
    const parts = shareVisits(visitsOf({ a: 2, b: 2, c: 2, d: 2 }), 2);
    assert.deepEqual(
      parts.map(part => part.map(({ name }) => name).join(" ")),
      ["a0 a1", "b0 b1", "c0 c1", "d0 d1"],
    );
  });

  it("start with the largest group, so that it doesn't end alone", () => {
    assert.deepEqual(sizesOf({ a: 1, b: 1, c: 3, d: 1, e: 2, f: 4 }, 2), [3, 2, 2, 2, 1, 1, 1]);
  });

  it("split a group that the other pages would have to wait for", () => {
    assert.deepEqual(
      sizesOf({ changed: 10, a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1, j: 1 }, 2),
      [...[5, 5], ...Array.from({ length: 10 }, () => 1)],
    );
    assert.deepEqual(
      sizesOf({ changed: 10 }, 8),
      Array.from({ length: 10 }, () => 1),
    );
    assert.deepEqual(sizesOf({ changed: 10 }, 1), [5, 5]);
    assert.deepEqual(sizesOf({}, 2), []);
  });

  it("without stories each are a part, in their order", () => {
    const visits = ["/", "/about", "/prices"].map(name => ({ name, story: undefined }));
    assert.deepEqual(
      shareVisits(visits, 2).map(part => part.map(({ name }) => name)),
      [["/"], ["/about"], ["/prices"]],
    );
  });

  it("of a group are captured together in a preview, up to ten, and others alone", () => {
    const together = visitsInOnePreview([...visitsOf({ a: 3, b: 1, c: 25 })]);
    assert.deepEqual(
      together.map(visits => visits.length),
      [3, 1, 9, 9, 7],
    );
    assert.deepEqual(
      together[0]?.map(({ name }) => name),
      ["a0", "a1", "a2"],
    );
    const pages = ["/", "/about"].map(name => ({ name, story: undefined }));
    assert.deepEqual(
      visitsInOnePreview(pages).map(visits => visits.map(({ name }) => name)),
      [["/"], ["/about"]],
    );
  });
});
