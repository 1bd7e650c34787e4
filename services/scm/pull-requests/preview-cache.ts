import type { Preview } from "../checks/check-run.entity.ts";

/** About the commits of a few busy days. */
const MAX_PREVIEWS = 10_000;

/** The preview URLs of commits that providers reported. In memory only; the oldest are deleted. */
export class PreviewCache {
  readonly #urls = new Map<string, string>();
  readonly #size: number;

  constructor(size = MAX_PREVIEWS) {
    this.#size = size;
  }

  get(key: string): string | null {
    return this.#urls.get(key) ?? null;
  }

  /** @param url null deletes it */
  put(key: string, url: string | null): void {
    this.#urls.delete(key);
    if (url === null) return;
    this.#urls.set(key, url);
    const [oldest] = this.#urls.keys();
    if (this.#urls.size > this.#size && oldest !== undefined) this.#urls.delete(oldest);
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
