import { pipeline } from "node:stream/promises";
import { notFound, ServiceError } from "../../shared/errors.ts";
import type { Gateway } from "./gateway.ts";
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
  const etag = `"${hash}"`;
  res.setHeader("ETag", etag);
  res.setHeader("Cache-Control", "private, max-age=31536000, immutable");
  if (req.headers["if-none-match"] === etag) {
    res.writeHead(304).end();
    return;
  }
  const image = await gateway.images.open(hash);
  if (!image) throw notFound("image", hash);
  res.writeHead(200, { "Content-Type": "image/png", "Content-Length": image.bytes });
  // A reader who goes away in the middle is no fault of ours.
  await pipeline(image.stream, res).catch(() => {});
}
