import { readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { FileImageStore } from "../../../mixins/images/file-image-store.ts";
import { migrations } from "../../../services/runs/migrations/index.ts";
import { cleanImages } from "../../../services/runs/retention/clean-images.ts";
import { ScreenshotEntity } from "../../../services/runs/screenshot.entity.ts";
import { DatabaseNode } from "../../../test/support/databases/database-node.ts";
import { query } from "../../../test/support/servers/postgres-server.ts";
import type { Entry } from "./balance.ts";

const LONG_AGO = new Date(Date.now() - 3 * 86_400_000);
const IMAGES_OF_ROWS = `
  select distinct hash from (
    select hash from runs.screenshot union select baseline_hash from runs.screenshot
    union select mask_hash from runs.screenshot union select failure_hash from runs.screenshot
    union select hash from runs.baseline union select image_hash from runs.uploaded_image
    union select hash from runs.look union select mask_hash from runs.pair
    union select capsule_hash from runs.capsule union select body_hash from runs.capsule_body
  ) as all_of_them where hash is not null`;

/**
 * Checks that every image, capsule and response body with a row exists, and that the cleanup deletes images without one, which killed nodes leave
 * behind. It sets the files' times back instead of waiting for two days.
 */
export async function balanceImages(databaseUrl: string, folder: string): Promise<Entry> {
  const before = await hashesIn(folder);
  const options = { schema: "runs", entities: [ScreenshotEntity], migrations };
  const node = await DatabaseNode.start({ DATABASE_URL: databaseUrl }, options);
  try {
    const images = await FileImageStore.open(folder);
    for (const _ of ["set aside", "remove"]) {
      await age(folder);
      await query(databaseUrl, "update runs.periodic_task set done_at = now() - interval '1 day'");
      await cleanImages({ em: () => node.em(), images }, new AbortController().signal);
    }
  } finally {
    await node.stop();
  }
  const after = await hashesIn(folder);
  const named = new Set((await query(databaseUrl, IMAGES_OF_ROWS)).map(({ hash }) => String(hash)));
  return {
    name: "no orphaned image",
    summary: `${named.size} images; ${before.size - after.size} left by killed nodes were cleaned up`,
    failures: [
      ...[...named].filter(hash => !after.has(hash)).map(hash => `image ${hash} is gone`),
      ...[...after].filter(hash => !named.has(hash)).map(hash => `image ${hash} has no row`),
    ],
  };
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
}

async function hashesIn(folder: string): Promise<Set<string>> {
  const hashes = (await filesIn(folder)).map(path => /([0-9a-f]{64})(?:\.aside)?\.png$/.exec(path)?.[1]);
  return new Set(hashes.filter(hash => hash !== undefined));
}

async function age(folder: string): Promise<void> {
  for (const path of await filesIn(folder)) await utimes(path, LONG_AGO, LONG_AGO);
}
