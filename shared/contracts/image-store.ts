import type { Readable } from "node:stream";

/** An image as its store lists it. */
export interface StoredImage {
  hash: string;
  bytes: number;
  /** Whether it was set aside. */
  aside: boolean;
}

/** An image's bytes and their number. Who opened it reads it to its end or destroys it: it may hold a connection. */
export interface OpenImage {
  stream: Readable;
  bytes: number;
}

/** Images under the SHA-256 of their bytes. What is stored never changes, so it can be cached for ever. */
export interface ImageStore {
  /** Stores a PNG; storing it again costs next to nothing, but makes it as young as a new one. @returns its SHA-256, hex */
  put(png: Buffer): Promise<string>;
  /** @throws Error when there is no such image, or its bytes are not those that were stored */
  get(hash: string): Promise<Buffer>;
  /** An image to be streamed, or null when there is no such image. Not checked on its way: nobody decides by it. @throws Error when the store does not answer */
  open(hash: string): Promise<OpenImage | null>;
  /** Every image that was stored or set aside last before `before`, in parts. One that is in both places comes as set aside first. */
  olderThan(before: Date): AsyncIterable<StoredImage[]>;
  /** The first step of a removal: the image can still be read, but a `put` stores it anew. One that is not there is no error, here and below. */
  setAside(hashes: string[]): Promise<void>;
  /** Puts back what was set aside. */
  putBack(hashes: string[]): Promise<void>;
  /** Removes for good what was set aside, and nothing else. */
  remove(hashes: string[]): Promise<void>;
  /** Lets go of connections. */
  close(): Promise<void>;
}
