import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Keeps the baselines' images on disk, because those of the whole corpus would fill the memory. */
export class ImageFolder {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async make(): Promise<ImageFolder> {
    return new ImageFolder(await mkdtemp(join(tmpdir(), "vrs-real-pages-")));
  }

  async write(name: string, png: Buffer): Promise<void> {
    await writeFile(this.#pathOf(name), png);
  }

  async read(name: string): Promise<Buffer> {
    return await readFile(this.#pathOf(name));
  }

  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  #pathOf(name: string): string {
    return join(this.#folder, createHash("sha256").update(name).digest("hex"));
  }
}

/** Writes images to the folder that a developer chose; does nothing without a folder. */
export async function keepImages(
  folder: string | null,
  name: string,
  images: Record<string, Buffer | null>,
): Promise<void> {
  if (folder === null) return;
  await mkdir(folder, { recursive: true });
  for (const [kind, png] of Object.entries(images))
    if (png !== null) await writeFile(join(folder, `${name.replaceAll(/[^\w.-]+/g, "_")}.${kind}.png`), png);
}
