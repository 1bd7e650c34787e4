/**
 * Closes the embedded database of SERVICE_DATA_DIR at several moments of a query, as a signal does during the start. It
 * is a process of its own, because a failure blocks its event loop.
 */

import { join } from "node:path";
import { closeEmbeddedDatabase, openEmbeddedDatabase } from "../../../mixins/database/embedded-database.ts";
import { loadConfig } from "../../../shared/config.ts";

/** Turns of the event loop's microtasks that a query gets before the database closes. */
const TURNS = [0, 2, 8, 12];

const { dataDir, ...config } = loadConfig(process.env);
for (const turns of TURNS) {
  const folder = join(dataDir, String(turns));
  const { pglite } = await openEmbeddedDatabase({ ...config, dataDir: folder });
  const running = pglite.query("select $1::int", [1]);
  for (let turn = 0; turn < turns; turn++) await Promise.resolve();
  await Promise.allSettled([running, closeEmbeddedDatabase(folder)]);
}
console.info("closed");
