import assert from "node:assert/strict";
import { matchPages } from "../../../services/runs/comparisons/match-pages.rule.ts";
import type { ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";

const page = (route: string, more: Partial<ScreenshotKey> = {}): ScreenshotKey => {
  return { route, state: null, environment: null, viewport: 1280, ...more };
};
const names = (matched: ReturnType<typeof matchPages>) =>
  matched.map(({ base, head }) =>
    [base, head].map(side => side && `${side.route} ${side.environment ?? ""}`),
  );

describe("matchPages", () => {
  it("matches by route, state, environment and viewport", () => {
    const one = [page("/"), page("/", { viewport: 375 }), page("/", { state: "menu" })];
    assert.equal(
      matchPages(one, one, {}).every(({ base, head }) => base === head),
      true,
    );
    assert.equal(matchPages([page("/")], [page("/", { viewport: 375 })], {}).length, 2);
  });

  it("keeps pages that only one side has, sorted by route", () => {
    const matched = matchPages([page("/b"), page("/a")], [page("/b"), page("/c")], {});
    assert.deepEqual(names(matched), [
      ["/a ", null],
      ["/b ", "/b "],
      [null, "/c "],
    ]);
  });

  it("matches different environments if a side names one", () => {
    const pages = [page("/"), page("/", { environment: "dark" }), page("/", { environment: "mobile" })];
    const filter = { baseEnvironment: null, headEnvironment: "dark" };
    assert.deepEqual(names(matchPages(pages, pages, filter)), [["/ ", "/ dark"]]);
    assert.deepEqual(names(matchPages(pages, pages, { headEnvironment: "dark" })), [["/ ", "/ dark"]]);
  });

  it("doesn't match different environments if no side names one", () => {
    const dark = page("/", { environment: "dark" });
    assert.deepEqual(names(matchPages([page("/")], [dark], {})), [
      ["/ ", null],
      [null, "/ dark"],
    ]);
    assert.deepEqual(names(matchPages([dark], [page("/")], { baseEnvironment: "dark" })), [["/ dark", "/ "]]);
  });

  it("matches by everything else if a side names an environment", () => {
    const pages = [page("/"), page("/a"), page("/a", { viewport: 375 }), page("/a", { state: "menu" })];
    assert.equal(matchPages(pages, pages, { headEnvironment: null }).length, 4);
  });

  it("sorts by route, state, environment and viewport, whatever the order and side", () => {
    const sorted = [
      page("/", { viewport: 375 }),
      page("/", { viewport: 1280 }),
      page("/", { environment: "dark" }),
      page("/", { environment: "light" }),
      page("/", { state: "menu", viewport: 375 }),
      page("/", { state: "menu", viewport: 1280 }),
      page("/", { state: "menu", environment: "Dark" }),
      page("/", { state: "open" }),
      page("/a", { viewport: 375 }),
    ];
    const ofHead = (pages: ScreenshotKey[]) => matchPages([], pages, {}).map(matched => matched.head);
    const ofBase = (pages: ScreenshotKey[]) => matchPages(pages, [], {}).map(matched => matched.base);
    for (let start = 0; start < sorted.length; start += 1) {
      const rotated = [...sorted.slice(start), ...sorted.slice(0, start)];
      for (const shown of [ofHead(rotated), ofBase(rotated), ofHead(rotated.toReversed())])
        assert.deepEqual(shown, sorted);
    }
    const [even, odd] = [0, 1].map(rest => sorted.filter((_, index) => index % 2 === rest));
    const mixed = matchPages(even ?? [], odd ?? [], {});
    assert.deepEqual(
      mixed.map(matched => matched.page),
      sorted,
    );
  });

  it("filters by route and viewport", () => {
    const pages = [page("/"), page("/a"), page("/a", { viewport: 375 }), page("/a", { viewport: 800 })];
    assert.equal(matchPages(pages, pages, { route: "/a" }).length, 3);
    const narrow = matchPages(pages, pages, { route: "/a", viewport: 375 });
    assert.deepEqual(
      narrow.map(({ head }) => head?.viewport),
      [375],
    );
  });
});
