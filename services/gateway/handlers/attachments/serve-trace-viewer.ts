import { notFound } from "../../../../shared/errors.ts";
import type { Gateway } from "../../gateway-context.ts";
import type { Input } from "../../routes/route.ts";
import { readViewer, type ViewerFile } from "./viewer-files.ts";

/** Read at the first request, because few nodes serve it. */
let viewer: ReadonlyMap<string, ViewerFile> | null = null;

/**
 * Answers with a file of Playwright's trace viewer. The viewer runs in the reader's browser, and reads the trace from
 * its signed link. @throws ServiceError not_found
 */
export async function serveTraceViewer(_gateway: Gateway, { params, res }: Input): Promise<undefined> {
  const { first = "", second } = params;
  const path = second === undefined ? first : `${first}/${second}`;
  viewer ??= readViewer();
  const file = viewer.get(path);
  if (!file) throw notFound("file of the trace viewer", path);
  const { content, type, policy } = file;
  // Some names stay the same when Playwright is updated.
  res.setHeader("Cache-Control", "no-cache");
  if (policy !== null) res.setHeader("Content-Security-Policy", policy);
  res.writeHead(200, { "Content-Type": type, "Content-Length": content.length }).end(content);
}
