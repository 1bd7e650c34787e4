import assert from "node:assert/strict";
import fc from "fast-check";
import { addDays, flakeScore, scoreHistory } from "../../../../services/runs/noise/flake-score.rule.ts";
import {
  isDecidedBy,
  isMatch,
  LEAST_OBSERVATIONS,
  type NoiseObservation,
  suggestRegions,
} from "../../../../services/runs/noise/suggest-regions.rule.ts";
import type { Region } from "../../../../shared/compare/comparison.ts";
import { runOptionsSchema } from "../../../../shared/contracts/capture/capture-options.ts";
import { acceptRegionBody } from "../../../../shared/contracts/noise/ignore-rules.ts";
import { dismissRegionBody } from "../../../../shared/contracts/noise/noise.ts";

const TODAY = "2026-11-24";
const daysAgo = (count: number) => addDays(TODAY, -count);

describe("flakeScore", () => {
  it("returns the share of noisy captures in 30 days", () => {
    const days = [
      { day: TODAY, captures: 10, noisy: 1 },
      { day: daysAgo(29), captures: 10, noisy: 4 },
      { day: daysAgo(30), captures: 10, noisy: 10 },
    ];
    assert.equal(flakeScore(days, TODAY), 5 / 20);
  });

  it("counts back to the day with the hundredth capture", () => {
    const days = [
      { day: TODAY, captures: 60, noisy: 0 },
      { day: daysAgo(1), captures: 60, noisy: 6 },
      { day: daysAgo(2), captures: 60, noisy: 60 },
    ];
    assert.equal(flakeScore(days, TODAY), 6 / 120);
  });

  it("counts no day before an exact hundred captures", () => {
    const days = [
      { day: TODAY, captures: 100, noisy: 0 },
      { day: daysAgo(1), captures: 100, noisy: 100 },
    ];
    assert.equal(flakeScore(days, TODAY), 0);
  });

  it("counts missing captures as clean", () => {
    assert.equal(flakeScore([{ day: TODAY, captures: 1, noisy: 1 }], TODAY), 0.1);
    assert.equal(flakeScore([], TODAY), 0);
  });

  it("ends the history with today", () => {
    const days = [{ day: daysAgo(1), captures: 10, noisy: 5 }];
    const history = scoreHistory(days, TODAY, 3);
    assert.deepEqual(history, [
      { day: daysAgo(2), captures: 0, noisy: 0, score: 0 },
      { day: daysAgo(1), captures: 10, noisy: 5, score: 0.5 },
      { day: TODAY, captures: 0, noisy: 0, score: 0.5 },
    ]);
  });

  it("stays between 0 and 1, grows only with noise, and ignores the order of days", () => {
    const days = fc
      .uniqueArray(fc.nat(40), { maxLength: 40 })
      .chain(ago =>
        fc.tuple(
          ...ago.map(days => fc.record({ days: fc.constant(days), captures: fc.nat(60), noisy: fc.nat(80) })),
        ),
      )
      .map(all => all.map(({ days, captures, noisy }) => ({ day: daysAgo(days), captures, noisy })));
    fc.assert(
      fc.property(days, list => {
        const score = flakeScore(list, TODAY);
        assert(score >= 0 && score <= 1, String(score));
        assert.equal(flakeScore(list.toReversed(), TODAY), score);
        const noisier = list.map(day => ({ ...day, noisy: day.noisy + 1 }));
        assert(flakeScore(noisier, TODAY) >= score);
        assert.equal(
          flakeScore(
            list.map(day => ({ ...day, noisy: 0 })),
            TODAY,
          ),
          0,
        );
      }),
    );
  });
});

const NOW = new Date("2026-11-24T12:00:00Z");
const IMAGE = { imageWidth: 1280, imageHeight: 3000 };
let made = 0;
function seen(regions: Region[], own: Partial<NoiseObservation> = {}): NoiseObservation {
  made += 1;
  const screenshotId = `shot_${String(made).padStart(4, "0")}`;
  return { screenshotId, kind: "unstable", notedAt: NOW, ...IMAGE, regions, ...own };
}
const clock = { x: 1000, y: 40, width: 120, height: 20 };
const moved = (by: number) => ({ ...clock, x: clock.x + by });
const nothing = { accepted: [], dismissed: [] };
const regionsOf = (list: Region[]) => list.map(({ x, y, width, height }) => ({ x, y, width, height }));

