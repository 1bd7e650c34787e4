import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, it } from "mocha";
import { FileImageStore } from "../../../mixins/images/file-image-store.ts";
import { BaselineEntity } from "../../../services/runs/baselines/baseline.entity.ts";
import { findLatestBaselines } from "../../../services/runs/baselines/baseline.store.ts";
import { EndedRuns } from "../../../services/runs/capture/ended-runs.ts";
import { migrations } from "../../../services/runs/migrations/index.ts";
import { ProjectEntity } from "../../../services/runs/project.entity.ts";
import { cleanImages } from "../../../services/runs/retention/clean-images.ts";
import { deleteTeamData } from "../../../services/runs/retention/delete-team-data.ts";
import { type Pruned, pruneRuns } from "../../../services/runs/retention/prune-runs.ts";
import { RunEntity } from "../../../services/runs/run.entity.ts";
import { ScreenshotEntity } from "../../../services/runs/screenshot.entity.ts";
import { action } from "../../../shared/contracts/bus.ts";
import { DatabaseNode } from "../../support/databases/database-node.ts";
import { DATABASES, type DatabaseKind, type TestDatabase } from "../../support/databases/databases.ts";
import {
  agePeriodicTasks,
  clearRunTables,
  deleteApproval,
  insertApproval,
  insertLook,
  insertProject,
  insertReviewRow,
  insertRunRow,
  insertScreenshotRow,
  insertSecretRow,
  lookIds,
  restoreApproval,
  reviewedRuns,
  teamsOfSecrets,
} from "../../support/rows/run-rows.ts";

const NOTHING: Pruned = { runs: 0, baselines: 0, teams: 0 };
/** Retention of each team's runs, in days. */
const DAYS = new Map([
  ["team_free", 7],
  ["team_business", 90],
]);
const HOUR_MS = 3_600_000;

interface AddedRun {
  id: string;
  /** Id of its only screenshot. */
  screenshotId: string;
  hash: string;
}

