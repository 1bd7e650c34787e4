import type { Readable } from "node:stream";

/** An image in a store's list. */
export interface StoredImage {
  hash: string;
  bytes: number;
  /** Whether it was set aside. */
  aside: boolean;
}

/**
 * An image's bytes and their count. The caller reads the stream to its end or destroys it, because it may
 * hold a connection.
 */
export interface OpenImage {
  stream: Readable;
  bytes: number;
}

/** A request with which a client sends a file to the store itself. */
export interface SignedUpload {
  /** URL for a PUT. It expires. */
  url: string;
  /** Headers to send. */
  headers: Record<string, string>;
}

/** Files that clients send to the store themselves. They are no images until they are verified. */
export interface DirectUploads {
  sign(name: string): Promise<SignedUpload>;
  /** Reads a received file, unless it has more than `maxBytes`. */
  read(name: string, maxBytes: number): Promise<Buffer | "missing" | "too large">;
  /** Deletes a received file. A missing one is no error. */
  remove(name: string): Promise<void>;
}

/** Images by the SHA-256 of their bytes. A stored image never changes, so it can be cached forever. */
export interface ImageStore {
  /** Stores a PNG. Storing it again is cheap, and resets its age. @returns its SHA-256 in hex */
  put(png: Buffer): Promise<string>;
  /** Returns an image. @throws Error if it is missing or its bytes were changed */
  get(hash: string): Promise<Buffer>;
  /**
   * Opens an image as a stream, or returns null if it is missing. Its bytes aren't verified, because they are
   * only shown. @throws Error if the store doesn't respond
   */
  open(hash: string): Promise<OpenImage | null>;
  /**
   * Lists every image that was last stored or set aside before `before`, in batches. An image in both places
   * is listed as set aside first.
   */
  olderThan(before: Date): AsyncIterable<StoredImage[]>;
  /**
   * Starts a removal: the image can still be read, and a `put` stores it again. Missing images are no error,
   * here and below.
   */
  setAside(hashes: string[]): Promise<void>;
  /** Restores images that were set aside. */
  putBack(hashes: string[]): Promise<void>;
  /** Deletes images that were set aside, and nothing else. */
  remove(hashes: string[]): Promise<void>;
  /** Closes connections. */
  close(): Promise<void>;
  /** Null or absent if clients can't send files to the store themselves. */
  readonly uploads?: DirectUploads | null;
}
