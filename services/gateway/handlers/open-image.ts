import { buffer } from "node:stream/consumers";
import type { OpenImage } from "../../../shared/contracts/image-store.ts";
import { ServiceError } from "../../../shared/errors.ts";
import type { Gateway } from "../gateway-context.ts";
import { UNAVAILABLE_ERRORS } from "../texts.ts";

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

/** Returns the error for a store that failed, and logs the store's own error. */
export function imageStoreError(gateway: Gateway, error: unknown): ServiceError {
  if (Date.now() - (loggedAt.get(gateway) ?? 0) > LOG_INTERVAL_MS) {
    loggedAt.set(gateway, Date.now());
    gateway.broker.logger.warn({ err: error }, UNAVAILABLE_ERRORS.noImageStore);
  }
  return new ServiceError("unavailable", UNAVAILABLE_ERRORS.imageStore);
}
