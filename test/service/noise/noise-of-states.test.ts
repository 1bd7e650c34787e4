import assert from "node:assert/strict";
import { submitNullReruns } from "../../../services/runs/noise/submit-null-reruns.ts";
import type { RunOptions } from "../../../shared/contracts/capture/capture-options.ts";
import { pageName, type ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import { rejectBody } from "../../../shared/contracts/reviews/reviews.ts";
import type { CaptureJob } from "../../../shared/contracts/runs/jobs.ts";
import { contextOn } from "../../support/contexts/context-on.ts";
import { CLOCK, type Look, NoiseTestContext, PAGE } from "../../support/contexts/noise-context.ts";
import { MAIN_DATABASES } from "../../support/databases/databases.ts";
import { OPEN_AND_DARK } from "../../support/fixtures/sites/job-pages.ts";
import { deleteNullReruns } from "../../support/rows/run-rows.ts";

const ALL = ["/", "/ (dark)", "/ › open", "/ › open (dark)"];
const DARK = { route: "/", state: "open", environment: "dark", viewport: PAGE.width };
const SECRET = { name: "EDITOR_PASSWORD", value: "correct horse battery staple" };
const LOGIN: RunOptions = {
  session: "editor",
  sessions: {
    editor: { steps: [{ action: "fill", selector: "#password", value: `\${secret.EDITOR_PASSWORD}` }] },
  },
};

for (const kind of MAIN_DATABASES) {
  describe(`Noise of states and environments on ${kind.name}`, () => {
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
      await deleteNullReruns(context.node.em());
      projects += 1;
      project = `project ${projects}`;
    });

    /** Captures `/` in all states and environments. */
    const run = (looks: Record<string, Look>, options: RunOptions = {}, more = {}) =>
      context.run(project, looks, { routes: ["/"], options: { ...OPEN_AND_DARK, ...options }, ...more });
    const noise = () => context.ask("runs.noise", { query: { project } });
    const names = (pages: readonly ScreenshotKey[]) => pages.map(pageName).toSorted();
    const screenshots = async (runId: string) => {
      const { data } = await context.ask("runs.screenshots", { runId, query: { limit: 10 } });
      return new Map(data.map(page => [pageName(page), page]));
    };
    const createProject = async (options: RunOptions = {}) => {
      const runId = await run({ "/": { clock: 0 } }, options);
      await context.ask("runs.approve", { runId });
    };
    /** Submits a null rerun of a run with these looks. @returns its id */
    const rerun = async (looks: Record<string, Look>) => {
      context.looks = looks;
      context.captures.length = 0;
      await submitNullReruns(context.node);
      const [planned] = (await noise()).nullReruns.history;
      assert.ok(planned);
      await context.ended(planned.runId);
      return planned.runId;
    };
    const enableNullReruns = async () => {
      const { projectId: id } = await noise();
      await context.ask("runs.changeProject", { id, body: { nullReruns: true } }, "admin");
    };
    const shapeOf = ({ url, options, environment, session, secrets, screenshots: all }: CaptureJob) => ({
      ...{ url, options, environment, session, secrets },
      screenshots: all.map(({ viewport, height, state }) => ({ viewport, height, state })),
    });
    const jobs = () =>
      context.captures
        .map(shapeOf)
        .toSorted((one, other) => (one.environment ? 1 : 0) - (other.environment ? 1 : 0));

    describe("a null rerun", () => {
      it("captures the same states and environments with the same session, each against itself", async () => {
        await context.ask("runs.putSecret", { project, ...SECRET }, "admin");
        await createProject(LOGIN);
        await enableNullReruns();
        context.captures.length = 0;
        const looks = { "/": { clock: 40 }, "/ (dark)": { clock: 80 } };
        const viewports = [{ width: PAGE.width, height: 500 }];
        const original = await run(looks, LOGIN, { viewports });
        const captured = jobs();
        assert.deepEqual(captured[1]?.secrets, { EDITOR_PASSWORD: SECRET.value });
        const rerunId = await rerun({ ...looks, "/ › open (dark)": { clock: 120 } });
        assert.deepEqual(jobs(), captured);
        const found = await screenshots(rerunId);
        assert.deepEqual([...found.keys()].toSorted(), ALL);
        for (const [name, { status, baseline }] of found) {
          assert.equal(status, name === "/ › open (dark)" ? "changed" : "unchanged", name);
          assert.equal(baseline?.runId, original);
        }
        const { nullReruns, pages } = await noise();
        assert.deepEqual([nullReruns.compared, nullReruns.falseAlarms], [4, 1]);
        assert.deepEqual(names(pages), ["/ › open (dark)"]);
      });

      it("fails pages whose secret was deleted, which is no false alarm", async () => {
        await context.ask("runs.putSecret", { project, ...SECRET }, "admin");
        await createProject(LOGIN);
        await enableNullReruns();
        await run({ "/": { clock: 0 } }, LOGIN);
        await context.ask("runs.deleteSecret", { project, name: SECRET.name }, "admin");
        const found = await screenshots(await rerun({ "/": { clock: 40 } }));
        assert.deepEqual([...found.keys()].toSorted(), ALL);
        for (const { status, error } of found.values()) {
          assert.equal(status, "failed");
          assert.match(error ?? "", /EDITOR_PASSWORD/);
        }
        assert.deepEqual(jobs(), []);
        const { nullReruns, pages } = await noise();
        assert.deepEqual([nullReruns.falseAlarms, nullReruns.rate, pages], [0, null, []]);
      });
    });

    it("counts toward the flake score of its own state and environment", async () => {
      await createProject();
      const runId = await run({ "/": { clock: 0 }, "/ › open (dark)": { clock: 40, stable: false } });
      const { pages } = await noise();
      assert.deepEqual(names(pages), ["/ › open (dark)"]);
      assert.deepEqual([pages[0]?.captures, pages[0]?.noisy], [2, 1]);
      for (const [name, { flakeScore }] of await screenshots(runId))
        assert.equal(flakeScore, name === "/ › open (dark)" ? 1 / 10 : 0, name);
    });

    it("is suggested, accepted and dismissed for its own state and environment", async () => {
      await createProject();
      for (const clock of [40, 80, 120]) {
        const runId = await run({ "/": { clock: 0 }, "/ (dark)": { clock }, "/ › open (dark)": { clock } });
        const id = (await screenshots(runId)).get("/ › open (dark)")?.id ?? "";
        await context.ask("runs.reject", { runId, ...rejectBody.parse({ screenshots: [id], noise: true }) });
      }
      const suggested = async () => names((await noise()).suggestions);
      assert.deepEqual(await suggested(), ["/ › open (dark)"]);
      await context.ask("runs.dismissRegion", { project, ...DARK, environment: null, ...CLOCK });
      assert.deepEqual(await suggested(), ["/ › open (dark)"], "another one was dismissed");
      await context.ask("runs.acceptRegion", { project, ...DARK, ...CLOCK });
      assert.deepEqual(await suggested(), []);
      for (const [name, { status, ignored }] of await screenshots(await run({ "/": { clock: 160 } }))) {
        const isIgnored = name === "/ › open (dark)";
        assert.equal(status, isIgnored ? "unchanged" : "changed", name);
        assert.equal(ignored.regions.length, isIgnored ? 1 : 0, name);
      }
    });

    it("is measured in pixels of the image, which is wider than the viewport in a scaled environment", async () => {
      // More than half of the image at the viewport's width, and less than half at the image's own.
      const region = { x: 0, y: 0, width: 300, height: 150 };
      const look = { clock: 0, movingRegions: [region] };
      const environments = { sharp: { deviceScaleFactor: 1.5 } };
      const more = { viewports: [260] };
      for (let count = 0; count < 3; count += 1)
        await context.run(
          project,
          { "/": look },
          { options: { environments, defaultEnvironment: false }, ...more },
        );
      const [suggestion] = (await noise()).suggestions;
      assert.ok(suggestion);
      const { x, y, width, height, environment } = suggestion;
      assert.deepEqual({ x, y, width, height, environment }, { ...region, environment: "sharp" });
    });
  });
}
