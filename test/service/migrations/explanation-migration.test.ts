import assert from "node:assert/strict";
import { migrations } from "../../../services/runs/migrations/index.ts";
import { ScreenshotEntity } from "../../../services/runs/screenshot.entity.ts";
import { describeMigration } from "../../support/databases/describe-migration.ts";
import { readCatalog, revertMigration } from "../../support/databases/revert-migration.ts";
import { insertProject, insertRunRow, insertScreenshotRow } from "../../support/rows/run-rows.ts";

let before: string[] = [];

describeMigration(
  "The explanations migration of runs",
  {
    schema: "runs",
    entities: [ScreenshotEntity],
    migrations,
    name: "-explanations",
    seed: async em => {
      await insertProject(em, { id: "proj_1", teamId: "team_1" });
      await insertRunRow(em, { id: "run_1", teamId: "team_1", projectId: "proj_1", endedDays: 1 });
      await insertScreenshotRow(em, { id: "shot_1", runId: "run_1", hash: "aa" });
      before = await readCatalog(em, "runs");
    },
  },
  schema => {
    it("keeps rows, without explanations and causes", async () => {
      await schema.migrate();
      const [run] = await schema.em().execute("select causes from runs.run");
      const [screenshot] = await schema.em().execute("select explanation from runs.screenshot");
      assert.deepEqual([run, screenshot], [{ causes: [] }, { explanation: null }]);
    });

    it("is reverted completely", async () => {
      const first = migrations.findIndex(({ name }) => name.endsWith("-explanations"));
      for (const { class: later } of migrations.slice(first).toReversed())
        await revertMigration(schema.em(), later);
      assert.deepEqual(await readCatalog(schema.em(), "runs"), before);
    });
  },
);
