import { CaptureEngine } from "../../../cli/check/capture-engine.ts";
import { planStories } from "../../../cli/storybook/plan-stories.rule.ts";
import { readIndex } from "../../../cli/storybook/read-index.ts";
import { serveFolder } from "../../../cli/storybook/static-server.ts";
import { CaptureError } from "../../../shared/capture/capture-types.ts";
import { projectConfigSchema } from "../../../shared/project-config/project-config.ts";
import { BROWSER_CACHE } from "../drivers/runner.ts";

/** Captures stories of a build, each in a browser context that no other story has used. */
export class AloneCapture {
  readonly #engine = new CaptureEngine({
    ...{ chromiumPath: process.env.CHROMIUM_PATH ?? null, firefoxPath: null, cacheDir: BROWSER_CACHE },
    threads: 1,
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

  /** Returns the hashes of stories' screenshots by their names. */
  async hashes(ids: readonly string[]): Promise<Map<string, string>> {
    const { url } = this.#server;
    const { signal } = new AbortController();
    const config = { ...projectConfigSchema.parse({}), viewports: [1280] };
    const indexed = (await readIndex(url, signal)).filter(({ id }) => ids.includes(id));
    const hashes = new Map<string, string>();
    for (const { route, id, ...visit } of planStories(indexed, { url, extracted: {}, config }).stories) {
      const { story, settings: environment, viewport, height, options, site, ignoreSelectors } = visit;
      const [capture] =
        (await this.#engine.capture(
          {
            ...{ url: visit.url, site, viewport, height, environment, options, ignoreSelectors },
            ...{ story, isFresh: true, states: [{ state: null, baselineHash: null }] },
          },
          signal,
        )) ?? [];
      if (capture === undefined || capture instanceof CaptureError) throw capture ?? new Error(id);
      hashes.set(route, capture.hash);
    }
    return hashes;
  }
}
