import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ChangeOutcome, tallyChanges } from "../../../bench/real-pages/changes/change-outcome.ts";
import { changingScript } from "../../../bench/real-pages/changes/change-script.ts";
import { drawTrials } from "../../../bench/real-pages/changes/find-misses.ts";
import { CHANGE_KINDS } from "../../../bench/real-pages/changes/page-change.ts";
import { roundsFor } from "../../../bench/real-pages/compare-unchanged.ts";
import { readByteRange } from "../../../bench/real-pages/corpus/byte-range.ts";
import { SITES } from "../../../bench/real-pages/corpus/corpus.ts";
import {
  nameOf,
  type PlannedCapture,
  planCaptures,
  samplePages,
} from "../../../bench/real-pages/corpus/plan-captures.ts";
import { resolveFile } from "../../../bench/real-pages/corpus/resolve-file.ts";
import { pages, type Site } from "../../../bench/real-pages/corpus/site.ts";
import { findingsOf } from "../../../bench/real-pages/describe-findings.ts";
import {
  breakdownOf,
  countsOf,
  measuresOf,
  type Results,
} from "../../../bench/real-pages/describe-results.ts";
import { type NullComparison, offendersOf, tallyNulls } from "../../../bench/real-pages/null-comparison.ts";
import { readRealPagesOptions } from "../../../bench/real-pages/options.ts";
import { openSavedPart } from "../../../bench/real-pages/saved-part.ts";
import { Random } from "../../../bench/soak/random.ts";
import { figures } from "../../../bench/support/figures.ts";

const manifest: { dependencies: Record<string, string> } = JSON.parse(
  readFileSync(new URL("../../../bench/package.json", import.meta.url), "utf8"),
);

describe("the corpus of real pages", () => {
  it("has at least 150 pages of at least 14 packages, each listed once", () => {
    const pages = SITES.flatMap(site => site.pages.map(page => `${site.name}/${page}`));
    assert.ok(pages.length >= 150, `${pages.length} pages`);
    assert.equal(new Set(pages).size, pages.length);
    assert.equal(new Set(SITES.map(({ name }) => name)).size, SITES.length);
    assert.ok(new Set(SITES.map(site => site.package)).size >= 14);
  });

  it("pins the exact version of every package it takes pages or files from", () => {
    const supplements = SITES.flatMap(site => Object.values(site.supplements ?? {}));
    const lenders = supplements.flatMap(one => ("package" in one ? one.package : []));
    for (const name of [...SITES.map(site => site.package), ...lenders])
      assert.match(manifest.dependencies[name] ?? "absent", /^\d+\.\d+\.\d+$/, name);
  });

  it("gives a reason for every page it leaves out, and captures none of them", () => {
    for (const site of SITES)
      for (const { pages, because } of site.excluded ?? []) {
        assert.ok(because.length > 0);
        for (const page of pages) assert.ok(!site.pages.includes(page), `${site.name}/${page}`);
      }
  });
});

