import { pipeline } from "node:stream/promises";
import type { ImageQuery } from "../../../shared/contracts/runs/thumbnails.ts";
import { notFound, ServiceError } from "../../../shared/errors.ts";
import { type ChangeImage, readChangeName } from "../../../shared/links/change-image.ts";
import { endOfDay, linkState } from "../../../shared/links/link-rules.ts";
import type { ImageLink } from "../../../shared/links/links.ts";
import { teamsOfReader } from "../auth/teams-of-reader.ts";
import type { Gateway } from "../gateway-context.ts";
import type { Input } from "../routes/route.ts";
import { ACCESS_ERRORS, LIMIT_ERRORS, OPERATOR_MESSAGES } from "../texts.ts";
import { bytesOf, openImage, storeIsAway } from "./open-image.ts";
import { nameOf, type ThumbnailKind, TooManyWait } from "./thumbnails.ts";

const FILE = /^([\w-]+)\.png$/;
const HASH = /^[0-9a-f]{64}$/;
/** The largest page's PNG is less; what is larger is answered as it is. */
const SHRUNK_BYTES_AT_MOST = 64 * 1024 * 1024;

const FOR_EVER = { "Cache-Control": "private, max-age=31536000, immutable" };

type ImageInput = Input<unknown, ImageQuery>;

/** Answers an image that a signed link names, its thumbnail, or the picture of a change. It never changes, so that it may be kept for ever. */
export async function serveImage(gateway: Gateway, input: ImageInput): Promise<undefined> {
  const { params } = input;
  const { team = "", signature = "", file = "" } = params;
  const name = FILE.exec(file)?.[1];
  const links = await gateway.links();
  const link = name === undefined ? null : links.readImage(team, name, signature);
  if (name === undefined || !link) {
    throw new ServiceError("unauthorized", ACCESS_ERRORS.foreignImageLink);
  }
  await requireOpenImage(gateway, input, team, link);
  if (HASH.test(name)) return await sendImage(gateway, input, name);
  const picture = readChangeName(name);
  if (!picture) throw notFound("image", name);
  return await sendChange(gateway, input, picture);
}

async function sendImage(gateway: Gateway, input: ImageInput, hash: string): Promise<undefined> {
  const { query, req, res } = input;
  const kind = query.w === undefined ? null : { w: query.w, band: query.band };
  const etag = kind ? `"${hash}-${nameOf(kind)}"` : `"${hash}"`;
  const kept = { ETag: etag, ...FOR_EVER };
  if (req.headers["if-none-match"] === etag) {
    res.writeHead(304, kept).end();
    return;
  }
  if (!kind) return await streamImage(gateway, input, hash, kept);
  const thumbnail = await thumbnailOf(gateway, input, hash, kind);
  // Not to be kept: the next time there may be a thumbnail.
  if (!thumbnail) return await streamImage(gateway, input, hash, { "Cache-Control": "no-store" });
  res.writeHead(200, { ...kept, "Content-Type": "image/webp", "Content-Length": thumbnail.length });
  res.end(thumbnail);
}

/** @throws ServiceError not_found where an image of the picture is gone, unavailable */
async function sendChange(gateway: Gateway, { res }: ImageInput, picture: ChangeImage): Promise<undefined> {
  const read = (hash: string) => readSmall(gateway, hash);
  const png = await orNull(gateway.thumbnails.takeChange(picture, read, () => !res.destroyed));
  if (!png) throw notFound("image", picture.diff);
  res.writeHead(200, { ...FOR_EVER, "Content-Type": "image/png", "Content-Length": png.length }).end(png);
}

/** @throws ServiceError unauthorized for a link that expired or was revoked, and for who must sign in; unavailable */
async function requireOpenImage(
  gateway: Gateway,
  { context, req }: ImageInput,
  team: string,
  { runId, generation, day }: ImageLink,
): Promise<void> {
  const rules = await gateway.linkAccess.rulesOf(context, team, runId);
  const state =
    rules && rules.generation === generation ? linkState(endOfDay(day), Date.now(), rules) : "expired";
  if (state === "open") return;
  if (state === "private" && (await teamsOfReader(gateway, context, req)).includes(team)) return;
  throw new ServiceError(
    "unauthorized",
    state === "private" ? ACCESS_ERRORS.privateLinks : ACCESS_ERRORS.deadImageLink,
  );
}

/** Null where none could be made: it is no image. @throws ServiceError not_found, unavailable */
async function thumbnailOf(
  gateway: Gateway,
  { res }: ImageInput,
  hash: string,
  kind: ThumbnailKind,
): Promise<Buffer | null> {
  const read = () => readSmall(gateway, hash);
  return await orNull(gateway.thumbnails.take(hash, kind, read, () => !res.destroyed));
}

/** @throws ServiceError not_found, unavailable; Error where it is too large */
async function readSmall(gateway: Gateway, hash: string): Promise<Buffer> {
  const image = await openImage(gateway, hash);
  if (!image) throw notFound("image", hash);
  if (image.bytes <= SHRUNK_BYTES_AT_MOST) return await bytesOf(gateway, image);
  image.stream.destroy();
  throw new Error(OPERATOR_MESSAGES.imageTooLarge(hash, image.bytes));
}

/** Null where none could be made. @throws ServiceError not_found, unavailable */
async function orNull(thumbnail: Promise<Buffer>): Promise<Buffer | null> {
  try {
    return await thumbnail;
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    if (!(error instanceof TooManyWait)) return null;
    // The whole image would take many times as much, of all that is short just then.
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
  // Nobody to send it to any more.
  if (res.destroyed) return;
  const image = await openImage(gateway, hash);
  if (!image) throw notFound("image", hash);
  res.writeHead(200, { ...headers, "Content-Type": "image/png", "Content-Length": image.bytes });
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
