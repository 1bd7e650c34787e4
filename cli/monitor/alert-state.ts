import { createHash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { parseJson } from "../../shared/json.ts";
import { removeAbandoned, writeAtomically } from "../baselines/write-atomically.ts";
import { inTurn } from "./in-turn.ts";

const stateSchema = z.object({
  version: z.literal(1),
  /** What is alerted and has not gone away. */
  pairs: z.array(
    z.object({
      route: z.string(),
      viewport: z.int(),
      since: z.iso.datetime(),
      lookedAt: z.iso.datetime().optional(),
    }),
  ),
  /** What the last alert was about. */
  about: z.string().nullable().default(null),
  /** A message that may have been sent: if it is sent again, then as the same one. */
  pending: z.object({ id: z.string(), about: z.string() }).nullable(),
});

export type AlertMemory = Omit<z.infer<typeof stateSchema>, "version">;

/** What one receiver was told: another one has been told nothing yet. */
export class AlertStateFile {
  readonly #folder: string;
  readonly #name: string;

  constructor(historyDir: string, webhook: string) {
    this.#folder = join(historyDir, "alerts");
    // The address is a secret.
    this.#name = `${createHash("sha256").update(webhook).digest("hex").slice(0, 16)}.json`;
  }

  /** Nothing where nothing is known. */
  async read(): Promise<AlertMemory> {
    const text = await readFile(join(this.#folder, this.#name), "utf8").catch(() => "null");
    const read = stateSchema.safeParse(parseJson(text));
    return read.success ? read.data : { pairs: [], about: null, pending: null };
  }

  async write({ pairs, about, pending }: AlertMemory): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    await removeAbandoned(this.#folder);
    const text = JSON.stringify({ version: 1, pairs, about, pending }, null, 2);
    await writeAtomically(join(this.#folder, this.#name), `${text}\n`, { lasting: true });
  }

  /** Work on it that only one process may do at a time. @returns null where the wait for others was ended */
  async inTurn<T>(stopping: AbortSignal, work: () => Promise<T>): Promise<T | null> {
    await mkdir(this.#folder, { recursive: true });
    return inTurn(join(this.#folder, `${this.#name}.turn`), stopping, work);
  }
}
