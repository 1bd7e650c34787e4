import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, beforeEach, describe, it } from "mocha";
import { FileImageStore } from "../../../mixins/images/file-image-store.ts";
import { forgetOldBodies, recordBodies } from "../../../services/runs/capsules/body.store.ts";
import { FullTeams } from "../../../services/runs/capsules/full-teams.ts";
import { migrations } from "../../../services/runs/migrations/index.ts";
import { type Cleaned, cleanImages } from "../../../services/runs/retention/clean-images.ts";
import { ScreenshotEntity } from "../../../services/runs/screenshot.entity.ts";
import type { ImageStore } from "../../../shared/contracts/image-store.ts";
import { PROOF_BOUNDS } from "../../../shared/contracts/runs/proof.ts";
import { DatabaseNode } from "../../support/databases/database-node.ts";
import { TEST_SECRET_KEY } from "../../support/drivers/api-access.ts";
import {
  agePeriodicTasks,
  clearRunTables,
  deleteRun,
  insertApproval,
  insertProject,
  insertRunRow,
  insertScreenshotRow,
} from "../../support/rows/run-rows.ts";
import { createDatabase } from "../../support/servers/postgres-server.ts";
import { needs } from "../../support/servers/server-programs.ts";

const HOUR_MS = 3_600_000;
const NOTHING: Cleaned = { setAside: 0, putBack: 0, removed: 0, removedBytes: 0 };

type Column = "hash" | "baselineHash" | "maskHash" | "failureHash";

const RUN = { id: "run", teamId: "team", projectId: "project", endedDays: null };

/** The runs service's database and an image store with adjustable clocks. */
class Fixture {
  readonly folder: string;
  readonly node: DatabaseNode;
  readonly images: FileImageStore;

  private constructor(folder: string, node: DatabaseNode, images: FileImageStore) {
    this.folder = folder;
    this.node = node;
    this.images = images;
  }

  static async open(env: Record<string, string>): Promise<Fixture> {
    const folder = await mkdtemp(join(tmpdir(), "vrs-clean-"));
    const options = { schema: "runs", entities: [ScreenshotEntity], migrations };
    const node = await DatabaseNode.start({ SERVICE_DATA_DIR: folder, ...env }, options);
    const images = await FileImageStore.open(join(folder, "images"));
    await insertProject(node.em(), { id: "project", teamId: "team" });
    return new Fixture(folder, node, images);
  }

