import { createHash } from "node:crypto";
import type { Capture } from "../../../shared/capture/capture-types.ts";
import { keyOf, type ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { BuildFiles } from "../../../shared/storybook/changes/build-files.ts";
import type { LoadedFiles } from "../../../shared/storybook/changes/change-detector.ts";
import type { PlannedStory } from "../plan-stories.rule.ts";
import { settingsOf } from "./select-changed.ts";
import type { SourceFiles } from "./source-files.ts";
import type { StoryRecord, StoryRecords } from "./story-records.ts";

/** Lists of all stories. What they say about a story is among its settings. */
const LISTS = new Set(["index.json", "stories.json", "project.json"]);

/** Records what the pages of stories load. */
export class Recorder {
  readonly #stories: ReadonlyMap<string, PlannedStory>;
  readonly #build: BuildFiles;
  readonly #url: string;
  readonly #browser: string;
  readonly #sources: SourceFiles | null;
  readonly #captured: {
    story: PlannedStory;
    capture: string;
    loaded: Promise<Record<string, string> | null>;
  }[] = [];

  /** @param url of the Storybook, without a slash at the end */
  constructor(
    stories: readonly PlannedStory[],
    work: { build: BuildFiles; sources: SourceFiles | null; url: string; browser: string },
  ) {
    this.#stories = new Map(stories.map(story => [keyOf({ ...story, state: null }), story]));
    this.#build = work.build;
    this.#url = work.url;
    this.#browser = work.browser;
    this.#sources = work.sources;
  }

  /** Adds a capture of a story. */
  add(shot: ScreenshotKey, { hash, requested = [] }: Pick<Capture, "hash" | "requested">): void {
    const story = this.#stories.get(keyOf(shot));
    if (story === undefined) return;
    // Files are hashed while the browser captures the next story.
    const loaded = this.#loaded(requested, story.importPath);
    loaded.catch(() => {});
    this.#captured.push({ story, capture: hash, loaded });
  }

  /** Returns the records of the captures. Stories whose page loaded something from another server have none. */
  async records(): Promise<Pick<StoryRecords, "stories" | "files" | "scripts">> {
    const stories: StoryRecord[] = [];
    const files = new Map<string, LoadedFiles>();
    for (const { story, capture, loaded: loading } of this.#captured) {
      const loaded = await loading;
      if (loaded === null) continue;
      const id = createHash("sha256").update(JSON.stringify(loaded)).digest("hex").slice(0, 16);
      files.set(id, { id, loaded });
      const { route, environment, viewport } = story;
      const settings = settingsOf(story, this.#browser);
      const sources = (await this.#sources?.hashOf(story.importPath)) ?? undefined;
      stories.push({ route, environment, viewport, capture, settings, files: id, sources });
    }
    const scripts = [...this.#build.exactHashes].map(([exact, hash]) => ({ exact, hash }));
    return { stories, files: [...files.values()], scripts };
  }

  /**
   * Returns the hashes of requested files by their names; null if one isn't in the build. Sources say more than scripts,
   * so with them, no script has to be parsed, which takes a second for a large one.
   */
  async #loaded(requested: readonly string[], importPath: string): Promise<Record<string, string> | null> {
    const hasSources = ((await this.#sources?.hashOf(importPath)) ?? null) !== null;
    const hashOf = (name: string) => (hasSources ? this.#build.exactHashOf(name) : this.#build.hashOf(name));
    const loaded = new Map<string, string>();
    for (const url of requested) {
      if (/^(?:data|blob|about):/.test(url)) continue;
      const path = this.#pathOf(url);
      if (path !== null && LISTS.has(path)) continue;
      const name = path === null ? null : this.#build.nameOf(path);
      const hash = name === null ? null : await hashOf(name);
      if (name === null || hash === null) return null;
      loaded.set(name, hash);
    }
    if (loaded.size === 0) return null;
    return Object.fromEntries([...loaded].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #pathOf(url: string): string | null {
    if (!url.startsWith(`${this.#url}/`)) return null;
    try {
      return decodeURIComponent(new URL(url).pathname).slice(new URL(`${this.#url}/`).pathname.length);
    } catch {
      return null;
    }
  }
}
