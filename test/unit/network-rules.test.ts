import assert from "node:assert/strict";
import { urlMatcher } from "../../shared/capture/network-rules.ts";

describe("network rules", () => {
  const cases: [pattern: string, url: string, matches: boolean][] = [
    ["https://a.example/x", "https://a.example/x", true],
    ["https://a.example/x", "https://a.example/x?y=1", false],
    ["https://a.example/*", "https://a.example/x", true],
    ["https://a.example/*", "https://a.example/x/y", false],
    ["https://a.example/*/y", "https://a.example/x/y", true],
    ["https://a.example/**", "https://a.example/x/y?z", true],
    ["**/analytics.js", "https://cdn.example/lib/analytics.js", true],
    ["**/analytics.js", "https://cdn.example/lib/analytics-js", false],
    ["**.example/**", "https://b.example/", true],
    ["https://a.example/a(b)?.[c]*", "https://a.example/a(b)?.[c]d", true],
    ["https://a.example/*.js*", "https://a.example/x.js", true],
    ["https://a.example/**/x/**", "https://a.example/x/x/", true],
    // A regular expression would take for ever to find that out.
    [`http://x/${"**a".repeat(20)}**b`, `http://x/${"a".repeat(10_000)}`, false],
  ];
  for (const [pattern, url, matches] of cases) {
    it(`${pattern} ${matches ? "matches" : "does not match"} ${url.slice(0, 60)}`, () => {
      assert.equal(urlMatcher(pattern)(url), matches);
    });
  }
});
