/**
 * The service's process under `npm run dev`. It loads the packages, which don't change, and waits. At the
 * message `start` it loads the project's files and starts. This halves the time of a restart.
 */
import { open } from "node:inspector";
import { enableCompileCache } from "node:module";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..");
const INSPECTOR_PORT = 9229;

/** The packages that take longest to load. Others are loaded at the start. */
const PACKAGES = [
  "@electric-sql/pglite",
  "@mikro-orm/core",
  "@mikro-orm/migrations",
  "@mikro-orm/pglite",
  "@mikro-orm/postgresql",
  "moleculer-web",
  "pino",
  "playwright",
  "sharp",
  "zod",
];

process.once("message", () => {
  // Not earlier: the previous process must release the port first.
  if (process.argv.includes("--inspect")) open(INSPECTOR_PORT);
  const flags = ["--config", "cli/dev/node-config.ts", "--mask", "**/*.service.ts"];
  void loaded.then(({ Runner }) => new Runner().start([...process.argv.slice(0, 2), ...flags]));
});
// A killed loop leaves no service behind.
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));

process.chdir(ROOT);
enableCompileCache(join(ROOT, "node_modules", ".cache", "vrs", "code"));
const loaded = import("moleculer");
await Promise.all(PACKAGES.map(name => import(name)));
