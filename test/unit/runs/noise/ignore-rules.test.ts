import assert from "node:assert/strict";
import { hiddenBy } from "../../../../services/runs/noise/hidden-pixels.rule.ts";
import {
  appliesToPage,
  applyRules,
  groupRules,
  type IgnoreRule,
  rulesOf,
  scaleOf,
  withoutRule,
} from "../../../../services/runs/noise/ignore-rule.rule.ts";
import { rulesAsConfig } from "../../../../services/runs/noise/rules-as-config.rule.ts";
import { encodeMask, maskStride } from "../../../../shared/compare/mask.ts";
import { decodeMask, type Mask } from "../../../../shared/compare/read-mask.ts";
import {
  acceptRegionBody,
  changeRuleBody,
  previewRuleBody,
} from "../../../../shared/contracts/noise/ignore-rules.ts";
import { listActivityQuery } from "../../../../shared/contracts/teams/people.ts";

const HOME = { route: "/", state: null, environment: null, viewport: 400 };
const REGION = { x: 10, y: 10, width: 20, height: 10 };
const rule = (more: Partial<IgnoreRule> = {}): IgnoreRule => ({
  ...{ id: "ign_1", ...HOME, appliesTo: "page", region: REGION, threshold: null, scale: 1 },
  ...more,
});

describe("appliesToPage", () => {
  const pages = {
    same: HOME,
    width: { ...HOME, viewport: 800 },
    state: { ...HOME, state: "open" },
    environment: { ...HOME, environment: "dark" },
    route: { ...HOME, route: "/about" },
  };
  for (const [appliesTo, names] of [
    ["page", ["same"]],
    ["widths", ["same", "width"]],
    ["project", Object.keys(pages)],
  ] as const)
    it(`returns true for the pages of the scope ${appliesTo}`, () => {
      const applied = Object.entries(pages).filter(([, page]) => appliesToPage(rule({ appliesTo }), page));
      assert.deepEqual(
        applied.map(([name]) => name),
        names,
      );
      const grouped = groupRules([rule({ appliesTo })]);
      for (const [name, page] of Object.entries(pages))
        assert.equal(rulesOf(page, grouped).length, names.some(each => each === name) ? 1 : 0, name);
    });
});

describe("applyRules", () => {
  const settings = { ignoreRegions: [{ ...REGION, x: 50 }], threshold: 0.01 };

  it("puts regions of rules first, with their ids, and counts a repeated region once", () => {
    const repeated = rule({ id: "ign_2", region: { ...REGION, x: 50 } });
    const { ignoreRegions } = applyRules(settings, [rule(), repeated], null);
    assert.deepEqual(ignoreRegions, [
      { ...REGION, rule: "ign_1" },
      { ...REGION, x: 50, rule: "ign_2" },
    ]);
  });

  it("scales a region to the pixels of the page's image", () => {
    const { ignoreRegions } = applyRules(settings, [rule()], 2);
    assert.deepEqual(ignoreRegions[0], { x: 20, y: 20, width: 40, height: 20, rule: "ign_1" });
    assert.deepEqual(applyRules(settings, [rule({ scale: 2 })], 2).ignoreRegions[0], {
      ...REGION,
      rule: "ign_1",
    });
  });

  it("raises the threshold to the highest one, and never lowers it", () => {
    const raising = [0.02, 0.05, 0.03].map((threshold, at) =>
      rule({ id: `ign_${at}`, region: null, threshold }),
    );
    const raised = applyRules(settings, raising, 1);
    assert.deepEqual([raised.threshold, raised.raised], [0.05, { rule: "ign_1", from: 0.01 }]);
    const kept = applyRules({ ...settings, threshold: 0.05 }, raising, 1);
    assert.deepEqual([kept.threshold, kept.raised], [0.05, null]);
  });

  it("is undone by withoutRule", () => {
    const applied = applyRules(settings, [rule(), rule({ id: "ign_2", region: null, threshold: 0.5 })], 1);
    assert.deepEqual(withoutRule(withoutRule(applied, "ign_1"), "ign_2"), { ...settings, raised: null });
    assert.deepEqual(withoutRule(applied, "ign_3"), applied);
  });
});