  async close(): Promise<void> {
    await this.node.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  async clear(): Promise<void> {
    await clearRunTables(this.node.em());
    await insertRunRow(this.node.em(), RUN);
    await rm(join(this.folder, "images"), { recursive: true });
  }

  /** Stores a new image. */
  put(): Promise<string> {
    return this.images.put(randomBytes(1_000));
  }

  /** Adds a screenshot that refers to an image. @returns its id */
  async refer(column: Column, hash: string): Promise<string> {
    const id = randomBytes(8).toString("hex");
    await insertScreenshotRow(this.node.em(), { id, runId: RUN.id, route: id, [column]: hash });
    return id;
  }

  /** Adds an explained screenshot that keeps these bodies of its page, oldest first. */
  async keep(bodies: string[], bytes = 1_000): Promise<void> {
    const [image, capsule] = [await this.put(), await this.put()];
    const screenshotId = await this.refer("hash", image);
    await this.explain(image, capsule);
    for (const hash of bodies)
      await recordBodies(this.node.em(), [{ screenshotId, capsuleHash: capsule, hash, bytes }]);
  }

  /** Cleans up until everything unneeded is deleted. */
  async cleanAll(): Promise<void> {
    for (let day = 0; day < 2; day++) {
      await this.wait(25);
      await this.clean();
    }
  }

  async bodies(): Promise<string[]> {
    const rows: { hash: string }[] = await this.node
      .em()
      .execute("select body_hash as hash from runs.kept_body union select body_hash from runs.capsule_body");
    return rows.map(({ hash }) => hash);
  }

  /** Adds the capsule of an image. */
  async explain(image: string, capsule: string): Promise<void> {
    await this.node
      .em()
      .execute("insert into runs.capsule values ('project', '/', '', '', 1280, ?, ?)", [image, capsule]);
  }

  async capsules(): Promise<string[]> {
    const rows: { hash: string }[] = await this.node
      .em()
      .execute("select capsule_hash as hash from runs.capsule order by 1");
    return rows.map(({ hash }) => hash);
  }

  async approve(hash: string): Promise<void> {
    const id = randomBytes(8).toString("hex");
    await insertApproval(this.node.em(), { id, runId: RUN.id, screenshotId: id, hash });
  }

  /** Moves all stored times into the past, in the store and in the database. */
  async wait(hours: number): Promise<void> {
    await agePeriodicTasks(this.node.em(), hours * 60);
    for (const name of await readdir(join(this.folder, "images"), { recursive: true })) {
      if (!name.endsWith(".png")) continue;
      const path = join(this.folder, "images", name);
      const { mtimeMs } = await stat(path);
      const then = new Date(mtimeMs - hours * HOUR_MS);
      await utimes(path, then, then);
    }
  }

  clean(images: ImageStore = this.images, signal = new AbortController().signal): Promise<Cleaned | null> {
    return cleanImages({ em: this.node.em, images }, signal);
  }

  async has(hash: string): Promise<boolean> {
    const image = await this.images.open(hash);
    image?.stream.destroy();
    return image !== null;
  }
}

/** Returns a store that runs `happens` right before it sets an image aside. */
function interrupted(images: ImageStore, happens: () => Promise<void>): ImageStore {
  return {
    put: png => images.put(png),
    get: hash => images.get(hash),
    open: hash => images.open(hash),
    olderThan: time => images.olderThan(time),
    setAside: hashes => happens().then(() => images.setAside(hashes)),
    putBack: hashes => images.putBack(hashes),
    remove: hashes => images.remove(hashes),
    close: () => images.close(),
  };
}

function cleanupOn(env: () => Promise<Record<string, string>>): void {
  let fixture: Fixture;

  before(async () => {
    fixture = await Fixture.open(await env());
  });
  beforeEach(() => fixture.clear());
  after(() => fixture?.close());

  it("keeps images with a row, and new images", async () => {
    const [current, baseline, mask, failure, approved] = await Promise.all(
      [1, 2, 3, 4, 5].map(() => fixture.put()),
    );
    await fixture.refer("hash", current ?? "");
    await fixture.refer("baselineHash", baseline ?? "");
    await fixture.refer("maskHash", mask ?? "");
    await fixture.refer("failureHash", failure ?? "");
    await fixture.approve(approved ?? "");
    await fixture.put();
    await fixture.wait(25);
    const young = await fixture.put();
    assert.deepEqual(await fixture.clean(), { ...NOTHING, setAside: 1 });
    await fixture.wait(20);
    assert.deepEqual(
      await fixture.clean(),
      NOTHING,
      "the one is not a day aside, the young one not a day old",
    );
    for (const hash of [current, baseline, mask, failure, approved, young])
      assert.ok(await fixture.has(hash ?? ""));
  });

  it("keeps a capsule as long as its image, and forgets it with its file", async () => {
    const [image, capsule, other] = await Promise.all([fixture.put(), fixture.put(), fixture.put()]);
    await fixture.refer("baselineHash", image);
    await fixture.explain(image, capsule);
    await fixture.explain("gone", other);
    await fixture.wait(25);
    assert.deepEqual(await fixture.clean(), { ...NOTHING, setAside: 1 });
    await fixture.wait(25);
    assert.equal((await fixture.clean())?.removed, 1);
    assert.ok(await fixture.has(capsule));
    assert.deepEqual(await fixture.capsules(), [capsule]);
  });

  it("deletes the oldest bodies of a team above its limit", async () => {
    const bodies = [await fixture.put(), await fixture.put(), await fixture.put()];
    const [oldest = "", ...newer] = bodies;
    await fixture.keep(bodies);
    await forgetOldBodies(fixture.node.em(), 3_001);
    await fixture.cleanAll();
    for (const body of bodies) assert.ok(await fixture.has(body));
    await forgetOldBodies(fixture.node.em(), 3_000);
    await fixture.cleanAll();
    assert.ok(!(await fixture.has(oldest)));
    for (const body of newer) assert.ok(await fixture.has(body));
    assert.deepEqual((await fixture.bodies()).sort(), newer.toSorted());
  });

  it("deletes bodies with the run whose page they explain", async () => {
    const [own, shared] = [await fixture.put(), await fixture.put()];
    await fixture.keep([own, shared]);
    await deleteRun(fixture.node.em(), RUN.id);
    await insertRunRow(fixture.node.em(), RUN);
    await fixture.keep([shared]);
    await fixture.cleanAll();
    assert.deepEqual([await fixture.has(own), await fixture.has(shared)], [false, true]);
    assert.deepEqual(await fixture.bodies(), [shared]);
  });

  it("knows which teams keep no more bodies, without asking the database each time", async () => {
    const teams = new FullTeams();
    const among = () => teams.among(fixture.node.em(), new Set(["team", "other"]));
    await fixture.keep([await fixture.put()], PROOF_BOUNDS.teamBytes);
    assert.deepEqual(await among(), new Set(["team"]));
    await forgetOldBodies(fixture.node.em());
    assert.deepEqual(await among(), new Set(["team"]));
    teams.clear();
    assert.deepEqual(await among(), new Set());
  });

  it("deletes images without a row a day after they were set aside", async () => {
    const hash = await fixture.put();
    await fixture.wait(25);
    assert.deepEqual(await fixture.clean(), { ...NOTHING, setAside: 1 });
    assert.ok(await fixture.has(hash), "set aside it can still be read");
    await fixture.wait(25);
    assert.deepEqual(await fixture.clean(), { ...NOTHING, removed: 1, removedBytes: 1_000 });
    assert.ok(!(await fixture.has(hash)));
  });

  it("loses no image that is stored again during its cleanup", async () => {
    const image = randomBytes(1_000);
    const hash = await fixture.images.put(image);
    await fixture.wait(25);
    const { images } = fixture;
    // Between the query and the deletion, a renderer stores the image again.
    const interruptedStore = interrupted(images, async () => void (await images.put(image)));
    assert.deepEqual(await fixture.clean(interruptedStore), { ...NOTHING, setAside: 1 });
    await fixture.refer("hash", hash);
    assert.deepEqual(await images.get(hash), image);
    await fixture.wait(25);
    assert.deepEqual(await fixture.clean(), { ...NOTHING, putBack: 1 });
    await fixture.wait(25);
    assert.deepEqual(await fixture.clean(), NOTHING);
    assert.deepEqual(await images.get(hash), image);
  });

  it("keeps an image for a day if another copy is deleted at the same time", async () => {
    const image = randomBytes(1_000);
    const hash = await fixture.images.put(image);
    await fixture.wait(25);
    await fixture.clean();
    await fixture.images.put(image);
    await fixture.wait(25);
    assert.deepEqual(await fixture.clean(), { setAside: 1, putBack: 0, removed: 1, removedBytes: 1_000 });
    assert.deepEqual(await fixture.images.get(hash), image);
  });

  it("runs on one of many nodes, and not again for hours", async () => {
    const turns = await Promise.all(Array.from({ length: 5 }, () => fixture.clean()));
    assert.equal(turns.filter(cleaned => cleaned !== null).length, 1);
    await fixture.put();
    await fixture.wait(5);
    assert.equal(await fixture.clean(), null);
    await fixture.wait(2);
    assert.notEqual(await fixture.clean(), null);
  });

  it("stops when its node stops, and continues later", async () => {
    const count = 1_250;
    for (let index = 0; index < count; index++) {
      const hash = createHash("sha256").update(String(index)).digest("hex");
      const path = join(fixture.folder, "images", hash.slice(0, 2), hash.slice(2, 4), `${hash}.png`);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, "image");
    }
    await fixture.wait(25);
    const stopping = new AbortController();
    const { images } = fixture;
    const stopped = interrupted(images, async () => stopping.abort());
    const first = await fixture.clean(stopped, stopping.signal);
    assert.ok(first && first.setAside > 0 && first.setAside <= 100, `it set ${first?.setAside} aside`);
    await fixture.wait(7);
    assert.equal(await fixture.clean(images, stopping.signal), null);
    assert.deepEqual(await fixture.clean(), { ...NOTHING, setAside: count - first.setAside });
  });
}

describe("cleanImages", () => {
  describe("on the embedded database", () => {
    cleanupOn(async () => ({}));
  });

  describe("on PostgreSQL", () => {
    needs("database");
    cleanupOn(async () => ({ DATABASE_URL: await createDatabase(), SERVICE_SECRET_KEY: TEST_SECRET_KEY }));
  });
});
