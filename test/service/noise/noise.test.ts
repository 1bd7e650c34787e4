import assert from "node:assert/strict";
import { advanceRuns } from "../../../services/runs/capture/advance-runs.ts";
import { addDays } from "../../../services/runs/noise/flake-score.rule.ts";
import { deleteOldNoise } from "../../../services/runs/noise/noise.store.ts";
import { submitNullReruns } from "../../../services/runs/noise/submit-null-reruns.ts";
import { deleteTeamData } from "../../../services/runs/retention/delete-team-data.ts";
import type { RunOptions } from "../../../shared/contracts/capture/capture-options.ts";
import { rejectBody } from "../../../shared/contracts/reviews/reviews.ts";
import { submitRunBody } from "../../../shared/contracts/runs/submit-run.ts";
import { DEFAULT_TEAM_ID, newId } from "../../../shared/ids.ts";
import { readInThisProcess } from "../../../shared/project-config/static-reading/read-in-this-process.ts";
import { renderReport } from "../../../shared/report/render/render-report.ts";
import { contextOn } from "../../support/contexts/context-on.ts";
import {
  CLOCK,
  type Look,
  NoiseTestContext,
  newSha,
  PAGE,
  PRICE,
} from "../../support/contexts/noise-context.ts";
import { MAIN_DATABASES } from "../../support/databases/databases.ts";
import {
  ageNullReruns,
  allowNullReruns,
  captureCounts,
  countNoiseRows,
  deleteNullReruns,
  deleteRun,
  moveNoise,
  noiseObservations,
  nullRerunOptions,
} from "../../support/rows/run-rows.ts";

const CLOCK_PIXELS = CLOCK.width * CLOCK.height;
const PAGE_OF_CLOCK = { route: "/", state: null, environment: null, viewport: PAGE.width };
const PRICE_PIXELS = PRICE.width * PRICE.height;

