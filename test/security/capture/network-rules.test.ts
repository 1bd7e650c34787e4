import assert from "node:assert/strict";
import fc from "fast-check";
import { MAX_STEPS_PER_URL, RuleFinder } from "../../../shared/capture/network/rules/network-rules.ts";
import { urlMatcher } from "../../../shared/capture/network/rules/url-glob.ts";
import { captureOptionsSchema } from "../../../shared/contracts/capture/capture-options.ts";
import type { NetworkRule } from "../../../shared/contracts/capture/network-rule.ts";

const LONG = 16_384;

const STEPS = 300_000_000;

const SCRIPT = { method: "GET", resourceType: "script" };

const block = (url: string): NetworkRule => ({ url, action: "block" });

/** URLs and globs of few characters, so that many match and many nearly match. */
const text = (characters: string, maxLength: number) =>
  fc.array(fc.constantFrom(...characters), { maxLength }).map(parts => parts.join(""));

/** Returns a glob's meaning as a regular expression. It never ends for long ones. */
function asRegExp(glob: string): RegExp {
  const parts = glob.split(/(\*+)/).map((part, at) => {
    if (at % 2 === 0) return part.replaceAll(".", "\\.");
    return part.length > 1 ? ".*" : "[^/]*";
  });
  return new RegExp(`^${parts.join("")}$`, "s");
}

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
    ["a*a", "a", false],
    ["**x*a/*y", "xa/xa/y", true],
    // A regular expression would never finish this one.
    [`http://x/${"**a".repeat(20)}**b`, `http://x/${"a".repeat(10_000)}`, false],
  ];
  for (const [pattern, url, matches] of cases) {
    it(`${pattern} ${matches ? "matches" : "does not match"} ${url.slice(0, 60)}`, () => {
      assert.equal(urlMatcher(pattern)(url), matches);
    });
  }

  it("match the same URLs as their globs' regular expressions", () => {
    fc.assert(
      fc.property(text("aab./*", 12), text("aab./", 16), (glob, url) => {
        assert.equal(urlMatcher(glob)(url), glob.includes("*") ? asRegExp(glob).test(url) : glob === url);
      }),
      { numRuns: 20_000 },
    );
  });

  it("read each character of a URL at most once per wildcard", () => {
    const globs = ["**a", "*a", "**aab", "*aab/", "**a*a", "*/**a", `**${"a".repeat(90)}b`];
    const urls = ["a", "ab", "aab/", "/", `${"a".repeat(89)}b`];
    for (const glob of globs)
      for (const url of urls) {
        const pattern = glob.repeat(20);
        const meter = { steps: 0 };
        urlMatcher(pattern)(url.repeat(LONG / url.length), meter);
        const wildcards = pattern.match(/\*+/g)?.length ?? 0;
        assert.ok(meter.steps <= wildcards * LONG, `${glob} on ${url}: ${meter.steps}`);
      }
  });

  it("take at most a million steps together for a URL of any length", () => {
    const site = "https://site.example/";
    const costs = [3, 15].map(count => {
      // All allowed wildcards are in the maximum number of rules, and only the last literal is not found.
      const finder = new RuleFinder(
        Array.from({ length: count }, () => block(`${site}${"*a".repeat(18)}*c*b`)),
        STEPS,
      );
      for (const length of [15_000, finder.longestUrl]) {
        const before = finder.meter.steps;
        const url = `${site}${"a".repeat(length - site.length - 1)}b`;
        assert.equal(finder.ruleFor(url, SCRIPT), undefined);
        assert.ok(finder.meter.steps - before <= MAX_STEPS_PER_URL, `${finder.meter.steps}`);
        assert.equal(finder.isExhausted, false);
      }
      return finder.meter.steps;
    });
    assert.ok(
      costs.every(steps => steps > 0.9 * MAX_STEPS_PER_URL),
      `${costs}`,
    );
  });

  it("match long URLs with few wildcards, and equal URLs always", () => {
    const few = new RuleFinder([block("**/track?**")], STEPS);
    const equal = `https://site.example/${"a".repeat(1_900)}`;
    const many = new RuleFinder(
      [
        ...Array.from({ length: 15 }, () => block(`https://x.example/${"*a".repeat(19)}`)),
        ...Array.from({ length: 15 }, () => block("*")),
        block(equal),
      ],
      STEPS,
    );
    assert.ok(few.ruleFor(`https://site.example/track?${"a".repeat(15_000)}`, SCRIPT));
    assert.equal(few.ruleFor(`https://site.example/track?${"a".repeat(17_000)}`, SCRIPT), undefined);
    assert.ok(many.ruleFor(equal, SCRIPT));
  });

  it("are refused at submission, with the limit, when they have too many wildcards", () => {
    const network = Array.from({ length: 100 }, () => block(`${"**a".repeat(20)}b`));
    const parsed = captureOptionsSchema.safeParse({ network });
    assert.deepEqual(
      parsed.error?.issues.map(({ path, message }) => [path.join("."), message]),
      [["network", "must have at most 300 wildcards in all rules together"]],
    );
    const allowed = Array.from({ length: 100 }, () => block("**://*.ads.example/**"));
    assert.ok(captureOptionsSchema.safeParse({ network: allowed }).success);
  });

  it("fail the page when unchecked rules have too many wildcards", () => {
    const network = Array.from({ length: 100 }, () => block(`${"**a".repeat(20)}b`));
    assert.throws(() => new RuleFinder(network, STEPS), {
      code: "too_large",
      message: / 2,000 wildcards\. At most 300 are allowed/,
    });
  });

  it("are exhausted once the requests of a page reach the limit of a screenshot", () => {
    const finder = new RuleFinder([block("**a**b")], 1_000);
    const url = "c".repeat(300);
    const spent = Array.from({ length: 4 }, () => {
      finder.ruleFor(`${url}b`, SCRIPT);
      return finder.isExhausted;
    });
    assert.deepEqual(spent, [false, false, false, true]);
  });
});
