import assert from "node:assert/strict";
import { BaselineEntity } from "../../../services/runs/baselines/baseline.entity.ts";
import { classifyCapture } from "../../../services/runs/capture/classify-capture.rule.ts";
import { moveRun, pinRenderings } from "../../../services/runs/capture/rendering.store.ts";
import { recordCaptures } from "../../../services/runs/capture/result.store.ts";
import { migrations } from "../../../services/runs/migrations/index.ts";
import { ProjectEntity } from "../../../services/runs/project.entity.ts";
import { RunEntity, type RunWithOptions } from "../../../services/runs/run.entity.ts";
import { findRun, insertRun } from "../../../services/runs/run.store.ts";
import {
  blankScreenshot,
  type Screenshot,
  ScreenshotEntity,
} from "../../../services/runs/screenshot.entity.ts";
import { findScreenshots } from "../../../services/runs/screenshot.store.ts";
import { newId } from "../../../shared/ids.ts";
import { DatabaseNode } from "../../support/databases/database-node.ts";
import { MAIN_DATABASES, type TestDatabase } from "../../support/databases/databases.ts";

const [USUAL, OTHER] = ["a".repeat(16), "b".repeat(16)] as const;
const NO_BASELINE = {
  baselineHash: null,
  baselineRunId: null,
  baselineReason: null,
  baselineWidth: null,
  baselineHeight: null,
  baselineBrowser: null,
  baselineRendering: null,
  baselineSelectorRegions: null,
};

