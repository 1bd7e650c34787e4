import { createHash, randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { basename, join } from "node:path";
import { z } from "zod";
import { parseJson } from "../../shared/json.ts";
import { removeAbandoned, writeAtomically } from "../baselines/write-atomically.ts";
import { MONITOR_NOTES } from "../texts/monitor.ts";
import { type HistoryEntry, historyEntry } from "./history-entry.ts";
import { inTurn } from "./in-turn.ts";

/** Entries whose images are kept, the newest of those that have some: a page that moves all day must not fill the disk. */
const ENTRIES_WITH_IMAGES = 20;
/** Of those that are looked through for images: an image that is older than a thousand looks is of no interest. */
const ENTRIES_LOOKED_THROUGH = 1_000;
/** An image that nothing names yet may be named in a moment by who has just written it. */
const IMAGE_GRACE_MS = 600_000;

const ENTRY_NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-[0-9a-f]{8}\.json$/;
const FOLDER_NAME = /-[0-9a-f]{8}$/;
const IMAGE_NAME = /^[0-9a-f]{20}\.png$/;

const baselineSchema = z.object({
  version: z.literal(1),
  url: z.string(),
  /** By width, px. */
  widths: z.record(
    z.string(),
    z.object({ hash: z.string().regex(/^[0-9a-f]{64}$/), browser: z.string(), at: z.string() }),
  ),
});

export type Baselines = z.infer<typeof baselineSchema>["widths"];
export type Baseline = Baselines[string];

/** Makes the folder of a history where it is missing. Git leaves it alone, unless its user has that otherwise. */
export async function beginHistory(historyDir: string): Promise<void> {
  const made = await mkdir(historyDir, { recursive: true });
  if (made !== undefined) await writeAtomically(join(historyDir, ".gitignore"), "*\n");
}

/** The folder of one URL: its baselines, and what each run found. Whoever dies in the middle leaves it whole. */
export class UrlHistory {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** The one of this URL. */
  static of(historyDir: string, url: string): UrlHistory {
    return new UrlHistory(join(historyDir, folderOf(url)));
  }

  /** Those of all URLs that there are. */
  static async all(historyDir: string): Promise<UrlHistory[]> {
    const folders = await readdir(historyDir, { withFileTypes: true }).catch(() => []);
    return folders
      .filter(folder => folder.isDirectory() && FOLDER_NAME.test(folder.name))
      .map(({ name }) => new UrlHistory(join(historyDir, name)));
  }

  /** Makes the folder where it is missing, and clears away what a crash has left. */
  async open(): Promise<void> {
    await mkdir(join(this.folder, "images"), { recursive: true });
    await removeAbandoned(this.folder);
    await removeAbandoned(join(this.folder, "images"));
  }

  /** By width; none where there was no look yet. @throws Error when they cannot be read: a new look must not replace them unseen */
  async baselines(): Promise<Baselines> {
    const text = await readFile(join(this.folder, "baseline.json"), "utf8").catch((error: unknown) => {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
      throw error;
    });
    if (text === null) return {};
    const read = baselineSchema.safeParse(parseJson(text));
    if (read.success) return read.data.widths;
    throw new Error(MONITOR_NOTES.damaged(join(this.folder, "baseline.json")));
  }

  /** The image, as it was taken. @throws Error when it is gone or damaged */
  async image(hash: string): Promise<Buffer> {
    const bytes = await readFile(join(this.folder, imagePath(hash)));
    if (sha256(bytes) !== hash) throw new Error(MONITOR_NOTES.imageDamaged);
    return bytes;
  }

  /** Keeps an image under its hash. @returns its path, relative to the folder */
  async putImage(bytes: Uint8Array): Promise<string> {
    const place = imagePath(sha256(bytes));
    const path = join(this.folder, place);
    const { size } = await stat(path).catch(() => ({ size: -1 }));
    // One that is there already is new again to who clears away old ones.
    if (size === bytes.length) await utimes(path, new Date(), new Date());
    else await writeAtomically(path, bytes, { lasting: true });
    return place;
  }

  /**
   * Makes these the baselines of their widths; the images are there already. Another process may do so for other widths.
   * @param signal ends the wait for it
   * @throws the signal's reason
   */
  async establish(url: string, established: Baselines, signal: AbortSignal): Promise<void> {
    await inTurn(join(this.folder, "baseline.json.turn"), signal, async () => {
      const widths = { ...(await this.baselines().catch(() => ({}))), ...established };
      await this.#write("baseline.json", { version: 1, url, widths });
    });
    signal.throwIfAborted();
  }

  async add(entry: HistoryEntry): Promise<void> {
    const name = `${entry.at.replaceAll(":", "-")}-${randomBytes(4).toString("hex")}.json`;
    await this.#write(name, entry);
    if (entry.shots.some(({ images }) => images.current !== null)) await this.#removeImages();
  }

  /** The names of its entries, newest first. They begin with the time. */
  async names(): Promise<string[]> {
    const names = await readdir(this.folder).catch(() => []);
    return names
      .filter(name => ENTRY_NAME.test(name))
      .sort()
      .reverse();
  }

  /** Null where it cannot be read. */
  async entry(name: string): Promise<HistoryEntry | null> {
    const text = await readFile(join(this.folder, name), "utf8").catch(() => null);
    const read = historyEntry.safeParse(text === null ? null : parseJson(text));
    return read.success ? read.data : null;
  }

  /** Removes the entries that are not kept, and the images that nothing names any more. @returns how many entries */
  async prune(keeps: (at: Date, newerOnes: number) => boolean): Promise<number> {
    const gone = (await this.names()).filter((name, newerOnes) => !keeps(timeOf(name), newerOnes));
    for (const name of gone) await rm(join(this.folder, name), { force: true });
    await this.#removeImages();
    return gone.length;
  }

  async #removeImages(): Promise<void> {
    const baselines = await this.baselines().catch(() => null);
    // Any image may be a baseline's, because the list of baselines is unreadable.
    if (baselines === null) return;
    const named = new Set(Object.values(baselines).map(({ hash }) => basename(imagePath(hash))));
    let withImages = 0;
    for (const name of (await this.names()).slice(0, ENTRIES_LOOKED_THROUGH)) {
      const images = (await this.entry(name))?.shots.flatMap(shot => Object.values(shot.images)) ?? [];
      const own = images.flatMap(path => (path === null ? [] : [basename(path)]));
      for (const image of own) named.add(image);
      if (own.length > 0) withImages += 1;
      if (withImages >= ENTRIES_WITH_IMAGES) break;
    }
    const folder = join(this.folder, "images");
    for (const name of await readdir(folder).catch(() => [])) {
      if (!IMAGE_NAME.test(name) || named.has(name)) continue;
      const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Date.now() }));
      if (Date.now() - mtimeMs > IMAGE_GRACE_MS) await rm(join(folder, name), { force: true });
    }
  }

  #write(name: string, content: object): Promise<void> {
    return writeAtomically(join(this.folder, name), `${JSON.stringify(content, null, 2)}\n`, {
      lasting: true,
    });
  }
}

/** `shop.example-pricing-1f3a9c2e`: says which URL it is, and is its own for each. */
function folderOf(url: string): string {
  const { host, pathname } = new URL(url);
  const words = `${host}${pathname}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, "-")
    .replaceAll(/^[-.]+|[-.]+$/g, "");
  return `${words.slice(0, 60)}-${sha256(url).slice(0, 8)}`;
}

/** Where an image is, from the URL's folder. Its name is short enough to read, and long enough to be its own. */
export function imagePath(hash: string): string {
  return `images/${hash.slice(0, 20)}.png`;
}

/** When the entry of this name was made. */
function timeOf(name: string): Date {
  const [date = "", rest = ""] = name.split("T");
  return new Date(`${date}T${rest.slice(0, 13).replaceAll("-", ":")}`);
}

function sha256(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}