describe("The size of an ignore region", () => {
  const of = (box: Region) => ({ project: "shop", route: "/", viewport: 3840, ...box });
  const corner = { x: 15_359, y: 79_999, width: 1, height: 1 };

  it("is that of scaled images in bodies about a screenshot", () => {
    for (const body of [acceptRegionBody, dismissRegionBody]) {
      assert.ok(body.safeParse(of(corner)).success);
      for (const box of [
        { ...corner, x: 17_280 },
        { ...corner, height: 2 },
      ])
        assert.match(body.safeParse(of(box)).error?.message ?? "", /within 17,280 × 80,000 px/);
    }
  });

  it("is that of pages in CSS pixels in options", () => {
    const parse = (box: Region) => runOptionsSchema.safeParse({ ignoreRegions: [box] });
    assert.ok(parse({ x: 3_839, y: 19_999, width: 1, height: 1 }).success);
    const { error } = parse({ x: 3_839, y: 19_999, width: 2, height: 1 });
    assert.match(error?.message ?? "", /within 3,840 × 20,000 px/);
  });
});

describe("suggestRegions", () => {
  it("suggests a region around the noise of three screenshots", () => {
    const two = [seen([clock]), seen([moved(4)])];
    assert.deepEqual(suggestRegions(two, nothing), []);
    const latest = seen([moved(-4)], { kind: "rejectedAsNoise", notedAt: new Date(NOW.getTime() + 1) });
    const three = [...two, latest];
    assert.deepEqual(suggestRegions(three, nothing), [
      {
        ...{ x: 996, y: 40, width: 128, height: 20 },
        ...{ observations: 3, kinds: ["unstable", "rejectedAsNoise"] },
        ...{ screenshotId: latest.screenshotId, at: latest.notedAt },
      },
    ]);
  });

  it("counts a screenshot with two kinds of noise once", () => {
    const [one, two] = [seen([clock]), seen([clock])];
    const again = { ...two, kind: "nullRerun" as const };
    assert.deepEqual(suggestRegions([one, two, again], nothing), []);
  });

  it("suggests nothing for noise in different places", () => {
    const apart = [0, 100, 200].map(by => seen([moved(by - 900)]));
    assert.deepEqual(suggestRegions(apart, nothing), []);
  });

  it("suggests no region above half of the page", () => {
    const most = { x: 0, y: 100, width: IMAGE.imageWidth, height: 1600 };
    assert.deepEqual(suggestRegions([seen([most]), seen([most]), seen([most])], nothing), []);
    const less = { ...most, height: 1500 };
    const suggested = suggestRegions([seen([less]), seen([less]), seen([less])], nothing);
    assert.deepEqual(regionsOf(suggested), [less]);
  });

  it("suggests no accepted region, and a dismissed one only after three more observations", () => {
    const before = [clock, moved(30), moved(-30)].map(region => seen([region]));
    const [suggestion] = suggestRegions(before, nothing);
    assert(suggestion);
    assert.deepEqual(suggestRegions(before, { ...nothing, accepted: [suggestion] }), []);
    const dismissed = [{ region: suggestion, at: NOW }];
    assert.deepEqual(suggestRegions(before, { ...nothing, dismissed }), []);
    const later = () => seen([clock], { notedAt: new Date(NOW.getTime() + 1) });
    const twoMore = [...before, later(), later()];
    assert.deepEqual(suggestRegions(twoMore, { ...nothing, dismissed }), []);
    const threeMore = [...twoMore, later()];
    assert.deepEqual(regionsOf(suggestRegions(threeMore, { ...nothing, dismissed })), [clock]);
  });

  // Each region matches only its neighbors, so the first group decides what is left for the second.
  const square = { x: 0, y: 0, width: 120, height: 120 };
  const chains: [field: keyof Region, values: number[], suggested: Region][] = [
    ["x", [0, 30, 60, 100], { ...square, width: 180 }],
    ["y", [0, 30, 60, 100], { ...square, height: 180 }],
    ["width", [10, 20, 40, 80], { ...square, width: 40 }],
    ["height", [10, 20, 40, 80], { ...square, height: 40 }],
  ];
  for (const [field, values, suggested] of chains)
    it(`groups regions from the smallest ${field}, each region once`, () => {
      const sightings = values.toReversed().flatMap(value => {
        const region = { ...square, [field]: value };
        return [seen([region]), seen([region])];
      });
      assert.deepEqual(regionsOf(suggestRegions(sightings, nothing)), [suggested]);
    });

  it("names the latest screenshot, and of equals the first", () => {
    const three = [seen([clock]), seen([clock]), seen([clock])];
    const [first] = three;
    for (const list of [three, three.toReversed()])
      assert.equal(suggestRegions(list, nothing)[0]?.screenshotId, first?.screenshotId);
    const latest = seen([moved(4)], { notedAt: new Date(NOW.getTime() + 1) });
    assert.equal(suggestRegions([...three, latest], nothing)[0]?.screenshotId, latest.screenshotId);
  });

  it("measures the page by its tallest screenshot", () => {
    const most = { x: 0, y: 100, width: IMAGE.imageWidth, height: 1500 };
    const list = [seen([most]), seen([most], { imageHeight: 2000 }), seen([most], { imageHeight: 2000 })];
    assert.deepEqual(regionsOf(suggestRegions(list, nothing)), [most]);
  });

  it("measures the page in pixels of its image, which environments scale", () => {
    const most = { x: 0, y: 100, width: 3840, height: 1500 };
    const scaled = () => seen([most], { imageWidth: 3840, imageHeight: 9000 });
    assert.deepEqual(regionsOf(suggestRegions([scaled(), scaled(), scaled()], nothing)), [most]);
  });

  it("suggests ten regions at most", () => {
    const eleven = Array.from({ length: 11 }, (_, index) => ({ ...clock, y: 100 * index }));
    const suggested = suggestRegions([seen(eleven), seen(eleven), seen(eleven)], nothing);
    assert.deepEqual(regionsOf(suggested), eleven.slice(0, 10));
  });

  it("applies a decision to regions that lie at least half inside", () => {
    const decided = { x: 0, y: 0, width: 100, height: 100 };
    assert.equal(isDecidedBy({ x: 95, y: 0, width: 10, height: 10 }, decided), true);
    assert.equal(isDecidedBy({ x: 96, y: 0, width: 10, height: 10 }, decided), false);
  });

  const region = fc.record({
    x: fc.integer({ min: 0, max: 60 }),
    y: fc.integer({ min: 0, max: 60 }),
    width: fc.integer({ min: 1, max: 30 }),
    height: fc.integer({ min: 1, max: 30 }),
  });
  const observations = fc
    .array(fc.array(region, { maxLength: 4 }), { maxLength: 12 })
    .map(all => all.map(regions => seen(regions)));

  it("bases each suggestion on at least three screenshots, in any order", () => {
    fc.assert(
      fc.property(observations, list => {
        const suggested = suggestRegions(list, nothing);
        assert.deepEqual(suggestRegions(list.toReversed(), nothing), suggested);
        for (const each of suggested) {
          assert(each.observations >= LEAST_OBSERVATIONS);
          const backing = list.filter(({ regions }) => regions.some(other => covers(each, other)));
          assert(backing.length >= each.observations, "what backs it lies inside it");
          const edges = backing.flatMap(({ regions }) => regions.filter(other => covers(each, other)));
          assert.equal(Math.min(...edges.map(({ x }) => x)), each.x, "it is no wider than what was seen");
          assert.equal(Math.max(...edges.map(({ y, height }) => y + height)), each.y + each.height);
        }
      }),
    );
  });

  it("suggests nothing for two screenshots or for decided regions", () => {
    fc.assert(
      fc.property(observations, list => {
        assert.deepEqual(suggestRegions(list.slice(0, 2), nothing), []);
        const suggested = suggestRegions(list, nothing);
        const dismissed = suggested.map(each => ({ region: each, at: NOW }));
        for (const decided of [
          { ...nothing, accepted: suggested },
          { ...nothing, dismissed },
        ]) {
          const left = suggestRegions(list, decided);
          assert(left.every(each => suggested.every(other => !covers(other, each))));
        }
      }),
    );
  });

  it("matches regions symmetrically, and each region with itself", () => {
    fc.assert(
      fc.property(region, region, (one, other) => {
        assert.equal(isMatch(one, other), isMatch(other, one));
        assert(isMatch(one, one));
      }),
    );
  });
});

function covers(outer: Region, inner: Region): boolean {
  return (
    outer.x <= inner.x &&
    outer.y <= inner.y &&
    outer.x + outer.width >= inner.x + inner.width &&
    outer.y + outer.height >= inner.y + inner.height
  );
}
