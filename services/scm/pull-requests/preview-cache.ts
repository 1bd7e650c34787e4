import { LRUCache } from "lru-cache";
import type { Preview } from "../checks/check-run.entity.ts";

/** About the commits of a few busy days. */
const MAX_PREVIEWS = 10_000;

/** The preview URLs of commits that providers reported. In memory only. */
export class PreviewCache {
  readonly #urls: LRUCache<string, string>;

  constructor(size = MAX_PREVIEWS) {
    this.#urls = new LRUCache({ max: size });
  }

  get(key: string): string | null {
    return this.#urls.get(key) ?? null;
  }

  /** @param url null deletes it */
  put(key: string, url: string | null): void {
    if (url === null) this.#urls.delete(key);
    else this.#urls.set(key, url);
  }
}

/** Returns `owner/repo@sha`. The code host's names ignore case. */
export function previewKey({ owner, repo }: { owner: string; repo: string }, sha: string): string {
  return `${owner}/${repo}@${sha}`.toLowerCase();
}

/** Returns `owner/repo@sha` and the deployment. */
export function expectedKey(commit: { owner: string; repo: string; sha: string }, source: string): string {
  return `${previewKey(commit, commit.sha)} ${source}`;
}

/** Returns the preview of a commit that a provider reported, or null. */
export function knownPreview(
  previews: PreviewCache,
  commit: { owner: string; repo: string; sha: string },
): Preview | null {
  const previewUrl = previews.get(previewKey(commit, commit.sha));
  return previewUrl === null ? null : { previewUrl, fromTemplate: false };
}
