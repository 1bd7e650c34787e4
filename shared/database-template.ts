import { randomUUID } from "node:crypto";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { PGlite } from "@electric-sql/pglite";
import { z } from "zod";

/** The template has PGlite's PostgreSQL format, so it works only with the same version of PGlite. */
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(packageFolder(), "package.json"), "utf8")));

/**
 * Creates an empty database at `folder`, if nothing is there. Creating one takes seconds, so a template is
 * created once and copied. After a crash there is a complete database or none. Several processes can do this
 * concurrently.
 * @param cacheDir folder of the template
 */
export async function createDatabase(folder: string, cacheDir: string): Promise<void> {
  if (existsSync(folder)) return;
  const template = await prepareDatabaseTemplate(cacheDir);
  // It has a thousand small files. Copying them asynchronously takes three times the work.
  await createAtomically(folder, async draft => cpSync(template, draft, { recursive: true }));
}

/** Creates the template, if it is missing. @returns its folder */
export async function prepareDatabaseTemplate(cacheDir: string): Promise<string> {
  const template = join(cacheDir, `database-${version}`);
  if (existsSync(template)) return template;
  await createAtomically(template, async draft => {
    const database = await PGlite.create(draft);
    await database.close();
  });
  return template;
}

/**
 * Creates a folder under a temporary name, and moves it into place when it is complete. If another process
 * was faster, its own copy is deleted.
 */
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
