import assert from "node:assert/strict";
import fc from "fast-check";
import {
  planScreenshots,
  screenshotsPerJob,
} from "../../../../services/runs/submission/plan-screenshots.rule.ts";
import { pageUrl } from "../../../../shared/capture/network/page-url.ts";
import { ignoreSelectorsAt } from "../../../../shared/contracts/capture/ignore-region.ts";
import { optionsOf } from "../../../../shared/contracts/capture/plan-pages.ts";
import { pageName } from "../../../../shared/contracts/capture/screenshot-key.ts";
import { submitRunBody } from "../../../../shared/contracts/runs/submit-run.ts";

/** What a page without a state, an environment and a height of its own has. */
const OWN = { scaleFactor: 1, state: null, environment: null, viewportHeight: 800 };

describe("planScreenshots", () => {
  const matrix = submitRunBody.parse({
    url: "https://example.com",
    routes: ["/", "/menu"],
    viewports: [{ width: 600, height: 900 }],
    options: {
      environments: { dark: { colorScheme: "dark" }, phone: { device: "iPhone 15" } },
      ignoreRegions: [
        { x: 1, y: 1, width: 2, height: 2, environment: "phone" },
        { x: 9, y: 9, width: 1, height: 1, environment: "default" },
      ],
      perRoute: {
        "/menu": {
          environments: ["default", "dark"],
          steps: [
            { action: "screenshot" },
            { action: "click", selector: "#menu" },
            { action: "screenshot", name: "open" },
          ],
        },
      },
    },
  });
  const names = (planned: ReturnType<typeof planScreenshots>) =>
    planned.map(
      ({ viewport, viewportHeight, ...page }) => `${pageName(page)} ${viewport} × ${viewportHeight}`,
    );

  it("returns a screenshot for each state in each environment", () => {
    assert.deepEqual(names(planScreenshots(matrix, null)), [
      "/ 600 × 900",
      "/ (dark) 600 × 900",
      "/ (phone) 393 × 659",
      "/menu 600 × 900",
      "/menu › open 600 × 900",
      "/menu (dark) 600 × 900",
      "/menu › open (dark) 600 × 900",
    ]);
    assert.equal(screenshotsPerJob(planScreenshots(matrix, null)), 2);
  });

  it("returns only the requested screenshots", () => {
    const only = [
      { route: "/menu", state: "open", environment: "dark", viewport: 600 },
      { route: "/", state: null, environment: "phone", viewport: 393 },
      { route: "/gone", state: null, environment: null, viewport: 600 },
    ];
    assert.deepEqual(names(planScreenshots(matrix, only)), [
      "/ (phone) 393 × 659",
      "/menu › open (dark) 600 × 900",
    ]);
  });

  it("scales the ignore regions of an environment to the pixels of its images", () => {
    const [plain, dark, phone] = planScreenshots(matrix, null).map(({ ignoreRegions }) => ignoreRegions);
    assert.deepEqual(plain, [{ x: 9, y: 9, width: 1, height: 1 }]);
    assert.deepEqual(dark, []);
    assert.deepEqual(phone, [{ x: 3, y: 3, width: 6, height: 6 }]);
  });

  it("returns every route in order, with its own widths and thresholds", () => {
    const body = submitRunBody.parse({
      url: "https://example.com",
      routes: ["/b", "/a", "/b"],
      viewports: [800, 400, 800],
      threshold: 0.1,
      options: { perRoute: { "/a": { viewports: [300, 300, 500], threshold: 0, colorThreshold: 0 } } },
    });
    assert.deepEqual(planScreenshots(body, null), [
      { ...OWN, route: "/b", viewport: 800, threshold: 0.1, colorThreshold: 0.1, ignoreRegions: [] },
      { ...OWN, route: "/b", viewport: 400, threshold: 0.1, colorThreshold: 0.1, ignoreRegions: [] },
      { ...OWN, route: "/a", viewport: 300, threshold: 0, colorThreshold: 0, ignoreRegions: [] },
      { ...OWN, route: "/a", viewport: 500, threshold: 0, colorThreshold: 0, ignoreRegions: [] },
    ]);
    const finer = planScreenshots({ ...body, options: { ...body.options, colorThreshold: 0.02 } }, null);
    assert.deepEqual(
      finer.map(({ colorThreshold }) => colorThreshold),
      [0.02, 0.02, 0, 0],
    );
  });

  it("needs no options", () => {
    const body = submitRunBody.parse({
      url: "https://example.com",
      routes: ["/a"],
      viewports: [800],
      threshold: 0,
    });
    const plan = [
      { ...OWN, route: "/a", viewport: 800, threshold: 0, colorThreshold: 0.1, ignoreRegions: [] },
    ];
    for (const options of [undefined, {}])
      assert.deepEqual(planScreenshots({ ...body, options }, null), plan);
    assert.deepEqual(optionsOf({ masks: [".ad"] }, "/a").capture, { masks: [".ad"] });
  });

  it("returns each route's ignore regions, else the run's, at their widths", () => {
    const everywhere = { x: 0, y: 0, width: 9, height: 9 };
    const narrow = { x: 5, y: 5, width: 9, height: 9 };
    const body = submitRunBody.parse({
      url: "https://example.com",
      routes: ["/a", "/b", "/c"],
      viewports: [400, 800],
      options: {
        ignoreRegions: [everywhere, { ...narrow, viewport: 400 }],
        perRoute: { "/b": { ignoreRegions: [narrow] }, "/c": { ignoreRegions: [] } },
      },
    });
    assert.deepEqual(
      planScreenshots(body, null).map(({ ignoreRegions }) => ignoreRegions),
      [[everywhere, narrow], [everywhere], [narrow], [narrow], [], []],
    );
  });

  it("leaves regions of selectors to the captures", () => {
    const ignoreRegions = [
      { selector: ".ad", viewport: 400 },
      { selector: ".chat", padding: 8 },
    ];
    const body = submitRunBody.parse({ url: "https://example.com", options: { ignoreRegions } });
    assert.deepEqual(planScreenshots(body, null)[0]?.ignoreRegions, []);
    const at = (viewport: number) => ignoreSelectorsAt(ignoreRegions, { viewport, environment: null });
    assert.deepEqual(at(400), [{ selector: ".ad" }, { selector: ".chat", padding: 8 }]);
    assert.deepEqual(at(800), [{ selector: ".chat", padding: 8 }]);
  });

  it("replaces the run's options with a route's own, field by field", () => {
    const options = {
      masks: [".ad"],
      hide: [".chat"],
      colorThreshold: 0.02,
      ignoreRegions: [{ x: 0, y: 0, width: 9, height: 9 }],
      perRoute: { "/a": { masks: [], viewports: [300], threshold: 0, colorThreshold: 0 } },
    };
    assert.deepEqual(optionsOf(options, "/a").capture, { masks: [], hide: [".chat"] });
    assert.deepEqual(optionsOf(options, "/b").capture, { masks: [".ad"], hide: [".chat"] });
  });
});

