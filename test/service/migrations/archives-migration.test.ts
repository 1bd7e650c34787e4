import assert from "node:assert/strict";
import { insertArchive } from "../../../services/runs/archives/archive.store.ts";
import { migrations } from "../../../services/runs/migrations/index.ts";
import { ScreenshotEntity } from "../../../services/runs/screenshot.entity.ts";
import { describeMigration } from "../../support/databases/describe-migration.ts";
import { readCatalog, revertMigration } from "../../support/databases/revert-migration.ts";
import { insertProject, insertRunRow } from "../../support/rows/run-rows.ts";

let before: string[] = [];

describeMigration(
  "The archives migration of runs",
  {
    schema: "runs",
    entities: [ScreenshotEntity],
    migrations,
    name: "-archives",
    seed: async em => {
      await insertProject(em, { id: "proj_1", teamId: "team_1" });
      await insertRunRow(em, { id: "run_1", teamId: "team_1", projectId: "proj_1", endedDays: 1 });
      before = await readCatalog(em, "runs");
    },
  },
  schema => {
    it("adds archives, and goes back with rows", async () => {
      await schema.migrate();
      const files = [{ path: "index.html", hash: "f".repeat(64), bytes: 3 }];
      await insertArchive(schema.em(), { teamId: "team_1", project: "p" }, { id: "a".repeat(64), files });
      await insertRunRow(schema.em(), { id: "run_2", teamId: "team_1", projectId: "proj_1", endedDays: 1 });
      await schema.em().execute("update runs.run set archive = ? where id = 'run_2'", ["a".repeat(64)]);
      const first = migrations.findIndex(({ name }) => name.endsWith("-archives"));
      for (const { class: later } of migrations.slice(first).toReversed())
        await revertMigration(schema.em(), later);
      assert.deepEqual(await readCatalog(schema.em(), "runs"), before);
      assert.deepEqual(await schema.em().execute("select id from runs.run"), [{ id: "run_1" }]);
    });
  },
);
