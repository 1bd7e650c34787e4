import assert from "node:assert/strict";
import { NO_TALLY } from "../../../services/runs/capture/conclude.rule.ts";
import { migrations } from "../../../services/runs/migrations/index.ts";
import { ProjectEntity } from "../../../services/runs/project.entity.ts";
import { listRuns } from "../../../services/runs/queries/run-list.store.ts";
import { RunEntity } from "../../../services/runs/run.entity.ts";
import { closeRun, findRun, findRunsWithOptions, insertRun } from "../../../services/runs/run.store.ts";
import { ScreenshotEntity } from "../../../services/runs/screenshot.entity.ts";
import { DatabaseNode } from "../../support/databases/database-node.ts";
import { DATABASES, type TestDatabase } from "../../support/databases/databases.ts";

for (const kind of DATABASES) {
  describe(`Stored runs on ${kind.name}`, () => {
    kind.needed();
    let database: TestDatabase;
    let node: DatabaseNode;

    before(async () => {
      database = await kind.make();
      const entities = [ProjectEntity, RunEntity, ScreenshotEntity];
      node = await DatabaseNode.start(database.env, { schema: "runs", entities, migrations });
      await node.em().execute("insert into runs.project values ('proj_1', 'team_1', 'shop', 'main', now())");
    });
    after(async () => {
      await node?.stop();
      await database?.remove();
    });

    it("keep their options until they end, and return them only on request", async () => {
      const options = { headers: { "x-preview": "secret" } };
      const run = {
        ...{
          id: "run_1",
          teamId: "team_1",
          projectId: "proj_1",
          project: "shop",
          url: "https://example.com",
        },
        ...{ branch: "main", scope: "branch:main", defaultScope: "branch:main", scm: null, threshold: 0 },
        screenshotsPerJob: 1,
        ...{
          options,
          submitted: null,
          kind: "run" as const,
          source: "capture" as const,
          status: "queued" as const,
          conclusion: null,
          error: null,
          dedupeKey: null,
        },
        ...{
          idempotencyKey: null,
          bodyDigest: "",
          isConfirmation: false,
          tally: null,
          linkGeneration: 0,
          warnings: [],
          causes: [],
          stories: null,
          intent: null,
          configuredBy: { repository: [], project: [] },
          createdBy: "key_1",
          createdAs: "key_1",
          origin: null,
        },
        ...{ renderings: {}, recapturedAt: null, tunnel: null, archive: null },
        ...{ submitter: "ci", createdAt: new Date(), startedAt: null, completedAt: null },
      };
      await insertRun(node.em(), run, []);
      const read = [
        await findRun(node.em(), "team_1", "run_1"),
        ...(await listRuns(node.em(), "team_1", { limit: 20, project: "shop" })),
      ];
      assert.equal(read.length, 2);
      for (const each of read) assert.ok(!JSON.stringify(each).includes("secret"));
      const rendered = async () =>
        (await findRunsWithOptions(node.em(), ["run_1"])).map(each => each.options);
      assert.deepEqual(await rendered(), [options]);
      assert.ok(
        await closeRun(node.em(), "run_1", { status: "completed", conclusion: "new", error: null }, NO_TALLY),
      );
      assert.deepEqual(await rendered(), [{}]);
    });
  });
}