for (const kind of MAIN_DATABASES) {
  describe(`Noise on ${kind.name}`, () => {
    let context: NoiseTestContext;
    let projects = 0;
    /** Each test has its own project. */
    let project: string;

    contextOn(
      kind,
      env => NoiseTestContext.start(env),
      started => {
        context = started;
      },
    );
    beforeEach(async () => {
      await deleteNullReruns(em());
      projects += 1;
      project = `project ${projects}`;
      context.noted.length = 0;
    });

    const em = () => context.node.em();
    const run = (look: Look, more = {}) => context.run(project, { "/": look }, more);
    const approve = (runId: string) => context.ask("runs.approve", { runId });
    const rejectAsNoise = (runId: string) =>
      context.ask("runs.reject", { runId, ...rejectBody.parse({ noise: true }) });
    const noise = () => context.ask("runs.noise", { query: { project } });
    const regions = async () =>
      (await context.ask("runs.ignoreRegions", { query: { project, limit: 20 } })).data;
    const place = () => ({ project, ...PAGE_OF_CLOCK });
    const accept = () => context.ask("runs.acceptRegion", { ...place(), ...CLOCK });
    /** Returns the numbers of unchanged screenshots and of minor changes. */
    const countsOf = async (id: string) => {
      const { unchanged, minor } = (await context.ask("runs.get", { id })).counts;
      return [unchanged, minor];
    };
    const score = async () => (await noise()).pages[0]?.score ?? 0;
    /** Creates a project whose clock shows 0. */
    const createProject = async () => {
      await approve(await run({ clock: 0 }));
    };
    /** Submits three runs with different clocks, and rejects them as noise. */
    const noisy = async () => {
      const ids = [];
      for (const clock of [40, 80, 120]) ids.push(await run({ clock }));
      for (const id of ids) await rejectAsNoise(id);
      return ids;
    };
    describe("the flake score of a page", () => {
      it("counts unstable captures, and is stored with the run's screenshots", async () => {
        await createProject();
        const unstable = await run({ clock: 40, stable: false });
        assert.equal((await context.screenshot(unstable)).flakeScore, 1 / 10, "few captures are filled up");
        for (let count = 0; count < 10; count++) await run({ clock: 0 });
        const [page] = (await noise()).pages;
        assert.deepEqual([page?.score, page?.captures, page?.noisy], [1 / 12, 12, 1]);
        const today = page?.history.at(-1);
        assert.deepEqual([today?.captures, today?.noisy, today?.score], [12, 1, 1 / 12]);
        assert.equal(page?.history.length, 30);
        assert.equal((await context.screenshot(await run({ clock: 0 }))).flakeScore, 1 / 13);
      });

      it("is separate for each route and width", async () => {
        await context.run(project, { "/": { clock: 1, stable: false }, "/about": { clock: 1 } });
        const { pages } = await noise();
        assert.deepEqual(
          pages.map(({ route }) => route),
          ["/"],
        );
      });

      it("counts a rejection as noise until it is dismissed", async () => {
        await createProject();
        const id = await run({ clock: 40 });
        const rejected = await rejectAsNoise(id);
        assert.equal(rejected.conclusion, "rejected");
        assert.equal(await score(), 1 / 10);
        const { review, reviews } = await context.screenshot(id);
        assert.equal(review?.state, "rejected");
        assert.deepEqual([reviews[0]?.noise, reviews[0]?.reason], [true, "This change is noise."]);
        const details = context.noted.find(({ type }) => type === "run.rejected")?.details;
        assert.equal(details?.as, "noise");
        await rejectAsNoise(id);
        assert.equal(await score(), 1 / 10, "two rejections are one observation");

        await context.ask("runs.dismiss", { runId: id, reason: "a slip", own: true });
        assert.equal(await score(), 0);
        await rejectAsNoise(id);
        await approve(id);
        assert.equal(await score(), 0, "whoever approves it takes back that it is noise");
        await context.ask("runs.reject", { runId: id, reason: "the logo is gone" });
        assert.equal(await score(), 0, "a change that is wrong is no noise");
      });

      it("counts a minor change that is rejected as noise, with its region", async () => {
        await createProject();
        const id = await run({ clock: 40 }, { threshold: 0.5 });
        const { id: screenshotId, minor } = await context.screenshot(id);
        assert.equal(minor, true);
        assert.equal(await score(), 0, "a minor change alone is no noise");
        const body = rejectBody.parse({ screenshots: [screenshotId], noise: true });
        const { conclusion } = await context.ask("runs.reject", { runId: id, ...body });
        assert.equal(conclusion, "rejected");
        assert.equal(await score(), 1 / 10);
        const { projectId } = await noise();
        const expected = [{ kind: "rejectedAsNoise", regions: [CLOCK] }];
        assert.deepEqual(await noiseObservations(em(), projectId), expected);
        await context.ask("runs.dismiss", { runId: id, reason: "a slip", own: true });
        assert.equal(await score(), 0);
        assert.equal((await context.ask("runs.get", { id })).conclusion, "passed");
      });

      it("counts each of many runs that end at the same time once", async () => {
        const looks = { "/": { clock: 40, stable: false }, "/about": { clock: 40 }, "/terms": { clock: 40 } };
        const ids = await Promise.all(Array.from({ length: 6 }, () => context.run(project, looks)));
        await advanceRuns(context.node, ids);
        const { projectId, pages } = await noise();
        assert.deepEqual(
          await captureCounts(em(), projectId),
          ["/", "/about", "/terms"].map(route => ({ route, captures: 6 })),
        );
        assert.deepEqual([pages[0]?.captures, pages[0]?.noisy], [6, 6]);
      });
    });

    describe("a suggested ignore region", () => {
      it("appears after three false alarms in one place, and isn't applied by itself", async () => {
        await createProject();
        const ids = await noisy();
        const { suggestions } = await noise();
        assert.equal(suggestions.length, 1);
        const [{ screenshot, lastAt: _lastAt, ...suggestion } = {}] = suggestions;
        const seen = { observations: 3, kinds: ["rejectedAsNoise"] };
        assert.deepEqual(suggestion, { ...PAGE_OF_CLOCK, ...CLOCK, ...seen });
        assert.equal(screenshot?.runId, ids.at(-1));
        assert.match(screenshot?.image ?? "", /^http.*\/v1\/images\//);
        const later = await context.screenshot(await run({ clock: 160 }));
        assert.equal(later.status, "changed");
        assert.deepEqual(later.ignored, { pixels: 0, regions: [] });
      });

      it("comes from unstable captures on the default branch, not on a pull request", async () => {
        await createProject();
        const pr = () => ({ scm: { owner: "acme", repo: "shop", sha: newSha(), pr: 7 } });
        for (const clock of [40, 80, 120]) await run({ clock, price: 90, stable: false }, pr());
        assert.deepEqual((await noise()).suggestions, []);
        assert.equal(await score(), 3 / 10, "they count toward the score all the same");
        for (const clock of [40, 80, 120]) await run({ clock, stable: false });
        const [suggestion] = (await noise()).suggestions;
        assert.deepEqual([suggestion?.x, suggestion?.y, suggestion?.kinds], [CLOCK.x, CLOCK.y, ["unstable"]]);
      });

      it("comes from regions that moved within a capture, even on a pull request", async () => {
        await createProject();
        const pr = () => ({ scm: { owner: "acme", repo: "shop", sha: newSha(), pr: 7 } });
        const looks = [{ clock: 0 }, { clock: 0 }, { clock: 80, price: 90, stable: false }];
        for (const look of looks) await run({ ...look, movingRegions: [CLOCK] }, pr());
        const { suggestions, pages } = await noise();
        assert.deepEqual([pages[0]?.noisy, await score()], [3, 3 / 10]);
        const [{ screenshot: _screenshot, lastAt: _lastAt, ...suggestion } = {}, ...others] = suggestions;
        const seen = { observations: 3, kinds: ["unstable", "retried"] };
        assert.deepEqual(suggestion, { ...PAGE_OF_CLOCK, ...CLOCK, ...seen });
        assert.deepEqual(others, [], "the price changed on purpose");
      });

      it("doesn't appear again once it is accepted or dismissed", async () => {
        await createProject();
        await noisy();
        await context.ask("runs.dismissRegion", { ...place(), ...CLOCK });
        assert.deepEqual((await noise()).suggestions, []);
        assert.deepEqual(await regions(), [], "a dismissal ignores nothing");
        await noisy();
        assert.equal((await noise()).suggestions.length, 1, "three new false alarms offer it again");
        await accept();
        assert.deepEqual((await noise()).suggestions, []);
        assert.equal((await regions()).length, 1);
      });
    });

    describe("an ignore region", () => {
      it("makes the next run unchanged, and reports what it hid", async () => {
        await createProject();
        const accepted = await accept();
        assert.equal(accepted.acceptedBy, "ada");
        const id = await run({ clock: 40 });
        const shot = await context.screenshot(id);
        assert.equal(shot.status, "unchanged");
        assert.deepEqual([shot.diffPixels, shot.diffRatio, shot.regions], [0, 0, []]);
        const hid = { ...CLOCK, pixels: CLOCK_PIXELS, rule: accepted.id };
        assert.deepEqual(shot.ignored, { pixels: CLOCK_PIXELS, regions: [hid] });
        assert.notEqual(shot.images.diff, null, "what it hid can be looked at");
        assert.equal((await context.ask("runs.get", { id })).conclusion, "passed");
      });

      it("hides nothing outside of it", async () => {
        await createProject();
        await accept();
        const shot = await context.screenshot(await run({ clock: 40, price: 90 }));
        assert.equal(shot.status, "changed");
        assert.equal(shot.diffPixels, PRICE_PIXELS);
        assert.deepEqual(shot.regions, [PRICE]);
        assert.equal(shot.ignored.pixels, CLOCK_PIXELS);
      });

      it("leaves no minor change if it hides all changed pixels", async () => {
        await createProject();
        const { id: rule } = await accept();
        const hidden = await run({ clock: 40 }, { threshold: 0.5 });
        const { minor, status, diffPixels, ignored } = await context.screenshot(hidden);
        assert.deepEqual([status, minor, diffPixels], ["unchanged", false, 0]);
        assert.deepEqual(ignored, {
          pixels: CLOCK_PIXELS,
          regions: [{ ...CLOCK, pixels: CLOCK_PIXELS, rule }],
        });
        assert.deepEqual(await countsOf(hidden), [1, 0]);
        const { approved } = await context.ask("runs.approve", { runId: hidden, includeMinor: true });
        assert.equal(approved, 0, "there is nothing to approve");

        const beside = await run({ clock: 40, price: 90 }, { threshold: 0.5 });
        const shot = await context.screenshot(beside);
        assert.deepEqual([shot.status, shot.minor, shot.diffPixels], ["unchanged", true, PRICE_PIXELS]);
        assert.deepEqual([shot.regions, shot.ignored.pixels], [[PRICE], CLOCK_PIXELS]);
        assert.deepEqual(await countsOf(beside), [1, 1]);
      });

      it("isn't applied to reused comparisons without it", async () => {
        await createProject();
        assert.equal((await context.screenshot(await run({ clock: 40 }))).status, "changed");
        const { id } = await accept();
        const ignoring = await context.screenshot(await run({ clock: 40 }));
        assert.deepEqual([ignoring.status, ignoring.ignored.pixels], ["unchanged", CLOCK_PIXELS]);
        const again = await context.screenshot(await run({ clock: 40 }));
        assert.deepEqual(
          [again.status, again.ignored.pixels],
          ["unchanged", CLOCK_PIXELS],
          "from the one before",
        );
        await context.ask("runs.removeRegion", { id });
        const removed = await context.screenshot(await run({ clock: 40 }));
        assert.equal(removed.status, "changed");
        assert.deepEqual(removed.ignored, { pixels: 0, regions: [] });
        assert.equal((await context.screenshot(await run({ clock: 0 }))).status, "unchanged");
      });

      it("belongs to one page, and is shown even if it hid nothing", async () => {
        await approve(await context.run(project, { "/": { clock: 0 }, "/about": { clock: 0 } }));
        const { id: rule } = await accept();
        const id = await context.run(project, { "/": { clock: 0 }, "/about": { clock: 40 } });
        const { data } = await context.ask("runs.screenshots", { runId: id, query: { limit: 10 } });
        const byRoute = new Map(data.map(shot => [shot.route, shot]));
        assert.equal(byRoute.get("/about")?.status, "changed");
        assert.deepEqual(byRoute.get("/")?.ignored, { pixels: 0, regions: [{ ...CLOCK, pixels: 0, rule }] });
      });

      it("can be set by a run's options for a page and a width", async () => {
        await approve(await context.run(project, { "/": { clock: 0 }, "/about": { clock: 0 } }));
        const { id: rule } = await accept();
        const by = (ignoreRegions: RunOptions["ignoreRegions"], perRoute = {}) =>
          context.run(
            project,
            { "/": { clock: 40, price: 90 }, "/about": { clock: 40 } },
            { options: { ignoreRegions, perRoute } },
          );
        const shots = async (runId: string) => {
          const { data } = await context.ask("runs.screenshots", { runId, query: { limit: 10 } });
          return data.map(({ status, ignored }) => [status, ignored]);
        };
        const [clock, price] = [
          { ...CLOCK, pixels: CLOCK_PIXELS },
          { ...PRICE, pixels: PRICE_PIXELS },
        ];
        const id = await by([{ ...PRICE, viewport: PAGE.width }, CLOCK]);
        assert.deepEqual(
          await shots(id),
          [
            ["unchanged", { pixels: CLOCK_PIXELS + PRICE_PIXELS, regions: [{ ...clock, rule }, price] }],
            ["unchanged", { pixels: CLOCK_PIXELS, regions: [{ ...price, pixels: 0 }, clock] }],
          ],
          "one that is accepted too is one",
        );
        assert.ok(context.captures.every(({ options }) => !("ignoreRegions" in options)));
        const other = await by([{ ...PRICE, viewport: 800 }], { "/about": { ignoreRegions: [CLOCK] } });
        assert.deepEqual(await shots(other), [
          ["changed", { pixels: CLOCK_PIXELS, regions: [{ ...clock, rule }] }],
          ["unchanged", { pixels: CLOCK_PIXELS, regions: [clock] }],
        ]);
        assert.equal((await regions()).length, 1, "a run accepts nothing for others");
      });

      it("appears in the activity log once when it is accepted, dismissed, and removed", async () => {
        await createProject();
        context.noted.length = 0;
        await context.ask("runs.dismissRegion", { ...place(), ...CLOCK });
        const { id } = await accept();
        await accept();
        await context.ask("runs.dismissRegion", { ...place(), ...CLOCK });
        assert.equal((await regions())[0]?.id, id, "what is accepted is not dismissed");
        await context.ask("runs.removeRegion", { id });
        await assert.rejects(context.ask("runs.removeRegion", { id }), { type: "not_found" });
        assert.deepEqual(
          context.noted.map(({ type, target, details }) => [type, target, details.region]),
          ["region.dismissed", "region.accepted", "region.removed"].map(type => [
            type,
            project,
            "60 × 20 px at 300, 10",
          ]),
        );
      });

      it("is limited per page despite simultaneous requests, and hidden from other teams", async () => {
        await createProject();
        const region = (x: number) =>
          context.ask("runs.acceptRegion", { ...place(), x, y: 0, width: 1, height: 1 });
        const asked = await Promise.allSettled(Array.from({ length: 55 }, (_, x) => region(x)));
        assert.equal(asked.filter(({ status }) => status === "fulfilled").length, 50);
        await assert.rejects(region(99), {
          type: "conflict",
          message: /limit of 50 ignore regions per page/,
        });
        const first = await context.ask("runs.ignoreRegions", { query: { project, limit: 30 } });
        const cursor = first.nextCursor ?? "";
        const rest = await context.ask("runs.ignoreRegions", { query: { project, limit: 30, cursor } });
        assert.deepEqual([first.data.length, rest.data.length, rest.nextCursor], [30, 20, null]);
        await assert.rejects(context.ask("runs.noise", { query: { project: "nobody's" } }), {
          type: "not_found",
        });
        const strange = { ...place(), project: "nobody's", ...CLOCK };
        await assert.rejects(context.ask("runs.acceptRegion", strange), { type: "not_found" });
      });
    });

    describe("an ignore rule", () => {
      const rule = (more: object = {}) => ({ ...place(), ...CLOCK, ...more });
      const add = (more: object = {}) => context.ask("runs.acceptRegion", rule(more));
      const all = async (runId: string) =>
        (await context.ask("runs.screenshots", { runId, query: { limit: 10 } })).data;

      it("previews what it would have hidden in the last ten runs, from their changed pixels", async () => {
        await createProject();
        const hidden = await run({ clock: 40 });
        const reduced = await run({ clock: 80, price: 90 });
        await run({ clock: 0, price: 90 });
        await approve(hidden);
        const preview = await context.ask("runs.previewRule", rule());
        const { data, ...sums } = preview;
        assert.deepEqual(sums, {
          ...{ runs: 4, compared: 3, isComplete: true, hidden: 1, reduced: 1, regions: 2 },
          ...{ pixels: 2 * CLOCK_PIXELS, approved: 1 },
        });
        assert.deepEqual(
          data.map(({ runId, outcome, pixels, regions: hides, review }) => [
            runId,
            outcome,
            pixels,
            hides,
            review,
          ]),
          [
            [reduced, "changed", CLOCK_PIXELS, [CLOCK], null],
            [hidden, "unchanged", CLOCK_PIXELS, [CLOCK], "approved"],
          ],
        );
        assert.match(data[0]?.image ?? "", /\/v1\/images\//);
        const half = { ...CLOCK, width: CLOCK.width / 2 };
        const part = await context.ask("runs.previewRule", rule(half));
        assert.deepEqual([part.hidden, part.reduced, part.regions], [0, 2, 0]);
        assert.equal(part.pixels, CLOCK_PIXELS);
        const elsewhere = await context.ask("runs.previewRule", { ...rule(), route: "/about" });
        assert.deepEqual([elsewhere.runs, elsewhere.compared, elsewhere.data], [4, 0, []]);
        const threshold = { ...place(), threshold: 0.02 };
        const raised = await context.ask("runs.previewRule", threshold);
        assert.deepEqual([raised.hidden, raised.regions], [2, 2], "one has both changes, which are more");
        assert.deepEqual(await regions(), [], "a preview saves nothing");
      });

      it("compares the undecided screenshots of its run again, and undoes that", async () => {
        await createProject();
        await approve(await context.run(project, { "/about": { clock: 0 } }));
        const looks = { "/": { clock: 40 }, "/about": { clock: 40, price: 90 } };
        const id = await context.run(project, looks);
        const before = await all(id);
        const added = await add({ appliesTo: "project", runId: id, reason: "Clock" });
        assert.deepEqual(added.recompared, {
          runId: id,
          screenshots: 2,
          unchanged: 1,
          conclusion: "changed",
        });
        const [home, about] = await all(id);
        const ignored = { ...CLOCK, pixels: CLOCK_PIXELS, rule: added.id };
        assert.deepEqual([home?.status, home?.regions, home?.ignored.regions], ["unchanged", [], [ignored]]);
        assert.deepEqual(
          [about?.status, about?.regions, about?.diffPixels],
          ["changed", [PRICE], PRICE_PIXELS],
        );
        assert.notEqual(about?.fingerprint, before[1]?.fingerprint, "it is another change now");
        assert.deepEqual((await context.ask("runs.get", { id })).counts.changed, 1);
        const later = await context.run(project, looks);
        assert.equal((await all(later))[1]?.fingerprint, about?.fingerprint, "as in a run with the rule");

        await context.ask("runs.removeRegion", { id: added.id, runId: id });
        assert.deepEqual(
          (await all(id)).map(({ status, regions: changed, ignored, fingerprint }) => [
            status,
            changed,
            ignored,
            fingerprint,
          ]),
          before.map(({ status, regions: changed, ignored, fingerprint }) => [
            status,
            changed,
            ignored,
            fingerprint,
          ]),
        );
      });

      it("is applied with another one that is added at the same time", async () => {
        await createProject();
        const intent = { routes: ["/about"], selectors: [], words: [] };
        const id = await run({ clock: 40, price: 90 }, { intent });
        assert.deepEqual((await context.ask("runs.get", { id })).intent?.unintended, 1);
        const both = await Promise.all([add({ runId: id }), add({ ...PRICE, runId: id })]);
        const { status, diffPixels, ignored } = await context.screenshot(id);
        assert.deepEqual([status, diffPixels], ["unchanged", 0]);
        assert.deepEqual(
          new Set(ignored.regions.map(({ rule }) => rule)),
          new Set(both.map(rule => rule.id)),
        );
        const after = await context.ask("runs.get", { id });
        assert.deepEqual([after.conclusion, after.intent?.unintended], ["passed", 0]);
        for (const rule of both) await context.ask("runs.removeRegion", { id: rule.id, runId: id });
        assert.equal((await context.screenshot(id)).status, "changed");
        assert.deepEqual((await context.ask("runs.get", { id })).intent?.unintended, 1);
      });

      it("passes the run if nothing else changed, and leaves decisions as they are", async () => {
        await createProject();
        const [decided, open] = [await run({ clock: 40 }), await run({ clock: 80 })];
        await context.ask("runs.reject", { runId: decided, reason: "the clock is wrong" });
        const { id, recompared } = await add({ runId: open });
        assert.deepEqual(recompared, { runId: open, screenshots: 1, unchanged: 1, conclusion: "passed" });
        assert.equal((await context.ask("runs.get", { id: open })).counts.unchanged, 1);
        await context.ask("runs.removeRegion", { id });
        assert.equal((await add({ runId: decided })).recompared, null);
        assert.equal((await context.screenshot(decided)).status, "changed");
        const strange = await context.run("somebody's", { "/": { clock: 40 } });
        assert.equal((await add({ ...PRICE, runId: strange })).recompared, null, "a run of another project");
      });

      it("applies to a page at all widths, or to all pages", async () => {
        const looks = (clock: number) => ({ "/": { clock }, "/about": { clock } });
        await approve(await context.run(project, looks(0), { viewports: [400, 800] }));
        const statuses = async (clock: number) => {
          const shots = await all(await context.run(project, looks(clock), { viewports: [400, 800] }));
          return shots.map(({ route, viewport, status }) => [route, viewport, status].join(" "));
        };
        const { id } = await add({ appliesTo: "widths" });
        assert.deepEqual(await statuses(40), [
          ...["/ 400 unchanged", "/ 800 unchanged", "/about 400 changed", "/about 800 changed"],
        ]);
        const changed = await context.ask("runs.changeRule", { id, body: { appliesTo: "project" } });
        assert.deepEqual([changed.appliesTo, changed.changedBy], ["project", "ada"]);
        const second = await add({ appliesTo: "page" });
        await assert.rejects(
          context.ask("runs.changeRule", { id: second.id, body: { appliesTo: "project" } }),
          { type: "conflict" },
        );
        assert.deepEqual(
          new Set((await statuses(80)).map(text => text.split(" ")[2])),
          new Set(["unchanged"]),
        );
      });

      it("raises the threshold of a page, but never lowers it", async () => {
        await createProject();
        const ratio = CLOCK_PIXELS / (PAGE.width * PAGE.height);
        const id = await run({ clock: 40 });
        const added = await context.ask("runs.acceptRegion", { ...place(), threshold: 2 * ratio, runId: id });
        assert.deepEqual([added.width, added.threshold, added.recompared?.unchanged], [0, 2 * ratio, 1]);
        const raised = { rule: added.id, from: 0, to: 2 * ratio };
        const [first, later] = [
          await context.screenshot(id),
          await context.screenshot(await run({ clock: 80 })),
        ];
        for (const { status, minor, raised: by } of [first, later])
          assert.deepEqual([status, minor, by], ["unchanged", true, raised]);
        const higher = await context.screenshot(await run({ clock: 80 }, { threshold: 0.5 }));
        assert.equal(higher.raised, null);
        const again = await context.ask("runs.acceptRegion", { ...place(), threshold: 0.5, runId: id });
        assert.deepEqual((await context.screenshot(id)).raised, { rule: again.id, from: 0, to: 0.5 });
        await context.ask("runs.removeRegion", { id: again.id, runId: id });
        const { status, raised: left } = await context.screenshot(id);
        assert.deepEqual([status, left], ["changed", null], "nothing is left of either rule");
      });

      it("ends when it expires or is ended, and can be added again then", async () => {
        await createProject();
        const soon = new Date(Date.now() + 3_600_000).toISOString();
        const { id, expiresAt } = await add({ expiresAt: soon });
        assert.equal(expiresAt, soon);
        const past = new Date(Date.now() - 1_000).toISOString();
        const ended = await context.ask("runs.changeRule", { id, body: { expiresAt: past } });
        assert.equal(ended.isActive, false);
        assert.equal((await context.screenshot(await run({ clock: 40 }))).status, "changed");
        assert.deepEqual(await regions(), []);
        const listed = await context.ask("runs.ignoreRegions", {
          query: { project, limit: 20, state: "ended" },
        });
        assert.deepEqual(
          listed.data.map(each => each.id),
          [id],
        );
        await assert.rejects(add({ expiresAt: past }), { type: "invalid_request" });
        const again = await add();
        assert.ok(again.isActive && again.expiresAt === null);
        const types = context.noted.map(({ type }) => type).filter(type => type.startsWith("region."));
        assert.deepEqual(types, ["region.accepted", "region.changed", "region.accepted"]);
      });

      it("counts toward the limits when it begins again, or gets a wider scope", async () => {
        await createProject();
        const change = (id: string, body: object) => context.ask("runs.changeRule", { id, body });
        const atOnce = (appliesTo: "page" | "project", y: number) =>
          Promise.all(Array.from({ length: 50 }, (_, x) => add({ x, y, width: 1, height: 1, appliesTo })));
        const [first] = await atOnce("page", 0);
        const id = first?.id ?? "";
        await change(id, { expiresAt: new Date(Date.now() - 1_000).toISOString() });
        const last = await add({ x: 60, y: 0, width: 1, height: 1 });
        const tooMany = { type: "conflict", message: /limit of 50 ignore regions per page/ };
        await assert.rejects(change(id, { expiresAt: null }), tooMany);
        await atOnce("project", 1);
        await assert.rejects(change(last.id, { appliesTo: "project" }), tooMany);
        assert.equal((await change(last.id, { reason: "Clock" })).appliesTo, "page");
      });

      it("is exported as a configuration that does the same", async () => {
        await createProject();
        await add({ reason: "Clock" });
        await add({ ...PRICE, appliesTo: "project" });
        await context.ask("runs.acceptRegion", { ...place(), threshold: 0.2, appliesTo: "widths" });
        await context.ask("runs.acceptRegion", { ...place(), threshold: 0.3 });
        const { text, rules, left } = await context.ask("runs.ruleConfiguration", { project });
        assert.equal(rules, 3);
        assert.equal(left.length, 1);
        const read = readInThisProcess(`import { defineConfig } from "vrs";\n${text}`, "service.config.ts");
        assert.deepEqual(read.failures, []);
        assert.deepEqual(read.config?.ignoreRegions, [PRICE]);
        const onHome = [PRICE, { ...CLOCK, viewport: PAGE.width }];
        assert.deepEqual(read.config?.perRoute, { "/": { threshold: 0.2, ignoreRegions: onHome } });
      });
    });

    describe("a repeated run", () => {
      const rerun = (id: string, only?: "failed") => context.ask("runs.rerun", { id, ...(only && { only }) });
      const looks = { "/": { clock: 40 }, "/about": { clock: 40 } };

      it("is one run for one idempotency key", async () => {
        const id = await context.run(project, looks);
        const again = () => context.ask("runs.rerun", { id, idempotencyKey: `again ${id}` });
        const [first, second] = [await again(), await again()];
        assert.deepEqual([second.id, first.deduplicated, second.deduplicated], [first.id, undefined, true]);
        assert.notEqual(first.id, id);
        await context.ended(first.id);
        assert.notEqual((await rerun(id)).id, first.id, "another request starts another run");
      });

      it("captures all pages with the options, commit and threshold of the first one", async () => {
        const scm = { owner: "acme", repo: "shop", sha: newSha(), pr: 7, checkRunId: 5 };
        const options = { headers: { authorization: "secret" }, perRoute: { "/": { masks: [".ad"] } } };
        const id = await context.run(project, looks, { scm, threshold: 0.3, options, partial: false });
        context.captures.length = 0;
        const again = await rerun(id);
        await context.ended(again.id);
        assert.notEqual(again.id, id);
        const [first, second] = [
          await context.ask("runs.get", { id }),
          await context.ask("runs.get", { id: again.id }),
        ];
        const { checkRunId: _check, ...commit } = first.scm ?? {};
        assert.deepEqual(second.scm, commit, "the check stays with the first run");
        assert.deepEqual(
          [second.project, second.url, second.threshold, second.branch, second.counts],
          [first.project, first.url, 0.3, first.branch, first.counts],
        );
        const sent = context.captures.map(job => [new URL(job.url).pathname, job.options.masks ?? []]);
        assert.deepEqual(
          new Map(sent.map(([route, masks]) => [route, masks])),
          new Map([
            ["/", [".ad"]],
            ["/about", []],
          ]),
        );
        assert.ok(context.captures.every(job => job.options.headers?.authorization === "secret"));
        const noted = context.noted.find(({ type }) => type === "run.rerun");
        assert.deepEqual([noted?.target, noted?.details.as], [id, again.id]);
        await context.ended((await rerun(again.id)).id);
      });

      it("captures only what failed, and reports nothing as removed", async () => {
        const whole = await context.run(project, looks, { partial: false });
        await approve(whole);
        const id = await context.run(
          project,
          { "/": { clock: 40 } },
          { routes: ["/", "/about"], partial: false },
        );
        assert.equal((await context.ask("runs.get", { id })).counts.failed, 1);
        context.looks = looks;
        const again = await rerun(id, "failed");
        await context.ended(again.id);
        const { data } = await context.ask("runs.screenshots", { runId: again.id, query: { limit: 10 } });
        assert.deepEqual(
          data.map(({ route, status }) => [route, status]),
          [["/about", "unchanged"]],
        );
        await assert.rejects(rerun(again.id, "failed"), { type: "conflict", message: /no such screenshot/ });
      });

      it("is refused where the pages can't be captured again", async () => {
        const local = await context.run(project, looks, { tunnel: "t".repeat(43) });
        await assert.rejects(rerun(local), { type: "conflict", message: /local application/ });
        const id = await context.run(project, looks);
        await em().execute(
          "update runs.provable_run set ended_at = now() - interval '8 days' where run_id = ?",
          [id],
        );
        await assert.rejects(rerun(id), { type: "conflict", message: /7 days/ });
        await assert.rejects(rerun("run_00000000000000000000000000"), { type: "not_found" });
      });

      it("repeats a run that was canceled or failed, whose options are stored encrypted", async () => {
        context.looks = {};
        const body = {
          url: "https://example.com",
          project,
          options: { headers: { authorization: "token-of-shop" } },
        };
        const { id } = await context.ask("runs.submit", {
          id: newId("run"),
          body: submitRunBody.parse(body),
        });
        await context.ask("runs.cancel", { id }).catch(() => {});
        const [kept]: { options: string }[] = await em().execute(
          "select options::text as options from runs.provable_run where run_id = ?",
          [id],
        );
        assert.ok(kept && !kept.options.includes("token-of-shop"));
        context.looks = { "/": { clock: 40 } };
        await context.ended((await rerun(id)).id);
      });
    });

    describe("a null rerun", () => {
      const enable = async (nullReruns = true) => {
        const { projectId } = await noise();
        return context.ask("runs.changeProject", { id: projectId, body: { nullReruns } }, "admin");
      };
      const plans = async () => (await noise()).nullReruns.history;
      /** Submits planned null reruns on two nodes at the same time, and waits for their ends. */
      const submitted = async () => {
        await Promise.all([submitNullReruns(context.node), submitNullReruns(context.node)]);
        for (const { runId, skipped } of await plans()) if (skipped === null) await context.ended(runId);
      };

      it("is off until an admin enables it, which the activity log shows", async () => {
        await createProject();
        await run({ clock: 0 });
        assert.deepEqual(await plans(), []);
        const changed = await enable();
        assert.equal(changed.nullReruns, true);
        await enable();
        const noted = context.noted.filter(({ type }) => type === "project.changed");
        assert.deepEqual(
          noted.map(({ target, details }) => [target, details]),
          [[project, { nullReruns: "on" }]],
        );
      });

      it("is not planned for a local application, which is gone by then", async () => {
        await createProject();
        await enable();
        await run({ clock: 40 }, { tunnel: "t".repeat(43) });
        assert.deepEqual(await plans(), []);
      });

      it("repeats a run of the default branch daily, with its options, against its screenshots", async () => {
        await createProject();
        await enable();
        await run({ clock: 40 }, { options: { masks: [".ad"] } });
        context.looks = { "/": { clock: 80 } };
        context.captures.length = 0;
        await submitted();
        await submitted();
        assert.equal(context.captures.length, 1, "once, however many nodes submit");
        assert.deepEqual(context.captures[0]?.options.masks, [".ad"]);
        const { nullReruns, pages } = await noise();
        assert.deepEqual(
          [nullReruns.enabled, nullReruns.compared, nullReruns.falseAlarms, nullReruns.rate],
          [true, 1, 1, 1],
        );
        const [rerun] = nullReruns.history;
        const { status, baseline, regions } = await context.screenshot(rerun?.runId ?? "");
        assert.deepEqual([status, baseline?.runId, regions], ["changed", rerun?.ofRunId, [CLOCK]]);
        assert.equal(pages[0]?.noisy, 1);
        await run({ clock: 0 });
        await submitted();
        assert.equal((await plans()).length, 1, "one a day");
        const stored = await nullRerunOptions(em());
        assert(
          stored.every(options => options === null),
          "the options may hold secrets",
        );
      });

      it("repeats no run of another branch, and only one of two that end at the same time", async () => {
        await createProject();
        await enable();
        await run({ clock: 0 }, { branch: "next" });
        assert.deepEqual(await plans(), []);
        await Promise.all([run({ clock: 0 }), run({ clock: 0 })]);
        assert.equal((await plans()).length, 1);
      });

      it("appears in no list, makes no baseline, publishes no completion, and counts toward the plan", async () => {
        await createProject();
        await enable();
        const id = await run({ clock: 40 });
        const used = async () => (await context.ask("billing.usage", {})).runs.used;
        const before = await used();
        context.looks = { "/": { clock: 80 } };
        await submitted();
        const [rerun] = await plans();
        assert(rerun);
        assert.equal((await context.ask("runs.get", { id: rerun.runId })).kind, "null-rerun");
        assert.equal(await used(), before + 1);
        const list = await context.ask("runs.list", { query: { limit: 20, project } });
        assert.equal(list.data[0]?.id, id);
        const query = { project, ...PAGE_OF_CLOCK, limit: 20 };
        const history = await context.ask("runs.screenshotHistory", { query });
        assert(history.data.every(({ runId }) => runId !== rerun.runId));
        assert(!context.completed.includes(rerun.runId));
        await assert.rejects(approve(rerun.runId), { type: "conflict", message: /null rerun/ });
        await assert.rejects(rejectAsNoise(rerun.runId), { type: "conflict" });
      });

      it("counts every changed pixel as a false alarm, whatever the original run's threshold", async () => {
        await createProject();
        await enable();
        const options = { perRoute: { "/": { threshold: 0.5 } } };
        const id = await run({ clock: 40 }, { threshold: 0.5, options });
        assert.deepEqual(await countsOf(id), [1, 1]);
        context.looks = { "/": { clock: 80 } };
        await submitted();
        const { nullReruns } = await noise();
        assert.deepEqual([nullReruns.compared, nullReruns.falseAlarms], [1, 1]);
        const rerunId = nullReruns.history[0]?.runId ?? "";
        assert.deepEqual(await countsOf(rerunId), [0, 0]);
        const { status, minor } = await context.screenshot(rerunId);
        assert.deepEqual([status, minor], ["changed", false]);
        await assert.rejects(
          context.ask("runs.approve", { runId: rerunId, includeMinor: true }),
          /null rerun/,
        );
      });

      it("has its findings at the top of the HTML report", async () => {
        await createProject();
        await enable();
        const headline = async (runId: string) => {
          const report = { ...(await context.ask("runs.report", { id: runId })), downloadUrl: null };
          return /<h1>.*<\/span>(.*)<\/h1>/.exec(renderReport(report))?.[1];
        };
        for (const [clock, found] of [
          [40, "Null rerun: no false alarms"],
          [80, "Null rerun: 1 false alarm"],
        ] as const) {
          const id = await run({ clock: 40 });
          assert.equal(await headline(id), "1 changed screenshot to review");
          context.looks = { "/": { clock } };
          await submitted();
          const [rerun] = (await noise()).nullReruns.history;
          assert.equal(await headline(rerun?.runId ?? ""), found);
          await allowNullReruns(em());
        }
      });

      it("counts no false alarm inside an ignore region", async () => {
        await createProject();
        await accept();
        await enable();
        await run({ clock: 40 });
        context.looks = { "/": { clock: 80 } };
        await submitted();
        assert.equal((await noise()).nullReruns.rate, 0);
      });

      it("is skipped if it waited too long or its run was deleted", async () => {
        await createProject();
        await enable();
        await run({ clock: 0 });
        await ageNullReruns(em(), 61);
        await submitted();
        assert.equal((await plans())[0]?.skipped, "expired");
        await allowNullReruns(em());
        const id = await run({ clock: 0 });
        await deleteRun(em(), id);
        await submitted();
        assert.equal((await plans())[0]?.skipped, "deleted");
      });

      it("is refused for monitors' projects and for other teams' projects", async () => {
        project = "monitor/mon_1";
        await run({ clock: 0 });
        await assert.rejects(enable(), { type: "conflict" });
        const strange = { id: "proj_0", body: { nullReruns: true } };
        await assert.rejects(context.ask("runs.changeProject", strange), { type: "not_found" });
      });
    });

    describe("stored noise", () => {
      it("is deleted after 90 days, except accepted regions", async () => {
        await createProject();
        await run({ clock: 40, stable: false });
        await accept();
        await context.ask("runs.dismissRegion", { ...place(), ...PRICE });
        const { projectId } = await noise();
        const old = addDays(new Date().toISOString(), -91);
        await deleteOldNoise(em(), DEFAULT_TEAM_ID, 1_000);
        assert.equal(await score(), 1 / 10, "what is younger stays");
        await moveNoise(em(), projectId, old);
        assert.equal(await deleteOldNoise(em(), DEFAULT_TEAM_ID, 1_000), 3);
        assert.equal((await regions()).length, 1);
        assert.deepEqual((await noise()).pages, []);
      });

      it("is deleted with its team", async () => {
        await createProject();
        await run({ clock: 40, stable: false });
        await accept();
        assert((await countNoiseRows(em())).slice(0, 3).every(n => n > 0));
        await deleteTeamData(context.node, DEFAULT_TEAM_ID);
        assert.deepEqual(await countNoiseRows(em()), [0, 0, 0, 0]);
      });
    });
  });

  describe(`A null rerun beyond the plan's limit on ${kind.name}`, () => {
    kind.needed();

    it("is skipped with the reason", async () => {
      const database = await kind.make();
      const context = await NoiseTestContext.start({ ...database.env, SERVICE_PLAN: "free" });
      try {
        const looks = Object.fromEntries(Array.from({ length: 26 }, (_, n) => [`/${n}`, { clock: 0 }]));
        const viewports = Array.from({ length: 10 }, (_, n) => PAGE.width + n);
        await context.run("shop", { "/": { clock: 0 } });
        const { projectId: id } = await context.ask("runs.noise", { query: { project: "shop" } });
        await context.ask("runs.changeProject", { id, body: { nullReruns: true } }, "admin");
        await context.run("shop", looks, { viewports });
        await submitNullReruns(context.node);
        const { nullReruns } = await context.ask("runs.noise", { query: { project: "shop" } });
        assert.equal(nullReruns.history[0]?.skipped, "plan_limit_exceeded");
        assert.equal(nullReruns.rate, null);
      } finally {
        await context.stop();
        await database.remove();
      }
    });
  });
}
