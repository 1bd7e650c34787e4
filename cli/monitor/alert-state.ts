import { createHash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { parseJson } from "../../shared/json.ts";
import { removeDrafts, writeAtomically } from "../baselines/write-atomically.ts";
import { withFileLock } from "./file-lock.ts";

const stateSchema = z.object({
  version: z.literal(1),
  /** Pages with an open alert. */
  pairs: z.array(
    z.object({
      route: z.string(),
      state: z.string().nullable().default(null),
      environment: z.string().nullable().default(null),
      viewport: z.int(),
      since: z.iso.datetime(),
      lookedAt: z.iso.datetime().optional(),
    }),
  ),
  /** Fingerprint of the last alert. */
  about: z.string().nullable().default(null),
  /** A message that may have been sent. A repeat uses the same id. */
  pending: z.object({ id: z.string(), about: z.string() }).nullable(),
});

export type AlertMemory = Omit<z.infer<typeof stateSchema>, "version">;

/** The stored alert state of one receiver. A new receiver starts without one. */
export class AlertStateFile {
  readonly #folder: string;
  readonly #name: string;

  constructor(historyDir: string, webhook: string) {
    this.#folder = join(historyDir, "alerts");
    // The webhook URL is a secret.
    this.#name = `${createHash("sha256").update(webhook).digest("hex").slice(0, 16)}.json`;
  }

  /** Returns an empty state if none is stored. */
  async read(): Promise<AlertMemory> {
    const text = await readFile(join(this.#folder, this.#name), "utf8").catch(() => "null");
    const read = stateSchema.safeParse(parseJson(text));
    return read.success ? read.data : { pairs: [], about: null, pending: null };
  }

  async write({ pairs, about, pending }: AlertMemory): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    await removeDrafts(this.#folder);
    const text = JSON.stringify({ version: 1, pairs, about, pending }, null, 2);
    await writeAtomically(join(this.#folder, this.#name), `${text}\n`, { lasting: true });
  }

  /** Runs work that only one process may do at a time. @returns null if the wait for the lock was aborted */
  async withFileLock<T>(stopping: AbortSignal, work: () => Promise<T>): Promise<T | null> {
    await mkdir(this.#folder, { recursive: true });
    return withFileLock(join(this.#folder, `${this.#name}.turn`), stopping, work);
  }
}
