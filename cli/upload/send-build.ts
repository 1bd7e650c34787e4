import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { ApiClient } from "../../shared/api/api-client.ts";
import { ApiError } from "../../shared/api/api-exchanges.ts";
import {
  BUILD_BOUNDS,
  type Build,
  type CreateBuildInput,
  type Upload,
} from "../../shared/contracts/builds/builds.ts";
import { asError } from "../../shared/errors.ts";
import { mapBounded } from "../concurrency.ts";
import { CommandError } from "../terminal.ts";
import { UPLOAD_ERRORS } from "../texts/upload.ts";
import type { HashedFile } from "./hash-files.ts";

/** The service decodes two at a time. More of them hide the time of the network. */
const UPLOAD_CONCURRENCY = 6;
/** Each is in memory for a moment. */
const ATTACHMENT_CONCURRENCY = 2;
/** Signed URLs can expire, and a bucket can lose an image before the end. */
const FINALIZE_ATTEMPTS = 3;

/** What was sent so far. */
interface Sent {
  /** Images that the service didn't have. */
  images: number;
  /** Of the images. */
  bytes: number;
  /** Attachments that the service wanted. */
  attachments: number;
}

/** Handles an attachment that couldn't be uploaded. The build is complete without it. */
export type OnSkipped = (path: string, why: string) => void;

/** Handles progress. @param unknown number of images to send, as far as it is known */
export type OnSent = (sent: Sent, unknown: number) => void;

/** A build that has been sent. */
export interface SentBuild {
  build: Build;
  sent: Sent;
}

/**
 * Lists screenshots in a build, sends the images that the service doesn't have, and finalizes the build or its shard.
 * If it is interrupted, a second call doesn't send the images again that have arrived.
 * @throws what ApiClient throws; CommandError `screenshot_changed`
 */
export async function sendBuild(
  client: ApiClient,
  body: CreateBuildInput,
  files: readonly HashedFile[],
  onSent: OnSent,
  onSkipped: OnSkipped,
): Promise<SentBuild> {
  const { shard } = body;
  const [first = [], ...others] = chunksOf(files.map(({ screenshot }) => screenshot));
  let build = await client.createBuild({ ...body, screenshots: first }, randomUUID());
  const { id } = build;
  const uploads = new Map(build.uploads.map(upload => [upload.hash, upload]));
  const attachments = new Map(build.attachments.map(upload => [upload.hash, upload]));
  for (const screenshots of others) {
    build = await client.addToBuild(id, { ...(shard !== undefined && { shard }), screenshots });
    for (const upload of build.uploads) uploads.set(upload.hash, upload);
    for (const upload of build.attachments) attachments.set(upload.hash, upload);
  }
  const paths = new Map(files.map(({ screenshot, path }) => [screenshot.hash, path]));
  const sent = { images: 0, bytes: 0, attachments: 0 };
  const send = (list: readonly Upload[]) => sendImages(client, id, list, paths, sent, onSent);
  await send([...uploads.values()]);
  const attached = new Map(files.flatMap(file => [...file.attached]));
  sent.attachments = await sendAttachments(client, id, [...attachments.values()], attached, onSkipped);
  for (let attempt = 1; ; attempt++) {
    try {
      return { build: await client.finalizeBuild(id, { ...(shard !== undefined && { shard }) }), sent };
    } catch (error) {
      const isConflict = error instanceof ApiError && error.code === "conflict";
      if (!isConflict || attempt === FINALIZE_ATTEMPTS) throw error;
      const missing = (await client.getBuild(id)).uploads.filter(({ hash }) => paths.has(hash));
      if (missing.length === 0) throw error;
      await send(missing);
    }
  }
}

async function sendImages(
  client: ApiClient,
  id: string,
  uploads: readonly Upload[],
  paths: ReadonlyMap<string, string>,
  sent: Sent,
  onSent: OnSent,
): Promise<void> {
  onSent(sent, uploads.length);
  await mapBounded(uploads, UPLOAD_CONCURRENCY, async upload => {
    const path = paths.get(upload.hash);
    if (path === undefined) return;
    const bytes = await readFile(path).catch((error: unknown) => {
      throw new CommandError("screenshot_changed", UPLOAD_ERRORS.changed(path), error);
    });
    const isStored = await putImage(client, id, upload, bytes).catch((error: unknown) => {
      throw error instanceof ApiError ? refusalOf(path, error) : error;
    });
    if (!isStored) return;
    sent.images += 1;
    sent.bytes += bytes.length;
    onSent(sent, uploads.length);
  });
}

/** @returns the number of attachments that arrived */
async function sendAttachments(
  client: ApiClient,
  id: string,
  uploads: readonly Upload[],
  paths: ReadonlyMap<string, string>,
  onSkipped: OnSkipped,
): Promise<number> {
  let arrived = 0;
  await mapBounded(uploads, ATTACHMENT_CONCURRENCY, async upload => {
    const path = paths.get(upload.hash);
    if (path === undefined) return;
    try {
      await client.uploadFile(id, "attachments", upload, await readFile(path));
      arrived += 1;
    } catch (error) {
      // Without a response, the next request fails too, and says why.
      if (error instanceof ApiError || isMissing(error)) onSkipped(path, asError(error).message);
      else throw error;
    }
  });
  return arrived;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/** @returns whether it was stored. A signed URL may expire before its turn. The next attempt gets a new one. */
async function putImage(client: ApiClient, id: string, upload: Upload, bytes: Buffer): Promise<boolean> {
  try {
    await client.uploadFile(id, "images", upload, bytes);
    return true;
  } catch (error) {
    if (!upload.sendKey && error instanceof ApiError && error.status === 403) return false;
    throw error;
  }
}

/** Names the file that the service refused. One of thousands may be damaged. */
function refusalOf(path: string, { status, code, message, requestId }: ApiError): ApiError {
  return new ApiError(status, code, `${path}: ${message}`, requestId);
}

function chunksOf<T>(all: readonly T[]): T[][] {
  const chunks: T[][] = [];
  for (let at = 0; at < all.length; at += BUILD_BOUNDS.listed)
    chunks.push(all.slice(at, at + BUILD_BOUNDS.listed));
  return chunks;
}