for (const kind of MAIN_DATABASES) {
  describe(`The rendering of a run, stored by ${kind.name} stores it`, () => {
    kind.needed();
    let database: TestDatabase;
    let node: DatabaseNode;

    before(async () => {
      database = await kind.make();
      const entities = [ProjectEntity, RunEntity, ScreenshotEntity, BaselineEntity];
      node = await DatabaseNode.start(database.env, { schema: "runs", entities, migrations });
      await node.em().execute("insert into runs.project values ('proj_1', 'team_1', 'shop', 'main', now())");
    });
    after(async () => {
      await node?.stop();
      await database?.remove();
    });

    const add = async (
      facts: Partial<RunWithOptions>,
      screenshot: Partial<Screenshot> = {},
    ): Promise<{ runId: string; shotId: string }> => {
      const run: RunWithOptions = {
        id: newId("run"),
        kind: "run",
        source: "capture",
        teamId: "team_1",
        projectId: "proj_1",
        project: "shop",
        url: "https://example.com",
        branch: "topic",
        scope: "branch:topic",
        defaultScope: "branch:main",
        scm: null,
        threshold: 0,
        screenshotsPerJob: 1,
        options: {},
        submitted: null,
        status: "rendering",
        conclusion: null,
        error: null,
        warnings: [],
        causes: [],
        stories: null,
        intent: null,
        configuredBy: { repository: [], project: [] },
        dedupeKey: null,
        idempotencyKey: null,
        bodyDigest: "",
        isConfirmation: false,
        tally: null,
        linkGeneration: 0,
        createdBy: "key_1",
        createdAs: "key_1",
        origin: null,
        submitter: "ci",
        createdAt: new Date(),
        renderings: {},
        recapturedAt: null,
        tunnel: null,
        archive: null,
        startedAt: null,
        completedAt: null,
        ...facts,
      };
      const page = { route: "/", state: null, environment: null, viewport: 375, viewportHeight: 800 };
      const row = { ...blankScreenshot(run.id, 0), ...page, threshold: 0, ...NO_BASELINE };
      const shot: Screenshot = { ...row, ...screenshot };
      await insertRun(node.em(), run, [shot]);
      return { runId: run.id, shotId: shot.id };
    };
    const read = async (runId: string) => {
      const run = await findRun(node.em(), "team_1", runId);
      const [shot] = await findScreenshots(node.em(), runId);
      assert.ok(run && shot);
      return { run, shot };
    };

    it("stays as it was first fixed", async () => {
      const { runId } = await add({});
      const pin = (rendering: string) => pinRenderings(node.em(), [{ runId, region: null, rendering }]);
      const fixed = { "": USUAL };
      assert.deepEqual((await pin(USUAL)).get(runId), fixed);
      assert.deepEqual((await pin(OTHER)).get(runId), fixed, "answers what it is fixed to");
      assert.deepEqual((await read(runId)).run.renderings, fixed);
    });

    it("is fixed for each region, and a move of one region leaves the others", async () => {
      const now = new Date();
      const captured = { status: "unchanged", hash: "h", capturedAt: now } as const;
      const { runId } = await add(
        { renderings: { "eu-west": USUAL } },
        { region: "eu-west", environment: "@eu-west", ...captured },
      );
      const pins = [
        { runId, region: "eu-west", rendering: OTHER },
        { runId, region: "us-east", rendering: OTHER },
      ];
      const fixed = { "eu-west": USUAL, "us-east": OTHER };
      assert.deepEqual((await pinRenderings(node.em(), pins)).get(runId), fixed);
      const move = (region: string, rendering: string) =>
        node.em().transactional(tx => moveRun(tx, { runId, region, rendering }, "c".repeat(16)));
      assert.equal(await move("us-east", OTHER), 0, "no screenshot of the region");
      assert.deepEqual((await read(runId)).shot.status, "unchanged");
      assert.equal(await move("eu-west", USUAL), 1);
      const { run, shot } = await read(runId);
      assert.deepEqual(run.renderings, { "eu-west": "c".repeat(16), "us-east": "c".repeat(16) });
      assert.deepEqual([shot.status, shot.hash, shot.region], ["pending", null, "eu-west"]);
    });

    it("accepts no capture of another rendering, even from a batch read before it was fixed", async () => {
      const { runId, shotId } = await add({ renderings: { "": USUAL } });
      const { shot } = await read(runId);
      const recordFrom = (rendering: string) => {
        const facts = { width: 1, height: 1, stable: true, moving: [], attempts: 1, cutFromHeight: null };
        const about = { kind: "captured" as const, runId, screenshotId: shotId, hash: "h", rendering };
        const capture = { ...about, ...facts, browser: "chromium 1", timings: {} };
        return recordCaptures(node.em(), [classifyCapture(shot, capture, undefined)]);
      };
      assert.equal((await recordFrom(OTHER)).size, 0);
      assert.equal((await recordFrom(USUAL)).size, 1);
    });

    it("undoes carried approvals when the run moves to other renderers", async () => {
      const now = new Date();
      const carried = {
        carriedRunId: "run_0",
        carriedScreenshotId: "shot_0",
        carriedBy: ["Ada"],
        carriedAt: now,
      };
      const { runId, shotId } = await add(
        { renderings: { "": USUAL }, status: "comparing" },
        {
          ...{ status: "changed", review: "approved", fingerprint: "f", diffPixels: 9, diffRatio: 0.1 },
          ...{ hash: "h", width: 1, height: 1, rendering: USUAL, capturedAt: now, comparedAt: now },
          ...carried,
        },
      );
      const place = { projectId: "proj_1", scope: "branch:topic", route: "/", viewport: 375 };
      const pixels = {
        hash: "h",
        width: 1,
        height: 1,
        browser: "chromium 1",
        rendering: USUAL,
        fingerprint: "f",
      };
      const by = { sha: null, approvers: ["Ada"], approvedBy: "user_1", approvedAt: now };
      const origin = { originRunId: "run_0", originScreenshotId: "shot_0" };
      const baseline = { ...place, ...pixels, ...by, ...origin, runId };
      const approved = { ...baseline, id: newId("base"), screenshotId: "shot_0", runId: "run_0" };
      await node.em().insertMany(BaselineEntity, [
        { ...baseline, id: newId("base"), screenshotId: shotId },
        { ...approved, originRunId: null, originScreenshotId: null },
      ]);
      const move = (from: string) =>
        node.em().transactional(tx => moveRun(tx, { runId, region: null, rendering: from }, OTHER));
      assert.equal(await move(USUAL), 1);
      const baselines = await node.em().find(BaselineEntity, {});
      assert.deepEqual(
        baselines.map(({ screenshotId }) => screenshotId),
        ["shot_0"],
        "the approval itself stays",
      );
      const { run, shot } = await read(runId);
      assert.deepEqual([run.status, run.renderings], ["rendering", { "": OTHER }]);
      assert.ok(run.recapturedAt);
      const { status, review, hash, fingerprint, diffPixels, dispatchedAt, capturedAt, comparedAt } = shot;
      assert.equal(status, "pending");
      for (const fact of [review, hash, fingerprint, diffPixels, dispatchedAt, capturedAt, comparedAt])
        assert.equal(fact, null);
      const { carriedRunId, carriedScreenshotId, carriedBy, carriedAt } = shot;
      assert.deepEqual([carriedRunId, carriedScreenshotId, carriedBy, carriedAt], [null, null, null, null]);
      assert.equal(await move(USUAL), null, "it is rendered with another one already");
    });

    it("restores the baseline of the submission when the run moves to other renderers", async () => {
      const chosen = {
        baselineHash: "of main",
        baselineRunId: "run_main",
        baselineReason: "latest approval on main",
        baselineWidth: 1280,
        baselineHeight: 900,
        baselineBrowser: "chromium 1",
        baselineRendering: USUAL,
        baselineSelectorRegions: [{ selector: ".ad", matches: 1, regions: [] }],
      };
      const { runId, shotId } = await add({ renderings: { "": USUAL } }, chosen);
      const { shot } = await read(runId);
      const size = { width: 1, height: 1 };
      const drawn = { ...size, hash: "h", browser: "chromium 1", rendering: USUAL };
      const about = { kind: "captured" as const, runId, screenshotId: shotId, ...drawn };
      const capture = { ...about, stable: true, moving: [], attempts: 1, cutFromHeight: null, timings: {} };
      const approval = { ...drawn, selectorRegions: null, scope: "branch:topic", runId: "run_topic" };
      await recordCaptures(node.em(), [classifyCapture(shot, capture, approval)]);
      const carried = (await read(runId)).shot;
      assert.deepEqual(
        [carried.status, carried.baselineHash, carried.baselineRunId],
        ["unchanged", "h", "run_topic"],
      );
      await node.em().transactional(tx => moveRun(tx, { runId, region: null, rendering: USUAL }, OTHER));
      const moved = (await read(runId)).shot;
      assert.partialDeepStrictEqual(moved, { ...chosen, status: "pending", replacedBaseline: null });
    });
  });
}