describe("scaleOf", () => {
  it("returns the image px per CSS px in steps of an eighth", () => {
    for (const [width, viewport, scale] of [
      [400, 400, 1],
      [800, 400, 2],
      [1082, 412, 2.625],
      [300, 400, 1],
    ] as const)
      assert.equal(scaleOf(width, viewport), scale);
  });
});

describe("hiddenBy", () => {
  /** A mask of 40 × 30 px with these changed pixels. */
  const maskOf = async (...pixels: [x: number, y: number][]): Promise<Mask> => {
    const [width, height] = [40, 30];
    const scanlines = new Uint8Array(maskStride(width) * height);
    for (const [x, y] of pixels) {
      const at = y * maskStride(width) + 1 + (x >> 3);
      scanlines[at] = (scanlines[at] ?? 0) | (0x80 >> (x & 7));
    }
    return decodeMask(encodeMask(width, height, scanlines));
  };
  const screenshot = (diffPixels: number) => ({
    diffPixels,
    ...{ threshold: 0, regions: [REGION, { x: 0, y: 0, width: 5, height: 5 }], ignoreRegions: [], scale: 1 },
  });

  it("counts the changed pixels inside the region, edges included", async () => {
    const mask = await maskOf([10, 10], [29, 19], [30, 19], [29, 20], [9, 10], [2, 2]);
    const wide = { ...screenshot(6), regions: [{ x: 9, y: 10, width: 22, height: 11 }] };
    assert.deepEqual(hiddenBy(rule(), wide, mask), { pixels: 2, regions: [], isUnchanged: false });
    const inside = await maskOf([10, 10], [29, 19], [2, 2]);
    const hidden = { pixels: 2, regions: [REGION], isUnchanged: false };
    assert.deepEqual(hiddenBy(rule(), screenshot(3), inside), hidden);
  });

  it("says whether the rest is within the threshold", async () => {
    const mask = await maskOf([10, 10], [2, 2]);
    const within = { ...screenshot(2), threshold: 1 / 1200 };
    assert.equal(hiddenBy(rule(), within, mask).isUnchanged, true);
    assert.equal(hiddenBy(rule(), screenshot(2), mask).isUnchanged, false);
  });

  it("leaves out pixels that other regions already hide", async () => {
    const mask = await maskOf([10, 10], [12, 12]);
    const ignoring = { ...screenshot(1), ignoreRegions: [{ x: 10, y: 10, width: 1, height: 1 }] };
    const { pixels, isUnchanged } = hiddenBy(rule(), ignoring, mask);
    assert.deepEqual([pixels, isUnchanged], [1, true]);
  });

  it("counts millions of pixels and many regions in a moment, because it blocks the service", () => {
    const [width, height] = [1_280, 20_000];
    const scanlines = new Uint8Array(maskStride(width) * height).fill(0xff);
    const page = { x: 0, y: 0, width, height };
    const ignoreRegions = Array.from({ length: 50 }, (_, index) => ({ ...REGION, y: 100 * index }));
    const changed = { ...screenshot(width * height), regions: [page], ignoreRegions };
    const before = process.cpuUsage();
    const { pixels, regions } = hiddenBy(rule({ region: page }), changed, { width, height, scanlines });
    assert.deepEqual([pixels, regions], [width * height - 50 * 200, [page]]);
    // Visiting each pixel and region takes seconds.
    assert.ok(process.cpuUsage(before).user < 700_000);
  });

  it("hides everything below a raised threshold, and nothing above it", async () => {
    const mask = await maskOf([10, 10], [2, 2]);
    const at = (threshold: number) => hiddenBy(rule({ region: null, threshold }), screenshot(2), mask);
    assert.deepEqual([at(2 / 1200).pixels, at(2 / 1200).regions.length], [2, 2]);
    assert.deepEqual(at(1 / 1200), { pixels: 0, regions: [], isUnchanged: false });
  });
});

