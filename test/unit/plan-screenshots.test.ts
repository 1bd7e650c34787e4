import assert from "node:assert/strict";
import fc from "fast-check";
import { captureOptionsFor, planScreenshots } from "../../services/runs/plan-screenshots.ts";
import { pageUrl } from "../../shared/capture/page-url.ts";
import { submitRunBody } from "../../shared/contracts/submit-run.ts";

describe("the plan of a run", () => {
  it("has every route in order, in its own widths and with its own thresholds", () => {
    const body = submitRunBody.parse({
      url: "https://example.com",
      routes: ["/b", "/a", "/b"],
      viewports: [800, 400, 800],
      threshold: 0.1,
      options: { perRoute: { "/a": { viewports: [300, 300, 500], threshold: 0, colorThreshold: 0 } } },
    });
    assert.deepEqual(planScreenshots(body), [
      { route: "/b", viewport: 800, threshold: 0.1, colorThreshold: 0.1 },
      { route: "/b", viewport: 400, threshold: 0.1, colorThreshold: 0.1 },
      { route: "/a", viewport: 300, threshold: 0, colorThreshold: 0 },
      { route: "/a", viewport: 500, threshold: 0, colorThreshold: 0 },
    ]);
    const finer = planScreenshots({ ...body, options: { ...body.options, colorThreshold: 0.02 } });
    assert.deepEqual(
      finer.map(({ colorThreshold }) => colorThreshold),
      [0.02, 0.02, 0, 0],
    );
  });

  it("gives a route the run's options, field by field replaced by its own", () => {
    const options = {
      masks: [".ad"],
      hide: [".chat"],
      colorThreshold: 0.02,
      perRoute: { "/a": { masks: [], viewports: [300], threshold: 0, colorThreshold: 0 } },
    };
    assert.deepEqual(captureOptionsFor(options, "/a"), { masks: [], hide: [".chat"] });
    assert.deepEqual(captureOptionsFor(options, "/b"), { masks: [".ad"], hide: [".chat"] });
  });
});

describe("a route's address", () => {
  const addresses: [site: string, route: string, page: string][] = [
    ["https://example.com", "/", "https://example.com/"],
    ["https://example.com", "/pricing", "https://example.com/pricing"],
    ["https://example.com/", "/pricing?plan=pro#top", "https://example.com/pricing?plan=pro#top"],
    ["https://example.com:8443/app", "/pricing", "https://example.com:8443/app/pricing"],
    ["https://example.com/app/", "/pricing", "https://example.com/app/pricing"],
    ["https://example.com/app/index.html", "/", "https://example.com/app/index.html"],
    ["https://example.com/?key=1", "/", "https://example.com/?key=1"],
    ["https://example.com/?key=1", "/a", "https://example.com/a?key=1"],
    ["https://example.com/?key=1&lang=en", "/a?lang=de", "https://example.com/a?lang=de&key=1"],
    ["https://example.com/?tag=1&tag=2", "/a", "https://example.com/a?tag=1&tag=2"],
    ["https://example.com", "/münchen", "https://example.com/m%C3%BCnchen"],
    ["https://example.com//evil.example", "/a", "https://example.com//evil.example/a"],
    ["https://example.com//", "/evil.example", "https://example.com//evil.example"],
  ];
  for (const [site, route, page] of addresses) {
    it(`of ${route} at ${site} is ${page}`, () => {
      assert.equal(pageUrl(site, route), page);
    });
  }

  it("never leaves the site, whatever the route is made of", () => {
    const hostile = fc.constantFrom(
      "/",
      "\\",
      "\t",
      "\n",
      "\0",
      "@",
      ":",
      "?",
      "#",
      ".",
      "..",
      "%2f",
      "%5c",
      "evil.example",
      "http:",
      "javascript:",
      "。",
      "\ud800",
      " ",
    );
    const route = fc.array(fc.oneof(hostile, fc.string({ maxLength: 3 })), { maxLength: 8 });
    const site = fc.constantFrom(
      "https://example.com",
      "https://example.com:8443/app/",
      "https://example.com//",
      "http://example.com/a?b=c",
    );
    fc.assert(
      fc.property(site, route, (address, parts) => {
        const page = new URL(pageUrl(address, `/${parts.join("")}`));
        assert.equal(page.origin, new URL(address).origin);
        assert.equal(page.username + page.password, "");
      }),
      { numRuns: 2_000 },
    );
  });
});
