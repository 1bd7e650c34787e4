import type { ImageQuery } from "../../../shared/contracts/runs/thumbnails.ts";
import { notFound, ServiceError } from "../../../shared/errors.ts";
import { type ChangeImage, readChangeName } from "../../../shared/links/change-image.ts";
import { requireOpenLink } from "../auth/require-open-link.ts";
import type { Gateway } from "../gateway-context.ts";
import type { Input } from "../routes/route.ts";
import { ACCESS_ERRORS, LIMIT_ERRORS } from "../texts/errors.ts";
import { OPERATOR_MESSAGES } from "../texts/log.ts";
import { bytesOf, openImage, sendOpened } from "./open-image.ts";
import { nameOf, QueueFullError, type ThumbnailKind } from "./thumbnails.ts";

const FILE = /^([\w-]+)\.png$/;
const HASH = /^[0-9a-f]{64}$/;
/** Larger than the PNG of the largest page. Larger images are sent unchanged. */
const MAX_SOURCE_BYTES = 64 * 1024 * 1024;

const IMMUTABLE = { "Cache-Control": "private, max-age=31536000, immutable" };

type ImageInput = Input<unknown, ImageQuery>;

/**
 * Answers with the image of a signed link, its thumbnail, or the image of a change. It never changes, so it can be
 * cached forever.
 */
export async function serveImage(gateway: Gateway, input: ImageInput): Promise<undefined> {
  const { params } = input;
  const { team = "", signature = "", file = "" } = params;
  const name = FILE.exec(file)?.[1];
  const links = await gateway.links();
  const link = name === undefined ? null : links.readImage(team, name, signature);
  if (name === undefined || !link) {
    throw new ServiceError("unauthorized", ACCESS_ERRORS.foreignImageLink);
  }
  await requireOpenLink(gateway, input, team, link);
  if (HASH.test(name)) return await sendImage(gateway, input, name);
  const changeImage = readChangeName(name);
  if (!changeImage) throw notFound("image", name);
  return await sendChange(gateway, input, changeImage);
}

async function sendImage(gateway: Gateway, input: ImageInput, hash: string): Promise<undefined> {
  const { query, req, res } = input;
  const kind = query.w === undefined ? null : { w: query.w, band: query.band };
  const etag = kind ? `"${hash}-${nameOf(kind)}"` : `"${hash}"`;
  const headers = { ETag: etag, ...IMMUTABLE };
  if (req.headers["if-none-match"] === etag) {
    res.writeHead(304, headers).end();
    return;
  }
  if (!kind) return await streamImage(gateway, input, hash, headers);
  const thumbnail = await thumbnailOf(gateway, input, hash, kind);
  // Not cached, because the thumbnail may work next time.
  if (!thumbnail) return await streamImage(gateway, input, hash, { "Cache-Control": "no-store" });
  res.writeHead(200, { ...headers, "Content-Type": "image/webp", "Content-Length": thumbnail.length });
  res.end(thumbnail);
}

/** Sends the image of a change. @throws ServiceError not_found if one of its images is gone; unavailable */
async function sendChange(
  gateway: Gateway,
  { res }: ImageInput,
  changeImage: ChangeImage,
): Promise<undefined> {
  const read = (hash: string) => readSmall(gateway, hash);
  const png = await nullIfFailed(gateway.thumbnails.getChange(changeImage, read, () => !res.destroyed));
  if (!png) throw notFound("image", changeImage.diff);
  res.writeHead(200, { ...IMMUTABLE, "Content-Type": "image/png", "Content-Length": png.length }).end(png);
}

/** Returns a thumbnail. Null if none can be created. @throws ServiceError not_found, unavailable */
async function thumbnailOf(
  gateway: Gateway,
  { res }: ImageInput,
  hash: string,
  kind: ThumbnailKind,
): Promise<Buffer | null> {
  const read = () => readSmall(gateway, hash);
  return await nullIfFailed(gateway.thumbnails.get(hash, kind, read, () => !res.destroyed));
}

/** Reads an image. @throws ServiceError not_found, unavailable; Error if it is too large */
async function readSmall(gateway: Gateway, hash: string): Promise<Buffer> {
  const image = await openImage(gateway, hash);
  if (!image) throw notFound("image", hash);
  if (image.bytes <= MAX_SOURCE_BYTES) return await bytesOf(gateway, image);
  image.stream.destroy();
  throw new Error(OPERATOR_MESSAGES.imageTooLarge(hash, image.bytes));
}

/** Returns null if the thumbnail can't be created. @throws ServiceError not_found, unavailable */
async function nullIfFailed(thumbnail: Promise<Buffer>): Promise<Buffer | null> {
  try {
    return await thumbnail;
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    if (!(error instanceof QueueFullError)) return null;
    // The whole image would take much more of the resources that are short.
    throw new ServiceError("unavailable", LIMIT_ERRORS.thumbnails, {
      retryAfterSeconds: 2,
    });
  }
}

async function streamImage(
  gateway: Gateway,
  { req, res }: ImageInput,
  hash: string,
  headers: Record<string, string>,
): Promise<undefined> {
  // The reader disconnected.
  if (res.destroyed) return;
  const image = await openImage(gateway, hash);
  if (!image) throw notFound("image", hash);
  await sendOpened(gateway, { req, res }, image, { ...headers, "Content-Type": "image/png" });
}
