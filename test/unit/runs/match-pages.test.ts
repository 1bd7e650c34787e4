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

  it("filters by route and viewport", () => {
    const pages = [page("/"), page("/a"), page("/a", { viewport: 375 })];
    assert.equal(matchPages(pages, pages, { route: "/a" }).length, 2);
    assert.equal(matchPages(pages, pages, { route: "/a", viewport: 375 }).length, 1);
  });
});
