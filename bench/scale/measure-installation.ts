import { Client } from "pg";
import { CORE_SERVICES } from "../../shared/environment/variables.ts";
import { Cluster } from "../../test/support/servers/nodes/cluster.ts";
import type { PostgresServer } from "../../test/support/servers/postgres-server.ts";
import type { Figure } from "./figure.ts";
import { measureCleanup } from "./measure-cleanup.ts";
import { measurePages } from "./measure-pages.ts";
import { measureRuns } from "./measure-runs.ts";
import { measureTables } from "./measure-tables.ts";
import { recordImages } from "./record-images.ts";
import { seedInstallation } from "./seed-installation.ts";
import { SimulatedRenderers } from "./simulated-renderers.ts";
import { PAGES, type Size } from "./sizes.ts";
import { type StatementCost, StatementLog } from "./statement-log.ts";
import { writePatterns } from "./write-patterns.ts";

/** The figures of one installation. */
export interface Installation {
  size: Size;
  seededMs: number;
  figures: Figure[];
  statements: StatementCost[];
}

/** The fleet is the same for all sizes, so that only the data differs. */
export interface Load {
  nodes: number;
  concurrency: number;
  submissions: number;
  pageLoads: number;
}

/** Starts an installation, fills it to its size, and measures it. */
export async function measureInstallation(
  postgres: PostgresServer,
  size: Size,
  load: Load,
): Promise<Installation> {
  const databaseUrl = await postgres.createDatabase();
  const database = new Client({ connectionString: databaseUrl });
  await database.connect();
  const cluster = await Cluster.start({
    layout: [["gateway"], [...CORE_SERVICES], ["differ"]],
    databaseUrl,
    ready: false,
  });
  const images = await recordImages(cluster);
  const fleet = await SimulatedRenderers.start({ natsUrl: cluster.nats.url, images, ...load });
  const log = new StatementLog(database);
  try {
    const patterns = await writePatterns(cluster, PAGES);
    const startedAt = performance.now();
    await seedInstallation(database, size, patterns);
    const seededMs = performance.now() - startedAt;
    const runs = await measureRuns(cluster, database, log, load.submissions);
    const ofRuns = await log.read("runs");
    // Otherwise it would be chance whether the server has cleaned up after these runs before their pages are read. By
    // default, it leaves index entries of dead rows if they are few of the table's.
    await database.query("vacuum (index_cleanup on)");
    const pages = await measurePages(cluster, log, load.pageLoads);
    const statements = [...ofRuns, ...pages.statements];
    const tables = await measureTables(database);
    const cleanup = await measureCleanup(database, databaseUrl, size);
    const figures = [...runs, ...pages.figures, ...tables, ...cleanup];
    for (const { title, value, unit } of figures) console.log(`${size.name}, ${title}: ${value} ${unit}`);
    return { size, seededMs, statements, figures };
  } finally {
    await Promise.all([fleet.stop(), cluster.stop(), database.end()]);
  }
}
