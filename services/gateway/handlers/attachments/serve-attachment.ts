import { extname } from "node:path";
import { notFound, ServiceError } from "../../../../shared/errors.ts";
import { requireOpenLink } from "../../auth/require-open-link.ts";
import type { Gateway } from "../../gateway-context.ts";
import type { Input } from "../../routes/route.ts";
import { ACCESS_ERRORS } from "../../texts/errors.ts";
import { imageStoreError, sendOpened } from "../open-image.ts";

/** Files that browsers show or download. Users upload them, so no browser may take them for a page or script. */
const HEADERS = {
  "Cache-Control": "private, max-age=31536000, immutable",
  "Content-Security-Policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
};

/** Types of files that browsers download. They show the others as text. */
const TYPES: Record<string, string> = {
  ".zip": "application/zip",
  ".har": "application/json",
  ".json": "application/json",
};

/**
 * Answers with the attachment of a signed link. Plain text is shown, and other files are downloaded.
 * @throws ServiceError unauthorized, not_found, unavailable
 */
export async function serveAttachment(gateway: Gateway, input: Input): Promise<undefined> {
  const { team = "", signature = "", hash = "", file: fileName = "" } = input.params;
  const link = (await gateway.links()).readAttachment(team, { hash, fileName }, signature);
  if (!link) throw new ServiceError("unauthorized", ACCESS_ERRORS.foreignImageLink);
  await requireOpenLink(gateway, input, team, link);
  const opened = await gateway.archiveFiles
    .open(hash)
    .catch(error => Promise.reject(imageStoreError(gateway, error)));
  if (!opened) throw notFound("attachment", hash);
  const type = TYPES[extname(fileName)];
  return await sendOpened(gateway, input, opened, {
    ...HEADERS,
    "Content-Type": type ?? "text/plain; charset=utf-8",
    "Content-Disposition": `${type === undefined ? "inline" : "attachment"}; filename="${fileName}"`,
  });
}
