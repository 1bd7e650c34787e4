import { LRUCache } from "lru-cache";
import { readIndex } from "../../shared/archives/archive-index.ts";
import { forEachBatch } from "../../shared/async.ts";
import type { ImageStore } from "../../shared/contracts/image-store.ts";
import type { ListedFiles } from "../../shared/contracts/runs/stories.ts";
import { BuildFiles } from "../../shared/storybook/changes/build-files.ts";

/** Parts of Storybook's own interface, which no story loads. They are large. */
const OF_MANAGER = /^sb-(?:manager|addons)\//;
/** Written for tools, and large. */
const STATISTICS = /^(?:preview|manager)-stats\.json$/;
const READ_CONCURRENCY = 8;
/** Scripts whose hashes are kept. Most are the same in the next build. Each takes about 200 bytes. */
const MAX_SCRIPTS = 50_000;

const scripts = new LRUCache<string, string>({ max: MAX_SCRIPTS });

/**
 * Returns the files of an archive with a Storybook: names and hashes of content, both without the hashes that a bundler
 * puts into names.
 * @throws Error if the store doesn't respond
 */
export async function listBuildFiles(
  store: Pick<ImageStore, "get">,
  archive: string,
  signal: AbortSignal,
): Promise<ListedFiles> {
  const all = readIndex(await store.get(archive));
  const hashes = new Map(all.map(({ path, hash }) => [path, hash]));
  const paths = [...hashes.keys()].filter(path => !OF_MANAGER.test(path) && !STATISTICS.test(path));
  const build = await BuildFiles.of(paths, async path => {
    signal.throwIfAborted();
    const hash = hashes.get(path);
    return hash === undefined ? null : await store.get(hash);
  });
  build.addKnown(scripts.entries());
  const files: [string, [string, string]][] = [];
  await forEachBatch(paths, READ_CONCURRENCY, async path => {
    const name = build.nameOf(path);
    const hash = name === null ? null : await build.hashOf(name);
    if (name !== null && hash !== null) files.push([path, [name, hash]]);
  });
  for (const [exact, hash] of build.exactHashes) scripts.set(exact, hash);
  return Object.fromEntries(files.sort(([one], [other]) => (one < other ? -1 : 1)));
}
