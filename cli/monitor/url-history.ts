import { createHash, randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { basename, join } from "node:path";
import { z } from "zod";
import { selectorRegionsSchema } from "../../shared/contracts/capture/ignore-region.ts";
import type { ScreenshotKey } from "../../shared/contracts/capture/screenshot-key.ts";
import { parseJson } from "../../shared/json.ts";
import { removeDrafts, writeAtomically } from "../baselines/write-atomically.ts";
import { MONITOR_NOTES } from "../texts/monitor.ts";
import { withFileLock } from "./file-lock.ts";
import { type HistoryEntry, historyEntry } from "./history-entry.ts";

/**
 * Newest entries with images whose images are kept, so that a page that changes all day does not fill the disk.
 */
const MAX_ENTRIES_WITH_IMAGES = 20;
/** Newest entries that are searched for images. Images older than a thousand checks are not needed. */
const MAX_SCANNED_ENTRIES = 1_000;
/** An image without a reference may get one soon from the process that just wrote it. */
const IMAGE_GRACE_MS = 600_000;

const ENTRY_NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-[0-9a-f]{8}\.json$/;
const FOLDER_NAME = /-[0-9a-f]{8}$/;
const IMAGE_NAME = /^[0-9a-f]{20}\.png$/;

const baselineSchema = z.object({
  version: z.literal(1),
  url: z.string(),
  /** By width in px, and by state and environment where there is one. See `baselineKeyOf`. */
  widths: z.record(
    z.string(),
    z.object({
      hash: z.string().regex(/^[0-9a-f]{64}$/),
      browser: z.string(),
      at: z.string(),
      /** Where the elements of ignore regions are in the image. */
      selectorRegions: z.array(selectorRegionsSchema).optional(),
    }),
  ),
});

export type Baselines = z.infer<typeof baselineSchema>["widths"];
export type Baseline = Baselines[string];

/** Returns a baseline's key in the file. Without a state and an environment, it is the width alone. */
export function baselineKeyOf({ state, environment, viewport }: Omit<ScreenshotKey, "route">): string {
  if (state === null && environment === null) return String(viewport);
  return JSON.stringify([viewport, state, environment]);
}

/** Creates a history's folder if it is missing. Git ignores it unless its user changes that. */
export async function createHistory(historyDir: string): Promise<void> {
  const made = await mkdir(historyDir, { recursive: true });
  if (made !== undefined) await writeAtomically(join(historyDir, ".gitignore"), "*\n");
}

/** The folder of one URL: its baselines and the result of each run. A process that dies leaves it valid. */
export class UrlHistory {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Returns the history of a URL. */
  static of(historyDir: string, url: string): UrlHistory {
    return new UrlHistory(join(historyDir, folderOf(url)));
  }

  /** Returns the histories of all URLs. */
  static async all(historyDir: string): Promise<UrlHistory[]> {
    const folders = await readdir(historyDir, { withFileTypes: true }).catch(() => []);
    return folders
      .filter(folder => folder.isDirectory() && FOLDER_NAME.test(folder.name))
      .map(({ name }) => new UrlHistory(join(historyDir, name)));
  }

  /** Creates the folder if it is missing, and removes files that a crash left. */
  async open(): Promise<void> {
    await mkdir(join(this.folder, "images"), { recursive: true });
    await removeDrafts(this.folder);
    await removeDrafts(join(this.folder, "images"));
  }

  /**
   * Returns the baselines by key. Empty before the first check. @throws Error if they can't be read. A new
   * screenshot must not replace them then
   */
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

  /** Returns an image as it was captured. @throws Error if it is missing or damaged */
  async image(hash: string): Promise<Buffer> {
    const bytes = await readFile(join(this.folder, imagePath(hash)));
    if (sha256(bytes) !== hash) throw new Error(MONITOR_NOTES.imageDamaged);
    return bytes;
  }

  /** Stores an image under its hash. @returns its path, relative to the folder */
  async putImage(bytes: Uint8Array): Promise<string> {
    const relativePath = imagePath(sha256(bytes));
    const path = join(this.folder, relativePath);
    const { size } = await stat(path).catch(() => ({ size: -1 }));
    // Renews the time of an existing image, so that the cleanup does not delete it.
    if (size === bytes.length) await utimes(path, new Date(), new Date());
    else await writeAtomically(path, bytes, { lasting: true });
    return relativePath;
  }

  /**
   * Stores some baselines. Their images are already stored. Another process may store others.
   * @param signal aborts the wait for that process
   * @throws the signal's reason
   */
  async establish(url: string, established: Baselines, signal: AbortSignal): Promise<void> {
    await withFileLock(join(this.folder, "baseline.json.turn"), signal, async () => {
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

  /** Returns the names of the entries, newest first. Names start with the time. */
  async names(): Promise<string[]> {
    const names = await readdir(this.folder).catch(() => []);
    return names
      .filter(name => ENTRY_NAME.test(name))
      .sort()
      .reverse();
  }

  /** Returns an entry. Null if it can't be read. */
  async entry(name: string): Promise<HistoryEntry | null> {
    const text = await readFile(join(this.folder, name), "utf8").catch(() => null);
    const read = historyEntry.safeParse(text === null ? null : parseJson(text));
    return read.success ? read.data : null;
  }

  /** Deletes entries that are not kept, and images without a reference. @returns the number of deleted entries */
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
    for (const name of (await this.names()).slice(0, MAX_SCANNED_ENTRIES)) {
      const images = (await this.entry(name))?.shots.flatMap(shot => Object.values(shot.images)) ?? [];
      const own = images.flatMap(path => (path === null ? [] : [basename(path)]));
      for (const image of own) named.add(image);
      if (own.length > 0) withImages += 1;
      if (withImages >= MAX_ENTRIES_WITH_IMAGES) break;
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

/** Returns a folder name that is readable and unique for each URL, such as `shop.example-pricing-1f3a9c2e`. */
function folderOf(url: string): string {
  const { host, pathname } = new URL(url);
  const words = `${host}${pathname}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, "-")
    .replaceAll(/^[-.]+|[-.]+$/g, "");
  return `${words.slice(0, 60)}-${sha256(url).slice(0, 8)}`;
}

/** Returns the path of an image in the URL's folder. Its name is short, but long enough to be unique. */
export function imagePath(hash: string): string {
  return `images/${hash.slice(0, 20)}.png`;
}

/** Returns the time in an entry's name. */
function timeOf(name: string): Date {
  const [date = "", rest = ""] = name.split("T");
  return new Date(`${date}T${rest.slice(0, 13).replaceAll("-", ":")}`);
}

function sha256(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}
