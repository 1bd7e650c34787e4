import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import type { OpenImage } from "../../../shared/contracts/image-store.ts";
import { ServiceError } from "../../../shared/errors.ts";
import type { Gateway } from "../gateway-context.ts";
import type { Input } from "../routes/route.ts";
import { UNAVAILABLE_ERRORS } from "../texts/errors.ts";

/** Interval of the log message while the store is unavailable for many requests. */
const LOG_INTERVAL_MS = 10_000;

const loggedAt = new WeakMap<Gateway, number>();

/** Opens an image. Null if there is none. @throws ServiceError unavailable if the store doesn't respond */
export async function openImage(gateway: Gateway, hash: string): Promise<OpenImage | null> {
  try {
    return await gateway.images.open(hash);
  } catch (error) {
    throw imageStoreError(gateway, error);
  }
}

/** Reads all bytes of an image. @throws ServiceError unavailable if the store breaks off */
export function bytesOf(gateway: Gateway, { stream }: OpenImage): Promise<Buffer> {
  return buffer(stream).catch(error => Promise.reject(imageStoreError(gateway, error)));
}

/** Sends an opened file as the response. */
export async function sendOpened(
  gateway: Gateway,
  { req, res }: Pick<Input, "req" | "res">,
  { stream, bytes }: OpenImage,
  headers: Record<string, string>,
): Promise<undefined> {
  res.writeHead(200, { ...headers, "Content-Length": bytes });
  if (req.method === "HEAD" || res.destroyed) {
    stream.destroy();
    res.end();
    return;
  }
  try {
    await pipeline(stream, res);
  } catch (error) {
    // The closed connection shows the reader that the file is incomplete. A reader who disconnects is no error.
    if (!isGoneReader(error)) imageStoreError(gateway, error);
  }
}

function isGoneReader(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE";
}

/** Returns the error for a store that failed, and logs the store's own error. */
export function imageStoreError(gateway: Gateway, error: unknown): ServiceError {
  if (Date.now() - (loggedAt.get(gateway) ?? 0) > LOG_INTERVAL_MS) {
    loggedAt.set(gateway, Date.now());
    gateway.broker.logger.warn({ err: error }, UNAVAILABLE_ERRORS.noImageStore);
  }
  return new ServiceError("unavailable", UNAVAILABLE_ERRORS.imageStore);
}
