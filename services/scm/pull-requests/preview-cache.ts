import type { Preview } from "../checks/check-run.entity.ts";

/** Commits whose preview a node knows: those of a few busy days. */
const REMEMBERED = 10_000;

/** Where commits can be seen, as the providers told. In memory only; the oldest are forgotten. */
export class PreviewCache {
  readonly #urls = new Map<string, string>();
  readonly #size: number;

  constructor(size = REMEMBERED) {
    this.#size = size;
  }

  get(key: string): string | null {
    return this.#urls.get(key) ?? null;
  }

  /** @param url null to forget it */
  put(key: string, url: string | null): void {
    this.#urls.delete(key);
    if (url === null) return;
    this.#urls.set(key, url);
    const [oldest] = this.#urls.keys();
    if (this.#urls.size > this.#size && oldest !== undefined) this.#urls.delete(oldest);
  }
}

/** `owner/repo@sha`. Names at the code host are the same in any case. */
export function previewKey({ owner, repo }: { owner: string; repo: string }, sha: string): string {
  return `${owner}/${repo}@${sha}`.toLowerCase();
}

/** `owner/repo@sha`, and which of the commit's deployments it is. */
export function expectedKey(commit: { owner: string; repo: string; sha: string }, source: string): string {
  return `${previewKey(commit, commit.sha)} ${source}`;
}

/** Where a provider told that a commit can be seen; null where none did. */
export function toldPreview(
  previews: PreviewCache,
  commit: { owner: string; repo: string; sha: string },
): Preview | null {
  const previewUrl = previews.get(previewKey(commit, commit.sha));
  return previewUrl === null ? null : { previewUrl, fromTemplate: false };
}
