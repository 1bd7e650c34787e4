import { buffer } from "node:stream/consumers";
import type { OpenImage } from "../../../shared/contracts/image-store.ts";
import { ServiceError } from "../../../shared/errors.ts";
import type { Gateway } from "../gateway-context.ts";
import { UNAVAILABLE_ERRORS } from "../texts.ts";

/** How often the log says that the store is away while one request after the other finds out. */
const SAY_AWAY_EVERY_MS = 10_000;

const saidAwayAt = new WeakMap<Gateway, number>();

/** Opens an image, or null when there is none. @throws ServiceError unavailable when the store does not answer */
export async function openImage(gateway: Gateway, hash: string): Promise<OpenImage | null> {
  try {
    return await gateway.images.open(hash);
  } catch (error) {
    throw storeIsAway(gateway, error);
  }
}

/** All bytes of an opened image. @throws ServiceError unavailable when the store breaks off */
export function bytesOf(gateway: Gateway, { stream }: OpenImage): Promise<Buffer> {
  return buffer(stream).catch(error => Promise.reject(storeIsAway(gateway, error)));
}

/** What a reader is told of a store that fails; what it said itself goes to the log. */
export function storeIsAway(gateway: Gateway, error: unknown): ServiceError {
  if (Date.now() - (saidAwayAt.get(gateway) ?? 0) > SAY_AWAY_EVERY_MS) {
    saidAwayAt.set(gateway, Date.now());
    gateway.broker.logger.warn({ err: error }, UNAVAILABLE_ERRORS.noImageStore);
  }
  return new ServiceError("unavailable", UNAVAILABLE_ERRORS.imageStore);
}
