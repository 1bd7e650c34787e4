import { availableParallelism } from "node:os";
import { CaptureEngine } from "../../../cli/check/capture-engine.ts";
import { mapBounded } from "../../../cli/concurrency.ts";
import { planStories } from "../../../cli/storybook/plan-stories.rule.ts";
import { readIndex } from "../../../cli/storybook/read-index.ts";
import { serveFolder } from "../../../cli/storybook/static-server.ts";
import { CaptureError } from "../../../shared/capture/capture-types.ts";
import { projectConfigSchema } from "../../../shared/project-config/project-config.ts";
import { BROWSER_CACHE } from "../drivers/runner.ts";

/** Captures stories of a build one by one, to compare them alone and together. */
export class AloneCapture {
  readonly #engine = new CaptureEngine({
    ...{ chromiumPath: process.env.CHROMIUM_PATH ?? null, firefoxPath: null, cacheDir: BROWSER_CACHE },
    pages: 1,
  });
  readonly #server: Awaited<ReturnType<typeof serveFolder>>;

  private constructor(server: Awaited<ReturnType<typeof serveFolder>>) {
    this.#server = server;
  }

  static async start(folder: string): Promise<AloneCapture> {
    return new AloneCapture(await serveFolder(folder));
  }

  async stop(): Promise<void> {
    await this.#engine.close();
    await this.#server.close();
  }

  /** Returns the hashes of stories by their names, each captured in a browser context that no other story has used. */
  async hashes(ids: readonly string[]): Promise<Map<string, string>> {
    return await this.#capture(ids, null);
  }

  /**
   * Captures stories in this order in pages that they share, as a check with baselines does.
   * @param alone hashes by their names, which are the baselines
   */
  async hashesTogether(
    ids: readonly string[],
    alone: ReadonlyMap<string, string>,
  ): Promise<Map<string, string>> {
    return await this.#capture(ids, alone);
  }

  async #capture(
    ids: readonly string[],
    baselines: ReadonlyMap<string, string> | null,
  ): Promise<Map<string, string>> {
    const { url } = this.#server;
    const { signal } = new AbortController();
    const config = { ...projectConfigSchema.parse({}), viewports: [1280] };
    const indexed = new Map((await readIndex(url, signal)).map(story => [story.id, story]));
    const hashes = new Map<string, string>();
    const ordered = ids.flatMap(id => indexed.get(id) ?? []);
    const { stories } = planStories(ordered, { url, extracted: {}, config });
    // Planning puts the stories of a file together.
    const planned = stories.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
    // Stories alone don't affect each other. Those that share a page follow each other.
    const concurrency = baselines === null ? availableParallelism() : 1;
    await mapBounded(planned, concurrency, async ({ route, id, ...visit }) => {
      const { story, settings: environment, viewport, height, options, site, ignoreSelectors } = visit;
      const [capture] =
        (await this.#engine.capture(
          {
            ...{ url: visit.url, site, viewport, height, environment, options, ignoreSelectors },
            ...{ story, isFresh: baselines === null },
            states: [{ state: null, baselineHash: baselines?.get(route) ?? null }],
          },
          signal,
        )) ?? [];
      if (capture === undefined || capture instanceof CaptureError) throw capture ?? new Error(id);
      hashes.set(route, capture.hash);
    });
    return hashes;
  }
}
