/** Images under the SHA-256 of their bytes. What is stored never changes, so it can be cached for ever. */
export interface ImageStore {
  /** Stores a PNG; storing it again costs next to nothing. @returns its SHA-256, hex */
  put(png: Buffer): Promise<string>;
  /** @throws Error when there is no such image */
  get(hash: string): Promise<Buffer>;
  /** The bytes as a stream with their number, or null when there is no such image. */
  open(hash: string): Promise<{ stream: NodeJS.ReadableStream; bytes: number } | null>;
}
