import { pipeline } from "node:stream/promises";
import { notFound, ServiceError } from "../../shared/errors.ts";
import type { Gateway } from "./gateway.ts";
import { openImage, storeIsAway } from "./open-image.ts";
import type { Input } from "./route.ts";

const FILE = /^([0-9a-f]{64})\.png$/;

/** Streams an image that a signed link names. It never changes, so that it may be kept for ever. */
export async function serveImage(gateway: Gateway, { params, req, res }: Input): Promise<undefined> {
  const { team = "", signature = "", file = "" } = params;
  const hash = FILE.exec(file)?.[1];
  const links = await gateway.links();
  if (hash === undefined || !links.opensImage(team, hash, signature)) {
    throw new ServiceError(
      "unauthorized",
      "This image link is not signed by this service; take it from the screenshot's metadata.",
    );
  }
  const kept = { ETag: `"${hash}"`, "Cache-Control": "private, max-age=31536000, immutable" };
  if (req.headers["if-none-match"] === kept.ETag) {
    res.writeHead(304, kept).end();
    return;
  }
  const image = await openImage(gateway, hash);
  if (!image) throw notFound("image", hash);
  res.writeHead(200, { ...kept, "Content-Type": "image/png", "Content-Length": image.bytes });
  // Nothing to send, or nobody to send it to any more.
  if (req.method === "HEAD" || res.destroyed) {
    image.stream.destroy();
    res.end();
    return;
  }
  try {
    await pipeline(image.stream, res);
  } catch (error) {
    // The connection is closed, which tells the reader that the image is not whole. A reader who went away is no fault of ours.
    if (!isGoneReader(error)) storeIsAway(gateway, error);
  }
}

function isGoneReader(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE";
}