const retentionOn = (database: DatabaseKind) => () => {
  database.needed();
  let testDatabase: TestDatabase;
  let node: DatabaseNode;
  let images: FileImageStore;
  let folder: string;
  let deletedRuns: string[];
  /** Returns which of these teams exist. */
  let existing: (ids: string[]) => string[];

  before(async () => {
    testDatabase = await database.make();
    const entities = [ProjectEntity, RunEntity, ScreenshotEntity, BaselineEntity];
    node = await DatabaseNode.start(testDatabase.env, { schema: "runs", entities, migrations });
    const answer = action("teams.existing", async ({ ids }) => existing(ids));
    node.broker.createService({ name: "teams", actions: { existing: answer } });
    await node.broker.waitForServices("teams");
    folder = await mkdtemp(join(tmpdir(), "vrs-retention-"));
    images = await FileImageStore.open(folder);
    for (const teamId of DAYS.keys()) await insertProject(node.em(), { id: teamId, teamId });
  });
  beforeEach(async () => {
    deletedRuns = [];
    existing = ids => ids;
    await clearRunTables(node.em());
  });
  after(async () => {
    await node?.stop();
    await testDatabase?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  /** Adds a run with one screenshot that ended this many days ago. Null adds an unfinished run. */
  const addRun = async (endedDays: number | null, teamId = "team_free", baseline = ""): Promise<AddedRun> => {
    const id = `run_${randomBytes(8).toString("hex")}`;
    const hash = await images.put(randomBytes(100));
    await insertRunRow(node.em(), { id, teamId, projectId: teamId, endedDays });
    const screenshotId = `shot_${id}`;
    const baselineHash = baseline === "" ? null : baseline;
    await insertScreenshotRow(node.em(), { id: screenshotId, runId: id, hash, baselineHash });
    return { id, screenshotId, hash };
  };
  /** Approves a run's screenshot this many days ago. */
  const approve = ({ id, ...run }: AddedRun, days: number, scope = "branch:main", route = "/") =>
    insertApproval(node.em(), { ...run, id: `base_${id}`, runId: id, days, scope, route });
  const pruner = {
    em: () => node.em(),
    get bus() {
      return node.broker;
    },
    retentionDays: async () => 7,
    onRunDeleted: (id: string) => void deletedRuns.push(id),
    deleteTeam: (id: string): Promise<void> => assert.fail(id),
    warn: (error: unknown) => assert.fail(String(error)),
  };
  const prune = async (signal = new AbortController().signal) => {
    await agePeriodicTasks(node.em(), 120);
    const retentionDays = async (teamId: string) => DAYS.get(teamId) ?? assert.fail(teamId);
    return pruneRuns({ ...pruner, retentionDays }, signal);
  };
  const kept = async () => (await node.em().find(RunEntity, {})).map(run => run.id).sort();
  const baselines = async () => (await node.em().find(BaselineEntity, {})).map(row => row.runId).sort();
  const sorted = (...runs: AddedRun[]) => runs.map(run => run.id).sort();
  /** Cleans up images as if two days had passed. */
  const cleanUp = async () => {
    for (let day = 0; day < 3; day++) {
      await agePeriodicTasks(node.em(), 1500);
      for (const name of await readdir(folder, { recursive: true })) {
        if (!name.endsWith(".png")) continue;
        const { mtimeMs } = await stat(join(folder, name));
        const then = new Date(mtimeMs - 25 * HOUR_MS);
        await utimes(join(folder, name), then, then);
      }
      assert.notEqual(await cleanImages({ em: node.em, images }, new AbortController().signal), null);
    }
  };
  const has = async (hash: string) => {
    const image = await images.open(hash);
    image?.stream.destroy();
    return image !== null;
  };

  it("deletes runs after the project's days, never later than the plan's", async () => {
    const days = (retention: number | null) =>
      node.em().execute("update runs.project set retention_days = ? where id = 'team_free'", [retention]);
    try {
      const [old, young] = [await addRun(3.01), await addRun(2.99)];
      await days(3);
      await prune();
      assert.deepEqual(deletedRuns, [old.id]);
      const older = await addRun(7.01);
      await days(30);
      await prune();
      assert.deepEqual(deletedRuns, [old.id, older.id]);
      assert.deepEqual(await kept(), [young.id]);
    } finally {
      await days(null);
    }
  });

  it("deletes trials after a day", async () => {
    const old = await addRun(1.01);
    const young = await addRun(0.99);
    const run = await addRun(1.01);
    await node.em().nativeUpdate(RunEntity, { id: { $in: [old.id, young.id] } }, { kind: "trial" });
    assert.deepEqual(await prune(), { ...NOTHING, runs: 1 });
    assert.deepEqual(await kept(), sorted(young, run));
  });

  it("deletes runs beyond their plan's retention, with their screenshots", async () => {
    const old = await addRun(7.01);
    const young = await addRun(6.99);
    const others = await addRun(89, "team_business");
    const othersOld = await addRun(91, "team_business");
    assert.deepEqual(await prune(), { ...NOTHING, runs: 2 });
    assert.deepEqual(await kept(), sorted(young, others));
    assert.deepEqual(deletedRuns.sort(), sorted(old, othersOld));
    const left = await node.em().find(ScreenshotEntity, {});
    assert.deepEqual(left.map(row => row.runId).sort(), sorted(young, others));
  });

  it("keeps an unfinished run, however old", async () => {
    const waiting = await addRun(null);
    assert.deepEqual(await prune(), NOTHING);
    assert.deepEqual(await kept(), sorted(waiting));
  });

  it("keeps the images of baselines and newer runs, and frees the others", async () => {
    const [source, young] = [await addRun(100), await addRun(1)];
    await approve(source, 99);
    const shown = await addRun(50);
    const reader = await addRun(2, "team_free", shown.hash);
    const unreferenced = await addRun(30);
    assert.equal((await prune())?.runs, 3);
    await cleanUp();
    for (const hash of [source.hash, young.hash, shown.hash, reader.hash]) assert.ok(await has(hash));
    assert.ok(!(await has(unreferenced.hash)));
    const [latest] = await findLatestBaselines(node.em(), "team_free", ["branch:main"]);
    assert.deepEqual([latest?.hash, latest?.runId], [source.hash, source.id]);
  });

  it("deletes permanently superseded approvals, and always keeps each page's latest", async () => {
    const [first, second, third] = [await addRun(300), await addRun(200), await addRun(100)];
    for (const [run, days] of [
      [first, 299],
      [second, 199],
      [third, 99],
    ] as const)
      await approve(run, days);
    const elsewhere = [await addRun(300), await addRun(300)];
    await approve(elsewhere[0] ?? first, 299, "pr:7");
    await approve(elsewhere[1] ?? first, 299, "branch:main", "/other");
    assert.deepEqual(await prune(), { ...NOTHING, runs: 5, baselines: 2 });
    assert.deepEqual(await baselines(), sorted(third, ...elsewhere));
    await cleanUp();
    assert.deepEqual(await Promise.all([first, second, third].map(run => has(run.hash))), [
      false,
      false,
      true,
    ]);
  });

  it("deletes only approvals that were superseded in the same state and environment", async () => {
    const [plain, dark, open, darkLater] = [
      await addRun(300),
      await addRun(200),
      await addRun(100),
      await addRun(150),
    ];
    const approveIn = ({ id, ...run }: AddedRun, days: number, page: object) =>
      insertApproval(node.em(), { ...run, id: `base_${id}`, runId: id, days, ...page });
    await approveIn(plain, 299, {});
    await approveIn(dark, 199, { environment: "dark" });
    await approveIn(darkLater, 149, { environment: "dark" });
    await approveIn(open, 99, { state: "open" });
    assert.deepEqual(await prune(), { ...NOTHING, runs: 4, baselines: 1 });
    assert.deepEqual(await baselines(), sorted(plain, darkLater, open));
    await cleanUp();
    assert.deepEqual(await Promise.all([plain, dark, darkLater, open].map(run => has(run.hash))), [
      true,
      false,
      true,
      true,
    ]);
  });

  it("keeps a branch's history for 90 days, for older pull requests", async () => {
    const [first, second, third] = [await addRun(300), await addRun(100), await addRun(80)];
    await approve(first, 299);
    await approve(second, 91);
    await approve(third, 89);
    const [onPull, later] = [await addRun(300), await addRun(80)];
    await approve(onPull, 299, "pr:7");
    await approve(later, 79, "pr:7");
    assert.deepEqual(await prune(), { ...NOTHING, runs: 5, baselines: 2 });
    assert.deepEqual(await baselines(), sorted(second, third, later));
  });

  it("keeps a replaced approval after a restore, as if the restored one were new", async () => {
    const restored = (run: AddedRun, days: number) => restoreApproval(node.em(), run.id, days);
    const [first, second] = [await addRun(300), await addRun(200)];
    await approve(first, 299);
    await approve(second, 199);
    await restored(first, 89);
    const [onPull, later] = [await addRun(300), await addRun(200)];
    await approve(onPull, 299, "pr:7");
    await approve(later, 199, "pr:7");
    await restored(onPull, 6);
    assert.deepEqual(await prune(), { ...NOTHING, runs: 4 });
    await restored(first, 91);
    await restored(onPull, 8);
    assert.equal((await prune())?.baselines, 2);
    assert.deepEqual(await baselines(), sorted(first, onPull));
  });

  it("keeps the approval that becomes current when a newer one is undone", async () => {
    const [first, second, young] = [await addRun(300), await addRun(200), await addRun(3)];
    await approve(first, 299);
    await approve(second, 199);
    await approve(young, 2);
    assert.deepEqual(await prune(), { ...NOTHING, runs: 2, baselines: 1 });
    await deleteApproval(node.em(), young.id);
    await cleanUp();
    const [latest] = await findLatestBaselines(node.em(), "team_free", ["branch:main"]);
    assert.equal(latest?.runId, second.id);
    assert.ok(await has(second.hash));
  });

  it("keeps a recent approval that a deleted run superseded", async () => {
    const [first, second] = [await addRun(20), await addRun(10)];
    await approve(first, 3);
    await approve(second, 2);
    assert.deepEqual(await prune(), { ...NOTHING, runs: 2 });
    assert.deepEqual(await baselines(), sorted(first, second));
  });

  it("deletes hundreds of runs in batches, and stops between two batches when its node stops", async () => {
    for (let count = 0; count < 45; count++) await addRun(10);
    for (let count = 0; count < 5; count++) await addRun(100, "team_business");
    const stopping = new AbortController();
    await agePeriodicTasks(node.em(), 120);
    const retentionDays = async (teamId: string) => DAYS.get(teamId) ?? assert.fail(teamId);
    let deletions = 0;
    const stopped = () => {
      deletions += 1;
      if (deletions === 7) stopping.abort();
    };
    const part = await pruneRuns({ ...pruner, retentionDays, onRunDeleted: stopped }, stopping.signal);
    assert.ok(part && part.runs >= 7 && part.runs < 45, `${part?.runs} at once`);
    assert.equal((await prune())?.runs, 50 - part.runs);
    assert.deepEqual(await kept(), []);
  });

  it("runs on one of many nodes, and not again for an hour", async () => {
    await addRun(10);
    const { signal } = new AbortController();
    const results = await Promise.all(Array.from({ length: 5 }, () => pruneRuns(pruner, signal)));
    assert.deepEqual(
      results.filter(pruned => pruned !== null),
      [{ ...NOTHING, runs: 1 }],
    );
    await agePeriodicTasks(node.em(), 50);
    assert.equal(await pruneRuns(pruner, signal), null);
    await agePeriodicTasks(node.em(), 11);
    assert.deepEqual(await pruneRuns(pruner, signal), NOTHING);
  });

  it("deletes versions of a page after a year, except its current one", async () => {
    const looks = [
      ["a", "/old", 500],
      ["b", "/old", 400],
      ["c", "/recent", 400],
      ["d", "/recent", 300],
    ] as const;
    for (const [id, route, days] of looks)
      await insertLook(node.em(), { id, projectId: "team_free", route, days });
    await prune();
    assert.deepEqual(await lookIds(node.em(), "team_free"), ["b", "d"]);
  });

  it("keeps reviews as long as their run", async () => {
    const [old, young] = [await addRun(8), await addRun(6)];
    for (const run of [old, young]) {
      const review = { id: `rev_${run.id}`, runId: run.id, screenshotId: run.screenshotId };
      await insertReviewRow(node.em(), review);
    }
    await prune();
    assert.deepEqual(await reviewedRuns(node.em()), [young.id]);
  });

  it("deletes all data of a deleted team despite a lost event, and nothing if the teams service is unreachable", async () => {
    await insertProject(node.em(), { id: "team_gone", teamId: "team_gone" });
    const [left, other] = [await addRun(1, "team_gone"), await addRun(1)];
    const open = await addRun(null, "team_gone");
    await approve(left, 1);
    const dropped: string[] = [];
    const queue = { drop: async (id: string) => void dropped.push(id) };
    const deleteTeam = (teamId: string) =>
      deleteTeamData({ em: node.em, bus: node.broker, ended: new EndedRuns(), queue }, teamId);
    const { signal } = new AbortController();
    existing = () => assert.fail("The teams service is away.");
    await assert.rejects(pruneRuns({ ...pruner, deleteTeam }, signal), /away/);
    assert.equal((await kept()).length, 3);
    await agePeriodicTasks(node.em(), 120);
    existing = ids => ids.filter(id => id !== "team_gone");
    assert.equal((await pruneRuns({ ...pruner, deleteTeam }, signal))?.teams, 1);
    assert.deepEqual([await kept(), await baselines()], [[other.id], []]);
    // Jobs of comparisons are queued under the team.
    assert.deepEqual(dropped, [open.id, "team_gone"], "nothing of it is rendered or compared any more");
    assert.equal((await node.em().find(ProjectEntity, { teamId: "team_gone" })).length, 0);
    assert.deepEqual(await prune(), NOTHING);
  });

  it("deletes the secrets of deleted teams alone, also of teams that never submitted a run", async () => {
    for (const [teamId, project] of [
      ["team_gone", "shop"],
      ["team_gone", "monitors"],
      ["team_without_runs", "monitors"],
      ["team_free", "shop"],
    ] as const)
      await insertSecretRow(node.em(), teamId, project);
    const queue = { drop: async () => {} };
    const deleteTeam = (teamId: string) =>
      deleteTeamData({ em: node.em, bus: node.broker, ended: new EndedRuns(), queue }, teamId);
    await insertProject(node.em(), { id: "team_gone", teamId: "team_gone" });
    existing = ids => ids.filter(id => DAYS.has(id));
    assert.equal((await pruneRuns({ ...pruner, deleteTeam }, new AbortController().signal))?.teams, 2);
    assert.deepEqual(await teamsOfSecrets(node.em()), ["team_free"]);
  });

  it("deletes nothing without knowing the plan, and retries after an hour", async () => {
    const runs = [await addRun(400), await addRun(400, "team_business")];
    const retentionDays = async (): Promise<number> => {
      throw new Error("The billing service is away.");
    };
    const { signal } = new AbortController();
    await assert.rejects(pruneRuns({ ...pruner, retentionDays, warn() {} }, signal), /away/);
    assert.deepEqual(await kept(), sorted(...runs));
    assert.equal((await prune())?.runs, 2);
  });

  it("continues with other teams after one fails, with a warning", async () => {
    const run = await addRun(400);
    await addRun(400, "team_business");
    const retentionDays = async (teamId: string) =>
      teamId === "team_free" ? assert.fail("It cannot be read.") : 90;
    const warnings: string[] = [];
    const warn = (_error: unknown, what: string) => void warnings.push(what);
    const pruned = await pruneRuns({ ...pruner, retentionDays, warn }, new AbortController().signal);
    assert.equal(pruned?.runs, 1);
    assert.deepEqual(await kept(), [run.id]);
    assert.match(warnings.join(), /^Old runs of team_free/);
  });
};

for (const database of DATABASES) describe(`Retention on ${database.name}`, retentionOn(database));