describe("rulesAsConfig", () => {
  const stored = (more: Partial<IgnoreRule> & { reason?: string; expiresAt?: Date }) => ({
    ...rule(more),
    ...{ reason: more.reason ?? null, expiresAt: more.expiresAt ?? null },
    ...{ decidedBy: "ada", decidedAt: new Date("2026-11-12T10:00:00Z") },
  });

  it("returns CSS pixels, with names, dates and expiries as comments", () => {
    const rules = [
      stored({ scale: 2, reason: "Clock", expiresAt: new Date("2026-12-24T10:00:00Z") }),
      stored({ appliesTo: "project", region: { x: 1, y: 2, width: 3, height: 4 } }),
    ];
    assert.equal(
      rulesAsConfig("shop", rules).text,
      `// Ignore rules of shop
export default defineConfig({
  ignoreRegions: [
    // by ada on 2026-11-12
    { x: 1, y: 2, width: 3, height: 4 },
  ],
  perRoute: {
    "/": {
      ignoreRegions: [
        // by ada on 2026-11-12
        { x: 1, y: 2, width: 3, height: 4 },
        // Clock, by ada on 2026-11-12, until 2026-12-24
        { x: 5, y: 5, width: 10, height: 5, viewport: 400 },
      ],
    },
  },
});
`,
    );
  });

  it("has no code of the people who named the project and the rules", () => {
    const line = "\u2028};process.exit();//";
    const named = { ...stored({ reason: `Clock${line}` }), decidedBy: `ada${line}` };
    const threshold = stored({ region: null, threshold: 0.1, appliesTo: "widths", reason: `Price${line}` });
    const { text } = rulesAsConfig(`shop\n${line}`, [named, threshold]);
    // Line breaks of JavaScript.
    const code = text.split(/[\n\r\u2028\u2029]/).filter(each => !each.trim().startsWith("//"));
    assert.ok(text.includes("Clock };process.exit();//, by ada"));
    assert.ok(!code.join("\n").includes("exit"), text);
  });

  it("leaves out what a configuration can't express, with the reason", () => {
    const rules = [
      stored({ id: "ign_2", state: "open" }),
      stored({ id: "ign_3", route: "cart" }),
      stored({ id: "ign_4", region: null, threshold: 0.1 }),
      stored({ id: "ign_5", environment: "dark@eu-west" }),
      stored({ region: null, threshold: 0.1, appliesTo: "widths" }),
    ];
    const { left, text, rules: count } = rulesAsConfig("shop", rules);
    assert.deepEqual([left.length, count], [4, 1]);
    assert.match(left[3]?.reason ?? "", /a region captured: dark@eu-west\./);
    assert.match(text, /threshold: 0\.1,/);
  });
});

describe("The body of an ignore rule", () => {
  const of = { project: "shop", ...HOME };

  it("has a region or a threshold, and no threshold for all pages", () => {
    for (const body of [
      { ...of, ...REGION },
      { ...of, ...REGION, appliesTo: "project" },
      { ...of, threshold: 0.05, appliesTo: "widths" },
    ])
      assert.equal(acceptRegionBody.safeParse(body).success, true, JSON.stringify(body));
    for (const body of [
      of,
      { ...of, x: 1, y: 1, width: 1 },
      { ...of, ...REGION, threshold: 0.05 },
      { ...of, threshold: 0.05, appliesTo: "project" },
      { ...of, threshold: 0 },
      { ...of, threshold: 1.1 },
      { ...of, ...REGION, appliesTo: "team" },
    ]) {
      assert.equal(acceptRegionBody.safeParse(body).success, false, JSON.stringify(body));
      assert.equal(previewRuleBody.safeParse(body).success, false, JSON.stringify(body));
    }
  });

  it("has no time that the database can't store", () => {
    for (const [year, isValid] of [
      ["0000", false],
      ["0001", true],
      ["9999", true],
    ] as const) {
      assert.equal(changeRuleBody.safeParse({ expiresAt: `${year}-01-01T00:00:00Z` }).success, isValid, year);
      assert.equal(listActivityQuery.safeParse({ from: `${year}-01-01` }).success, isValid, year);
    }
  });
});
