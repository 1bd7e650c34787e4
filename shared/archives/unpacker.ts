import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import type { ArchiveEntries } from "./archive-entries.ts";
import type { ArchivedFile } from "./archive-index.ts";

/** Writes the files of an archive into a folder, each under its hash, so that no name of the archive is ever used. */
export class Unpacker {
  readonly entries: ArchiveEntries;
  readonly files: ArchivedFile[] = [];
  readonly #folder: string;

  constructor(folder: string, entries: ArchiveEntries) {
    this.#folder = folder;
    this.entries = entries;
  }

  /** Writes a file. @throws InvalidArchiveError, errors of the file system */
  async write(path: string, content: AsyncIterable<unknown>): Promise<{ bytes: number }> {
    const draft = join(this.#folder, randomUUID());
    const file = createWriteStream(draft, { mode: 0o600 });
    // Without a listener, an error between two chunks would end the process. The next chunk throws it.
    file.on("error", () => {});
    const hash = createHash("sha256");
    let bytes = 0;
    try {
      for await (const chunk of content) {
        if (!(chunk instanceof Uint8Array)) throw new TypeError("The content is not bytes.");
        bytes += chunk.length;
        this.entries.count(path, chunk.length, bytes);
        hash.update(chunk);
        if (file.errored) throw file.errored;
        if (!file.write(chunk)) await once(file, "drain");
      }
    } finally {
      file.end();
      await finished(file);
    }
    const digest = hash.digest("hex");
    await rename(draft, join(this.#folder, digest));
    this.files.push({ path, hash: digest, bytes });
    return { bytes };
  }
}
