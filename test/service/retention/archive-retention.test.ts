import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileImageStore } from "../../../mixins/images/file-image-store.ts";
import { ARCHIVE_FILES } from "../../../mixins/images/image-hash.ts";
import {
  insertArchive,
  sumArchiveBytes,
  touchArchive,
} from "../../../services/runs/archives/archive.store.ts";
import {
  findAttachments,
  insertAttachment,
  sumAttachmentBytes,
  wantAttachments,
} from "../../../services/runs/attachments/attachment.store.ts";
import { EndedRuns } from "../../../services/runs/capture/ended-runs.ts";
import { migrations } from "../../../services/runs/migrations/index.ts";
import { cleanImages } from "../../../services/runs/retention/clean-images.ts";
import { deleteTeamData } from "../../../services/runs/retention/delete-team-data.ts";
import { pruneRuns } from "../../../services/runs/retention/prune-runs.ts";
import { RunEntity } from "../../../services/runs/run.entity.ts";
import { writeIndex } from "../../../shared/archives/archive-index.ts";
import { action } from "../../../shared/contracts/bus.ts";
import { DatabaseNode } from "../../support/databases/database-node.ts";
import { MAIN_DATABASES, type TestDatabase } from "../../support/databases/databases.ts";
import { agePeriodicTasks, deleteRun, insertProject, insertRunRow } from "../../support/rows/run-rows.ts";

const OWNER = { teamId: "team", project: "name" };
const HOUR_MS = 3_600_000;

for (const kind of MAIN_DATABASES) {
  describe(`Retention of archives on ${kind.name}`, () => {
    kind.needed();
    let database: TestDatabase;
    let node: DatabaseNode;
    let store: FileImageStore;
    let folder: string;

    before(async () => {
      database = await kind.make();
      node = await DatabaseNode.start(database.env, { schema: "runs", entities: [RunEntity], migrations });
      node.broker.createService({
        name: "teams",
        actions: { existing: action("teams.existing", async ({ ids }) => ids) },
      });
      await node.broker.waitForServices("teams");
      folder = await mkdtemp(join(tmpdir(), "vrs-archive-retention-"));
      store = await FileImageStore.open(folder, { kind: ARCHIVE_FILES });
      await insertProject(node.em(), { id: "project", teamId: "team" });
    });
    after(async () => {
      await node?.stop();
      await database?.remove();
      await rm(folder, { recursive: true, force: true });
    });

    /** Adds an archive of these files. */
    async function add(contents: string[], owner = OWNER): Promise<string> {
      const files = await Promise.all(
        contents.map(async content => ({
          ...{ path: content, bytes: content.length },
          hash: await store.put(Buffer.from(content)),
        })),
      );
      const { id, bytes } = writeIndex(files);
      assert.equal(await store.put(bytes), id);
      await insertArchive(node.em(), owner, { id, files });
      return id;
    }

    async function addRun(id: string, archive: string): Promise<void> {
      await insertRunRow(node.em(), { id, teamId: "team", projectId: "project", endedDays: 0 });
      await node.em().execute("update runs.run set archive = ? where id = ?", [archive, id]);
    }

    /** Lets this many hours pass, and does what is due then. */
    async function wait(hours: number): Promise<void> {
      await agePeriodicTasks(node.em(), hours * 60);
      for (const [table, column] of [
        ["project_archive", "used_at"],
        ["archive", "created_at"],
        ["attachment", "used_at"],
      ])
        await node
          .em()
          .execute(`update runs.${table} set ${column} = ${column} - make_interval(hours => ?)`, [hours]);
      for (const name of await readdir(folder, { recursive: true })) {
        const { mtimeMs } = await stat(join(folder, name));
        const then = new Date(mtimeMs - hours * HOUR_MS);
        await utimes(join(folder, name), then, then);
      }
      const { signal } = new AbortController();
      const pruner = {
        ...{ em: () => node.em(), bus: node.broker, retentionDays: async () => 7, onRunDeleted: () => {} },
        deleteTeam: (id: string): Promise<void> => assert.fail(id),
        warn: (error: unknown) => assert.fail(String(error)),
      };
      await pruneRuns(pruner, signal);
      await cleanImages({ em: () => node.em(), images: store, kind: "archives" }, signal);
    }

    const stored = async () =>
      (await readdir(folder, { recursive: true })).filter(name => name.endsWith(".bin")).length;

    it("keeps archives of kept runs, and deletes the others with the files that only they have", async () => {
      const kept = await add(["shared", "kept"]);
      const unused = await add(["shared", "unused"]);
      await addRun("run_1", kept);
      await addRun("run_2", unused);
      assert.equal(await sumArchiveBytes(node.em(), "team"), 22);
      assert.equal(await stored(), 5);
      await deleteRun(node.em(), "run_2");
      await wait(20);
      assert.ok(await touchArchive(node.em(), OWNER, unused), "kept for a day after its last use");
      await wait(20);
      assert.ok(await touchArchive(node.em(), OWNER, unused), "the question counts as a use");
      for (let day = 0; day < 4; day++) await wait(25);
      assert.equal(await touchArchive(node.em(), OWNER, unused), null);
      assert.ok(await touchArchive(node.em(), OWNER, kept));
      assert.equal(await stored(), 3);
      assert.equal(await sumArchiveBytes(node.em(), "team"), 10);
    });

    it("keeps attachments of kept runs, and deletes the others with their files", async () => {
      const before = await stored();
      const attach = async (content: string, runId: string) => {
        const hash = await store.put(Buffer.from(content));
        await insertRunRow(node.em(), { id: runId, teamId: "team", projectId: "project", endedDays: 0 });
        await wantAttachments(node.em(), runId, { shard: "1", hashes: [hash], limit: 10 });
        await insertAttachment(node.em(), "project", { hash, kind: "zip", bytes: content.length });
        return hash;
      };
      const kept = await attach("kept trace", "run_3");
      const gone = await attach("old trace", "run_4");
      assert.equal(await sumAttachmentBytes(node.em(), "team"), 19);
      await deleteRun(node.em(), "run_4");
      for (let day = 0; day < 4; day++) await wait(25);
      const found = await findAttachments(node.em(), "project", [kept, gone]);
      assert.deepEqual([...found.keys()], [kept]);
      assert.equal(await stored(), before + 1);
      assert.equal(await sumAttachmentBytes(node.em(), "team"), 10);
    });

    it("doesn't give archives of a project to another project or team", async () => {
      const id = await add(["private"]);
      assert.ok(await touchArchive(node.em(), OWNER, id));
      assert.equal(await touchArchive(node.em(), { ...OWNER, project: "other" }, id), null);
      assert.equal(await touchArchive(node.em(), { ...OWNER, teamId: "other" }, id), null);
    });

    it("deletes the archives of a deleted team, and keeps those of others", async () => {
      const id = await add(["of both"]);
      await add(["of both"], { teamId: "gone", project: "name" });
      const context = {
        em: () => node.em(),
        bus: node.broker,
        ended: new EndedRuns(),
        queue: { drop: async () => {} },
      };
      await deleteTeamData(context, "gone");
      assert.equal(await touchArchive(node.em(), { teamId: "gone", project: "name" }, id), null);
      assert.ok(await touchArchive(node.em(), OWNER, id));
    });
  });
}