describe("the corpus server", () => {
  it("finds the files of a site, and folders' index pages", () => {
    const found = (path: string) => {
      const resolved = resolveFile(SITES, path);
      assert.ok(resolved && "file" in resolved, path);
      return resolved.file;
    };
    assert.match(found("/tabler/index.html?a=b#c"), /node_modules\/@tabler\/preview\/dist\/index\.html$/);
    assert.match(found("/tabler/"), /dist\/index\.html$/);
    assert.match(found("/vis/examples/timeline/other/drag%26drop.html"), /drag&drop\.html$/);
    assert.match(found("/flexslider/demo/js/libs/jquery-1.7.min.js"), /admin-lte\/plugins\/jQuery\//);
  });

  it("serves nothing outside the folders of its sites", () => {
    const outside = [
      "/",
      "/tabler",
      "/nothing/index.html",
      "/tabler/../../../package.json",
      "/tabler/%2e%2e/x",
    ];
    for (const path of [...outside, "/tabler/..%2f..%2fpackage.json", "/tabler/%00", "/tabler/%"])
      assert.equal(resolveFile(SITES, path), null, path);
  });

  it("answers byte ranges as players ask for them", () => {
    assert.deepEqual(readByteRange("bytes=0-", 100), { start: 0, end: 99 });
    assert.deepEqual(readByteRange("bytes=10-19", 100), { start: 10, end: 19 });
    assert.deepEqual(readByteRange("bytes=90-200", 100), { start: 90, end: 99 });
    assert.deepEqual(readByteRange("bytes=-10", 100), { start: 90, end: 99 });
    assert.equal(readByteRange("bytes=100-", 100), "unsatisfiable");
    assert.equal(readByteRange("bytes=5-4", 100), "unsatisfiable");
    for (const header of [undefined, "bytes=-", "bytes=0-1,3-4", "items=0-1"])
      assert.equal(readByteRange(header, 100), null);
  });
});

const SMALL: Site[] = [
  { name: "shop", package: "a-shop", root: "", pages: pages("index about prices") },
  { name: "blog", package: "a-blog", root: "dist", pages: pages("index") },
];

function compared(page: string, more: Partial<NullComparison>): NullComparison {
  const planned = { site: page.split("/")[0] ?? "", page, width: 375 };
  return { planned, isBusy: false, attempts: 1, isStable: true, difference: null, ...more };
}

const NULLS = [
  compared("shop/index.html", {}),
  compared("shop/index.html", { attempts: 3, difference: { pixels: 0, moving: [] } }),
  compared("shop/about.html", { attempts: 2, difference: { pixels: 7, moving: [] } }),
  compared("blog/index.html", { isBusy: true, difference: { pixels: 9, moving: [] } }),
  compared("blog/index.html", {
    isBusy: true,
    attempts: 8,
    isStable: false,
    difference: { pixels: 90, moving: ["#clock (text)"] },
  }),
];

function changed(
  kind: ChangeOutcome["kind"],
  state: "found" | "missed" | "invisible",
  truthStep = 40,
): ChangeOutcome {
  const planned: PlannedCapture = { site: "shop", page: "shop/index.html", width: 768 };
  if (state === "invisible") return { planned, kind, state };
  const foundPixels = state === "found" ? 12 : 0;
  return { planned, kind, state, selector: "main > p", truthStep, truthPixels: 12, foundPixels };
}

const CHANGES: ChangeOutcome[] = [
  changed("one word", "found"),
  changed("one word", "missed"),
  changed("opacity", "found"),
  changed("opacity", "missed", 15),
  changed("opacity", "invisible"),
  {
    planned: { site: "blog", page: "blog/index.html", width: 375 },
    kind: null,
    state: "not judged",
    reason: "no element of the page fits",
  },
];

const RESULTS: Results = {
  sites: SMALL,
  nulls: { rounds: 1, comparisons: NULLS, failures: [] },
  time: null,
  changes: CHANGES,
};

describe("kept measurements of the real-pages bench", () => {
  it("come back as they were measured", async () => {
    const folder = await mkdtemp(join(tmpdir(), "vrs-kept-"));
    const saved = openSavedPart<Results>(join(folder, "new"), "nulls");
    assert.equal(await saved.read(), null);
    await saved.write(RESULTS);
    assert.deepEqual(await saved.read(), RESULTS);
    assert.equal(await openSavedPart(null, "nulls").read(), null);
    await rm(folder, { recursive: true });
  });
});

describe("the plan of the real-pages bench", () => {
  it("captures every page at every width", () => {
    const names = planCaptures(SMALL).map(nameOf);
    assert.equal(names.length, 12);
    assert.equal(new Set(names).size, 12);
    assert.ok(names.includes("blog/index.html at 1280 px"));
  });

  it("draws the same order and the same sample from the same seed, and another from another", () => {
    const numbers = Array.from({ length: 50 }, (_, index) => index);
    const shuffled = (seed: number) => new Random(seed, "test").shuffled(numbers);
    assert.deepEqual(shuffled(1), shuffled(1));
    assert.notDeepEqual(shuffled(1), shuffled(2));
    assert.deepEqual(
      shuffled(1).toSorted((a, b) => a - b),
      numbers,
    );
    assert.deepEqual(samplePages(SITES, 2, 5), samplePages(SITES, 2, 5));
    for (const site of samplePages(SMALL, 2, 5)) assert.ok(site.pages.length <= 2);
    assert.deepEqual(samplePages(SMALL, null, 5), SMALL);
  });

  it("draws the same changes from the same seed, and lets all kinds take turns", () => {
    const trials = drawTrials(planCaptures(SMALL), 27, 3);
    assert.deepEqual(trials, drawTrials(planCaptures(SMALL), 27, 3));
    assert.equal(trials.length, 27);
    for (const kind of CHANGE_KINDS)
      assert.equal(trials.filter(({ kinds }) => kinds[0] === kind).length, 3, kind);
  });

  it("makes at least 10,000 null comparisons, half of them on busy cores", () => {
    for (const captures of [1, 72, 813]) {
      const { idle, busy } = roundsFor(captures);
      assert.equal(idle, busy);
      assert.ok((idle + busy) * captures >= 10_000);
    }
  });

  it("takes options, and calls a run quick that leaves something out", () => {
    assert.equal(readRealPagesOptions([]).quick, false);
    assert.deepEqual(readRealPagesOptions(["--quick", "--busy"]).rounds, { idle: 0, busy: 1 });
    assert.deepEqual(readRealPagesOptions(["--rounds", "2"]).rounds, { idle: 2, busy: 0 });
    const { sites, quick } = readRealPagesOptions(["--sites", "vis,uikit"]);
    assert.deepEqual([sites.map(({ name }) => name), quick], [["vis", "uikit"], true]);
    assert.throws(() => readRealPagesOptions(["--sites", "nothing"]), /there is no "nothing"/);
    assert.throws(() => readRealPagesOptions(["--rounds", "many"]), /--rounds takes a whole number/);
  });
});

describe("the results of the real-pages bench", () => {
  it("count a difference of at least one pixel as a false change", () => {
    const { meanAttempts, ...counts } = tallyNulls(NULLS);
    assert.deepEqual(counts, { comparisons: 5, falseChanges: 3, stable: 2, unstable: 1, unseen: 1 });
    assert.equal(meanAttempts, 3);
  });

  it("name each page with false changes once, most of them first", () => {
    assert.deepEqual(
      offendersOf(NULLS).map(one => [one.planned.page, one.falseChanges, one.comparisons, one.mostPixels]),
      [
        ["blog/index.html", 2, 2, 90],
        ["shop/about.html", 1, 1, 7],
      ],
    );
  });

  it("count changes by kind, without those that nobody could see", () => {
    const tallies = tallyChanges(CHANGES);
    assert.deepEqual(
      tallies.find(({ kind }) => kind === "opacity"),
      { kind: "opacity", found: 1, visible: 1, faintFound: 0, faint: 1, invisible: 1, notEvaluated: 0 },
    );
    assert.deepEqual(tallies.at(-1), {
      kind: null,
      found: 2,
      visible: 3,
      faintFound: 0,
      faint: 1,
      invisible: 1,
      notEvaluated: 1,
    });
  });

  it("have the shape of all figures, with bars for the errors in all", () => {
    const { shape } = figures;
    const counts = shape.counts.parse(countsOf(RESULTS));
    assert.deepEqual(
      counts.filter(({ bar }) => bar !== null).map(({ title, count, total }) => [title, count, total]),
      [
        ["false changes, idle", 1, 3],
        ["false changes, busy", 2, 2],
        ["visible changes found", 2, 3],
      ],
    );
    shape.measures.parse(measuresOf(RESULTS));
    const { columns, rows } = breakdownOf(RESULTS);
    shape.breakdowns.parse([{ title: "site", columns, rows }]);
    assert.deepEqual(rows, [
      { name: "shop", values: [3, 3, 1, 0, 0, 3, 2] },
      { name: "blog", values: [1, 0, 0, 2, 2, 0, 0] },
    ]);
    for (const { values } of rows) assert.equal(values.length, columns.length);
  });

  it("say in sentences which pages changed by themselves and which changes were missed", () => {
    const findings = findingsOf(RESULTS);
    assert.ok(
      findings.includes(
        "False changes of blog/index.html at 375 px: 2 of 2, at most 90 pixels, 1 unstable; moving: #clock (text).",
      ),
    );
    assert.ok(
      findings.includes(
        "Missed on shop/index.html at 768 px: one word of main > p, 12 pixels by up to 40 of 255.",
      ),
    );
  });
});

describe("the script that changes a page", () => {
  it("cannot be ended early by what it writes", () => {
    const script = changingScript({
      kind: "changed icon",
      index: 0,
      tag: "svg",
      selector: "svg",
      style: {},
      attributes: {},
      text: null,
      markup: "</script><!--",
    });
    assert.equal(script.split("</script>").length, 2);
    assert.ok(!script.includes("<!--"));
  });
});
