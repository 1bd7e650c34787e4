import { createHash } from "node:crypto";
import { cpSync, existsSync } from "node:fs";
import { glob, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrations as alerts } from "../../../services/alerts/migrations/index.ts";
import { migrations as billing } from "../../../services/billing/migrations/index.ts";
import { migrations as monitors } from "../../../services/monitors/migrations/index.ts";
import { migrations as platform } from "../../../services/platform/migrations/index.ts";
import { migrations as runs } from "../../../services/runs/migrations/index.ts";
import { migrations as scm } from "../../../services/scm/migrations/index.ts";
import { migrations as teams } from "../../../services/teams/migrations/index.ts";
import { loadConfig } from "../../../shared/config.ts";
import { createAtomically, prepareDatabaseTemplate } from "../../../shared/database-template.ts";
import { copyDatabase } from "../servers/postgres-server.ts";
import { DatabaseNode, NoteEntity } from "./database-node.ts";

const ROOT = join(import.meta.dirname, "../../..");
const TEMPLATES = join(ROOT, "node_modules/.cache/test-servers");
const PREFIX = "embedded-";
/** Longer than any test run. A younger template may be in use by another run. */
const IN_USE_MS = 3_600_000;
const SERVICES = { alerts, billing, monitors, platform, runs, scm, teams };

/**
 * Puts an embedded database into a data directory, as the first start of all services leaves it. Creating the
 * tables is most of that start's work, and the tests start dozens.
 */
export async function putMigratedDatabase(dataDir: string): Promise<void> {
  const { cacheDir } = loadConfig({});
  const template = join(TEMPLATES, `${PREFIX}${await digest(await prepareDatabaseTemplate(cacheDir))}`);
  if (!existsSync(template)) {
    await createAtomically(template, migrateTo);
    await removeOlder(template);
  }
  cpSync(template, join(dataDir, "database"), { recursive: true });
}

/** Removes the templates of earlier migrations. */
async function removeOlder(template: string): Promise<void> {
  for (const name of await readdir(TEMPLATES)) {
    const path = join(TEMPLATES, name);
    if (!name.startsWith(PREFIX) || path === template) continue;
    const age = Date.now() - (await stat(path)).mtimeMs;
    if (age > IN_USE_MS) await rm(path, { recursive: true, force: true });
  }
}

const digests = new Map<string, Promise<string>>();

/** Returns a hash of all sources of the tables, which don't change while tests run. */
function digest(engine: string): Promise<string> {
  const digest = digests.get(engine) ?? readDigest(engine);
  digests.set(engine, digest);
  return digest;
}

async function readDigest(engine: string): Promise<string> {
  const hash = createHash("sha256").update(engine);
  const sources: string[] = [];
  const patterns = ["services/*/migrations/*.ts", "package-lock.json"];
  for await (const path of glob(patterns, { cwd: ROOT })) sources.push(path);
  for (const path of sources.sort()) hash.update(path).update(await readFile(join(ROOT, path)));
  return hash.digest("hex").slice(0, 12);
}

async function migrateTo(folder: string): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "vrs-migrated-"));
  try {
    await migrateAll({ SERVICE_DATA_DIR: dataDir });
    cpSync(join(dataDir, "database"), folder, { recursive: true });
  } finally {
    await rm(dataDir, { recursive: true });
  }
}

/**
 * Creates a database on the tests' PostgreSQL, as the first start of all services leaves it. The tables are created
 * once for all processes of a mocha run, and copied. @returns its URL
 */
export async function createMigratedDatabase(): Promise<string> {
  const name = `migrated_${await digest("PostgreSQL")}`;
  return copyDatabase(name, url => migrateAll({ DATABASE_URL: url }));
}

/** Creates the tables of all services. */
async function migrateAll(env: Record<string, string>): Promise<void> {
  for (const [schema, migrations] of Object.entries(SERVICES)) {
    // MikroORM needs an entity. The tables come from the migrations.
    const node = await DatabaseNode.start(env, { schema, entities: [NoteEntity], migrations });
    await node.stop();
  }
}
