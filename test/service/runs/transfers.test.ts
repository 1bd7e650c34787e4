import assert from "node:assert/strict";
import { join } from "node:path";
import { FileImageStore } from "../../../mixins/images/file-image-store.ts";
import { migrations } from "../../../services/runs/migrations/index.ts";
import { ProjectEntity } from "../../../services/runs/project.entity.ts";
import { RunEntity } from "../../../services/runs/run.entity.ts";
import { ScreenshotEntity } from "../../../services/runs/screenshot.entity.ts";
import { findLatest, insertTransfer, startImport } from "../../../services/runs/transfers/transfer.store.ts";
import { insertParts } from "../../../services/runs/transfers/transfer-content.store.ts";
import { transferTask } from "../../../services/runs/transfers/transfer-task.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { newId } from "../../../shared/ids.ts";
import { DatabaseNode } from "../../support/databases/database-node.ts";
import { MAIN_DATABASES, type TestDatabase } from "../../support/databases/databases.ts";

for (const kind of MAIN_DATABASES) {
  describe(`Exports and imports on ${kind.name}`, () => {
    kind.needed();
    let database: TestDatabase;
    let node: DatabaseNode;

    before(async () => {
      database = await kind.make();
      const entities = [ProjectEntity, RunEntity, ScreenshotEntity];
      node = await DatabaseNode.start(database.env, { schema: "runs", entities, migrations });
    });
    after(async () => {
      await node?.stop();
      await database?.remove();
    });

    it("are tried again for days, then end, so that their team can start another one", async () => {
      const teamId = newId("team");
      const id = newId("imp");
      const caller: Caller = { teamId, role: "admin", actor: { kind: "key", id: "key_1", name: "ci" } };
      const refused = () => Promise.reject(new Error("No call is expected."));
      const bus = { call: refused, emit: refused, broadcast: refused };
      const warnings: unknown[] = [];
      const task = transferTask({
        ...{ em: () => node.em(), bus, as: () => bus, baseUrl: "https://vrs.example", wake: () => {} },
        // The rows were lost.
        archiveFiles: await FileImageStore.open(join(database.env.SERVICE_DATA_DIR, "lost")),
        warn: error => void warnings.push(error),
      });
      const attempt = async () => {
        await node.em().execute("update runs.transfer set leased_until = null where id = ?", [id]);
        await task.work(new AbortController().signal);
        return await findLatest(node.em(), teamId, "import");
      };
      await insertTransfer(node.em(), { id, teamId, kind: "import", status: "receiving", caller });
      await insertParts(node.em(), id, 0, [{ service: "runs", table: "run", rows: 1, hash: "a".repeat(64) }]);
      await startImport(node.em(), id);
      assert.equal((await attempt())?.status, "running");
      await node
        .em()
        .execute("update runs.transfer set created_at = now() - interval '4 days' where id = ?", [id]);
      const given = await attempt();
      assert.deepEqual([given?.status, given?.parts, warnings.length], ["failed", 0, 2]);
      assert.match(given?.error ?? "", /failed for 3 days/);
    });
  });
}
