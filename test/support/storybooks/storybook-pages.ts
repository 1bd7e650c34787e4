import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { contentTypeOf } from "../../../shared/content-type.ts";
import type { Page } from "../fixtures/site.ts";

/** Returns the files of a folder as pages. */
export async function pagesIn(folder: string): Promise<Record<string, Page>> {
  const paths = await readdir(folder, { recursive: true });
  const pages = paths.map(path => {
    const serve: Page = (_request, response) => {
      response.setHeader("Content-Type", contentTypeOf(path));
      createReadStream(join(folder, path)).pipe(response);
    };
    return [`/${path}`, serve] as const;
  });
  return Object.fromEntries(pages);
}