describe("submitRunBody", () => {
  const faults = (ignoreRegions: object[]) => {
    const { error } = submitRunBody.safeParse({ url: "https://example.com", options: { ignoreRegions } });
    return (error?.issues ?? []).map(({ path }) => path.join("."));
  };
  const region = { x: 0, y: 0, width: 1, height: 1 };

  it("limits ignore regions to 50, within the largest screenshot", () => {
    const at = "options.ignoreRegions";
    assert.deepEqual(faults(Array(50).fill({ ...region, viewport: 400 })), []);
    assert.deepEqual(faults(Array(51).fill(region)), [at]);
    assert.deepEqual(faults([{ ...region, width: 0 }]), [`${at}.0.width`]);
    assert.deepEqual(faults([{ ...region, x: 3_840 }]), [`${at}.0.width`]);
    assert.deepEqual(faults([{ ...region, y: -1 }]), [`${at}.0.y`]);
    assert.deepEqual(faults([{ ...region, x: 0.5 }]), [`${at}.0.x`]);
    assert.deepEqual(faults([{ ...region, viewport: 100 }]), [`${at}.0.viewport`]);
    assert.deepEqual(faults([{ ...region, selector: ".ad" }]), [`${at}.0`]);
    assert.deepEqual(faults([{ selector: ".ad", padding: 8, viewport: 400, environment: "dark" }]), []);
    assert.deepEqual(faults([{ selector: ".ad", padding: 501 }]), [`${at}.0.padding`]);
  });
});

describe("pageUrl", () => {
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
    it(`returns ${page} for ${route} at ${site}`, () => {
      assert.equal(pageUrl(site, route), page);
    });
  }

  it("never leaves the site, whatever the route contains", () => {
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
