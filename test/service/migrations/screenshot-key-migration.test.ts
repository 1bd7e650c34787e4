import assert from "node:assert/strict";
import { BaselineEntity } from "../../../services/runs/baselines/baseline.entity.ts";
import { findLatestBaselines } from "../../../services/runs/baselines/baseline.store.ts";
import { migrations } from "../../../services/runs/migrations/index.ts";
import { ScreenshotEntity } from "../../../services/runs/screenshot.entity.ts";
import { findScreenshots } from "../../../services/runs/screenshot.store.ts";
import { describeMigration } from "../../support/databases/describe-migration.ts";
import { readCatalog, revertMigration } from "../../support/databases/revert-migration.ts";
import {
  insertApproval,
  insertProject,
  insertReviewRow,
  insertRunRow,
  insertScreenshotRow,
} from "../../support/rows/run-rows.ts";

const TABLES = ["screenshot", "baseline", "review", "noise_observation", "page_day", "noise_region"];
let before: string[] = [];

describeMigration(
  "The screenshot-keys migration of runs",
  {
    schema: "runs",
    entities: [ScreenshotEntity, BaselineEntity],
    migrations,
    name: "-screenshot-keys",
    seed: async em => {
      await insertProject(em, { id: "proj_1", teamId: "team_1" });
      await insertRunRow(em, { id: "run_1", teamId: "team_1", projectId: "proj_1", endedDays: 1 });
      await insertScreenshotRow(em, { id: "shot_1", runId: "run_1", hash: "aa" });
      await insertApproval(em, { id: "base_1", runId: "run_1", screenshotId: "shot_1", hash: "aa" });
      await insertReviewRow(em, { id: "rev_1", runId: "run_1", screenshotId: "shot_1" });
      await em.execute(
        `insert into runs.noise_observation (screenshot_id, kind, run_id, project_id, route, viewport, day, image_height, regions)
         values ('shot_1', 'unstable', 'run_1', 'proj_1', '/', 1280, '2026-11-01', 9, '[]')`,
      );
      await em.execute("insert into runs.page_day values ('proj_1', '/', 1280, '2026-11-01', 1)");
      await em.execute(
        `insert into runs.noise_region (id, project_id, route, viewport, x, y, width, height, verdict, decided_by)
         values ('ign_1', 'proj_1', '/', 1280, 0, 0, 1, 1, 'accepted', 'ada')`,
      );
      before = await readCatalog(em, "runs");
    },
  },
  schema => {
    const sql = (text: string): Promise<object[]> => schema.em().execute(text);
    const copy = (table: string, changes: Record<string, string>) =>
      sql(
        `insert into runs.${table} select (jsonb_populate_record(t, '${JSON.stringify(changes)}')).* from runs.${table} t limit 1`,
      );

    it("keeps every row as the page's own, in the default environment", async () => {
      await schema.migrate();
      for (const table of TABLES)
        assert.deepEqual(
          await sql(`select route, state, environment, viewport from runs.${table}`),
          [{ route: "/", state: "", environment: "", viewport: 1280 }],
          table,
        );
      const page = { route: "/", state: null, environment: null, viewport: 1280 };
      const [screenshot] = await findScreenshots(schema.em(), "run_1");
      const [baseline] = await findLatestBaselines(schema.em(), "proj_1", ["branch:main"]);
      for (const row of [screenshot, baseline]) {
        assert.ok(row);
        const { route, state, environment, viewport } = row;
        assert.deepEqual({ route, state, environment, viewport }, page);
      }
      assert.equal(screenshot?.viewportHeight, 800);
      assert.deepEqual(await sql("select image_width from runs.noise_observation"), [{ image_width: 1280 }]);
    });

    it("lets states and environments of a page have rows of their own", async () => {
      await assert.rejects(copy("screenshot", { id: "shot_2" }));
      await copy("screenshot", { id: "shot_2", state: "open" });
      await copy("screenshot", { id: "shot_3", environment: "dark" });
      await assert.rejects(copy("page_day", { captures: "2" }));
      await copy("page_day", { state: "open" });
      await assert.rejects(copy("noise_region", { id: "ign_2" }));
      await copy("noise_region", { id: "ign_2", environment: "dark" });
    });

    it("keeps the rows of pages without states and environments when it is reverted", async () => {
      const first = migrations.findIndex(({ name }) => name.endsWith("-screenshot-keys"));
      for (const { class: later } of migrations.slice(first).toReversed())
        await revertMigration(schema.em(), later);
      assert.deepEqual(await readCatalog(schema.em(), "runs"), before);
      for (const table of TABLES)
        assert.deepEqual(await sql(`select count(*)::int as rows from runs.${table}`), [{ rows: 1 }], table);
    });
  },
);
