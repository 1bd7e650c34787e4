import assert from "node:assert/strict";
import { migrations } from "../../../services/runs/migrations/index.ts";
import { ProjectEntity } from "../../../services/runs/project.entity.ts";
import { isMinorChange } from "../../../services/runs/reviews/reviewable.rule.ts";
import { RunEntity } from "../../../services/runs/run.entity.ts";
import { findRuns, tallyRuns } from "../../../services/runs/run.store.ts";
import { ScreenshotEntity } from "../../../services/runs/screenshot.entity.ts";
import { contextOn } from "../../support/contexts/context-on.ts";
import { person, ReviewTestContext } from "../../support/contexts/review-context.ts";
import { DatabaseNode } from "../../support/databases/database-node.ts";
import { MAIN_DATABASES, type TestDatabase } from "../../support/databases/databases.ts";

const [ada, bob] = [person("ada"), person("bob")];
const MINOR_MIGRATION = migrations.findIndex(({ name }) => name.endsWith("-minor-changes"));

for (const kind of MAIN_DATABASES) {
  describe(`Minor changes on ${kind.name}`, () => {
    let context: ReviewTestContext;
    let projects = 0;
    /** Each test has its own project. */
    let project: string;

    contextOn(
      kind,
      env => ReviewTestContext.start(env),
      started => {
        context = started;
      },
    );
    beforeEach(async () => {
      projects += 1;
      project = `project ${projects}`;
      await context.set({});
    });

    const PAGES = { "/": "old/1", "/near": "old/1", "/far": "old/1" };
    /** The stand-in differ reports 3%: a minor change on `/near`, and above the threshold on other pages. */
    const run = (looks: Partial<typeof PAGES>, pr?: number) =>
      context.run({
        project,
        looks,
        ...(pr && { pr }),
        more: { options: { perRoute: { "/near": { threshold: 0.1 } } } },
      });
    const createProject = async () => {
      await context.ask("runs.approve", { runId: await run(PAGES) });
    };
    const approve = (runId: string, how: { screenshots?: string[]; includeMinor?: boolean } = {}, as = ada) =>
      context.ask("runs.approve", { runId, ...how }, as);
    const reject = (runId: string, screenshots?: string[], as = ada) =>
      context.ask("runs.reject", { runId, reason: "Wrong price", ...(screenshots && { screenshots }) }, as);
    const dismiss = (runId: string, as = ada) =>
      context.ask("runs.dismiss", { runId, reason: "A slip", own: true }, as);
    const counts = async (id: string) => (await context.ask("runs.get", { id })).counts;
    const shot = async (runId: string, route: string) => {
      const found = (await context.screenshots(runId)).find(each => each.route === route);
      return found ?? assert.fail(`There is no ${route}`);
    };

    it("keep the status and count as unchanged", async () => {
      await createProject();
      const id = await run({ ...PAGES, "/near": "red/1" });
      assert.equal(await context.conclusion(id), "passed");
      const expected = { unchanged: 3, minor: 1, changed: 0, new: 0, removed: 0, failed: 0 };
      assert.deepEqual(await counts(id), expected);
      const { data } = await context.ask("runs.list", { query: { limit: 1, project } });
      assert.deepEqual(data[0]?.counts, expected);
      const shots = await context.screenshots(id);
      assert.deepEqual(
        shots.map(({ route, status, minor }) => [route, status, minor]),
        [
          ["/", "unchanged", false],
          ["/near", "unchanged", true],
          ["/far", "unchanged", false],
        ],
      );
      const { data: byNeed, summary } = await context.ask("runs.screenshots", {
        runId: id,
        query: { limit: 1, order: "need" },
      });
      assert.equal(byNeed[0]?.route, "/near");
      assert.deepEqual(summary?.standings, { unchanged: 2, minor: 1 });
      assert.deepEqual(summary?.minor, { minor: 1 });
      const { data: history } = await context.ask("runs.screenshotHistory", {
        query: { limit: 10, project, route: "/near", state: null, environment: null, viewport: 1280 },
      });
      assert.deepEqual(
        history.map(({ minor }) => minor),
        [true, false],
      );
    });

    it("are approved if selected or included, and keep a passed run passed", async () => {
      await createProject();
      for (const [look, isListed] of [
        ["red/1", true],
        ["blue/1", false],
      ] as const) {
        const id = await run({ ...PAGES, "/near": look });
        assert.deepEqual(await approve(id), {
          ...{ runId: id, approved: 0, pending: 0, rejected: 0, conclusion: "passed" },
        });
        const near = await shot(id, "/near");
        const done = await approve(id, isListed ? { screenshots: [near.id] } : { includeMinor: true });
        assert.deepEqual([done.approved, done.conclusion], [1, "passed"]);
        assert.equal((await shot(id, "/near")).review?.state, "approved");
        assert.equal((await counts(id)).minor, 1, "it is counted as what it was");
        const next = await run({ ...PAGES, "/near": look });
        assert.deepEqual([(await counts(next)).minor, (await shot(next, "/near")).baseline?.runId], [0, id]);
      }
    });

    it("don't prevent the approval of a run, and stay unreviewed then", async () => {
      await createProject();
      const id = await run({ "/": "old/1", "/near": "red/1", "/far": "red/1" });
      assert.equal(await context.conclusion(id), "changed");
      assert.deepEqual(await approve(id), {
        ...{ runId: id, approved: 1, pending: 0, rejected: 0, conclusion: "approved" },
      });
      assert.equal((await shot(id, "/near")).review, null);
      const more = await approve(id, { includeMinor: true }, bob);
      assert.deepEqual([more.approved, more.conclusion], [2, "approved"]);
    });

    it("don't conclude a run that needs review or has failures", async () => {
      await createProject();
      const open = await run({ "/": "old/1", "/near": "red/1", "/far": "red/1" });
      const near = await shot(open, "/near");
      assert.equal((await approve(open, { screenshots: [near.id] })).conclusion, "changed");
      const failed = await context.run({
        ...{ project, looks: { "/near": "blue/1", "/far": null } },
        more: { options: { perRoute: { "/near": { threshold: 0.1 } } } },
      });
      assert.equal((await approve(failed, { includeMinor: true })).conclusion, "changed");
    });

    it("reject the run once one is rejected, until the rejection is dismissed", async () => {
      await createProject();
      const id = await run({ ...PAGES, "/near": "red/1" });
      await assert.rejects(reject(id), {
        type: "conflict",
        message: /To reject minor changes, list their ids/,
      });
      const { id: near } = await shot(id, "/near");
      await approve(id, { screenshots: [near] });
      const { rejected, conclusion } = await reject(id, [near], bob);
      assert.deepEqual([rejected, conclusion], [1, "rejected"]);
      const next = await run({ ...PAGES, "/near": "red/1" });
      assert.equal((await shot(next, "/near")).minor, true, "its baseline is the one before again");
      assert.equal((await dismiss(id, bob)).conclusion, "passed");
      const after = await run({ ...PAGES, "/near": "red/1" });
      assert.equal((await shot(after, "/near")).minor, false, "what ada approved holds again");
      assert.equal((await dismiss(id)).conclusion, "passed");
    });

    it("wait for the required approvals, while the run doesn't", async () => {
      await createProject();
      await context.set({ requiredApprovals: 2 });
      const id = await run({ "/": "old/1", "/near": "red/1", "/far": "red/1" });
      const { id: near } = await shot(id, "/near");
      assert.equal((await approve(id, { screenshots: [near] })).pending, 1);
      await approve(id);
      assert.equal((await approve(id, {}, bob)).conclusion, "approved");
      assert.equal((await shot(id, "/near")).review?.state, "pending");
      await approve(id, { screenshots: [near] }, bob);
      assert.equal((await shot(id, "/near")).review?.state, "approved");
    });

    it("carry approvals within their pull request and at its merge", async () => {
      await createProject();
      const first = await run({ ...PAGES, "/near": "red/1" }, 7);
      await approve(first, { includeMinor: true });
      const second = await run({ ...PAGES, "/near": "red/2" }, 7);
      const carried = await shot(second, "/near");
      assert.deepEqual(
        [carried.status, carried.minor, carried.review?.state, carried.carried?.runId],
        ["unchanged", true, "approved", first],
      );
      assert.equal(await context.conclusion(second), "passed");
      const same = await shot(await run({ ...PAGES, "/near": "red/2" }, 7), "/near");
      assert.deepEqual([same.minor, same.baseline?.runId], [false, second], "its pixels are approved");
      const done = await context.ask("runs.carryApprovals", {
        ...{ teamId: ada.teamId, project, merged: { pr: 7, sha: "c".repeat(40), branch: null, runIds: [] } },
        into: { branch: "main", defaultBranch: "main", sha: null },
      });
      assert.deepEqual(done, { carried: 1 });
      const merged = await run({ ...PAGES, "/near": "red/2" });
      assert.deepEqual((await counts(merged)).minor, 0);
    });

    it("carry no dismissed approval, and override no rejection", async () => {
      await createProject();
      const first = await run({ ...PAGES, "/near": "red/1" }, 7);
      await approve(first, { includeMinor: true });
      const second = await run({ ...PAGES, "/near": "red/2" }, 7);
      const { id: near } = await shot(first, "/near");
      await reject(first, [near]);
      assert.deepEqual(
        [await context.conclusion(first), await context.conclusion(second)],
        ["rejected", "passed"],
      );
      const fallen = await shot(second, "/near");
      assert.deepEqual([fallen.review, fallen.carried], [null, null]);
      await approve(second, { includeMinor: true }, bob);
      const third = await shot(await run({ ...PAGES, "/near": "red/3" }, 7), "/near");
      assert.deepEqual([third.review, third.carried], [null, null], "ada rejects that change");
    });
  });

  describe(`Stored counts of minor changes on ${kind.name}`, () => {
    kind.needed();
    let database: TestDatabase;
    let node: DatabaseNode;
    const sql = (text: string) => node.em().execute(text);

    const start = async (which: typeof migrations) => {
      await node?.stop();
      const entities = [ProjectEntity, RunEntity, ScreenshotEntity];
      node = await DatabaseNode.start(database.env, { schema: "runs", entities, migrations: which });
    };

    before(async () => {
      database = await kind.make({ empty: true });
      await start(migrations.slice(0, MINOR_MIGRATION));
    });
    after(async () => {
      await node?.stop();
      await database?.remove();
    });

    it("equal the rule's, even for runs from before they were counted", async () => {
      const shots = [
        ["unchanged", 0],
        ["unchanged", 1],
        ["unchanged", 90_000],
        ["changed", 90_000],
        ["unchanged", null],
        ["new", null],
        ["removed", null],
        ["failed", null],
      ] as const;
      const expected = shots.filter(([status, diffPixels]) =>
        isMinorChange({ status, diffPixels, faintPixels: 0 }),
      ).length;
      assert.equal(expected, 2);
      await sql("insert into runs.project values ('proj_1', 'team_1', 'shop', 'main', now())");
      for (const [id, tally] of [
        ["run_open", "null"],
        ["run_ended", `'{"unchanged": 4, "changed": 1}'`],
      ]) {
        await sql(
          `insert into runs.run (id, team_id, project_id, project, url, scope, default_scope, threshold, options, status,
             body_digest, created_by, created_at, tally)
           values ('${id}', 'team_1', 'proj_1', 'shop', '', 'branch:main', 'branch:main', 0, '{}', 'completed', '',
             'key_1', now(), ${tally}::jsonb)`,
        );
        for (const [index, [status, diffPixels]] of shots.entries())
          await sql(
            `insert into runs.screenshot (id, run_id, position, route, viewport, threshold, color_threshold, status, moving,
               attempts, regions, dispatches, diff_pixels)
             values ('${id}_${index}', '${id}', ${index}, '/${index}', 1280, 0, 0.1, '${status}', '[]', 1, '[]', 0,
               ${diffPixels})`,
          );
      }
      await start(migrations);
      const tallies = await tallyRuns(node.em(), await findRuns(node.em(), ["run_open", "run_ended"]));
      assert.equal(tallies.get("run_open")?.minor, expected);
      const { unchanged, minor, changed } = tallies.get("run_ended") ?? {};
      assert.deepEqual({ unchanged, minor, changed }, { unchanged: 4, minor: expected, changed: 1 });
    });

    it("are zero if an older node counted the run", async () => {
      await sql("update runs.run set tally = tally - 'minor' where id = 'run_ended'");
      const tallies = await tallyRuns(node.em(), await findRuns(node.em(), ["run_ended"]));
      assert.equal(tallies.get("run_ended")?.minor, 0);
    });
  });
}
