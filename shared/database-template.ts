import { randomUUID } from "node:crypto";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { PGlite } from "@electric-sql/pglite";
import { z } from "zod";

/** Its format is PostgreSQL's of the release that PGlite brings: a template is of use to that version only. */
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(packageFolder(), "package.json"), "utf8")));

/**
 * Puts an empty database at `folder`, if nothing is there. Making one takes seconds, so that it is made once and
 * then copied. After a crash there is a whole database or none; processes that do this at once do not disturb each other.
 *
 * @param cacheDir where the template is kept
 */
export async function createDatabase(folder: string, cacheDir: string): Promise<void> {
  if (existsSync(folder)) return;
  const template = await prepareDatabaseTemplate(cacheDir);
  // A thousand small files: one by one through the event loop they take three times the work.
  await createAtomically(folder, async draft => cpSync(template, draft, { recursive: true }));
}

/** Makes the template, if it is not there. @returns its folder */
export async function prepareDatabaseTemplate(cacheDir: string): Promise<string> {
  const template = join(cacheDir, `database-${version}`);
  if (existsSync(template)) return template;
  await createAtomically(template, async draft => {
    const database = await PGlite.create(draft);
    await database.close();
  });
  return template;
}

/** Makes a folder under another name and moves it to its place when it is whole; who comes second throws his away. */
export async function createAtomically(
  folder: string,
  make: (draft: string) => Promise<unknown>,
): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const draft = `${folder}.${randomUUID()}`;
  try {
    await make(draft);
    await rename(draft, folder).catch(error => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

function packageFolder(): string {
  return join(dirname(fileURLToPath(import.meta.resolve("@electric-sql/pglite"))), "..");
}
