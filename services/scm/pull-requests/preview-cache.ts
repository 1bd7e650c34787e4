import { LRUCache } from "lru-cache";
import type { Preview } from "../checks/check-run.entity.ts";
import { isConnection } from "../connections/connection-id.ts";

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

/** A commit of a repository. */
export interface PreviewedCommit {
  installationId?: string;
  owner: string;
  repo: string;
  sha: string;
}

/** Returns `owner/repo@sha`. The code host's names ignore case. Connections of teams share no previews. */
export function previewKey({ installationId = "", owner, repo, sha }: PreviewedCommit): string {
  const key = `${owner}/${repo}@${sha}`.toLowerCase();
  return isConnection(installationId) ? `${installationId} ${key}` : key;
}

/** Returns `owner/repo@sha` and the deployment. */
export function expectedKey(commit: PreviewedCommit, source: string): string {
  return `${previewKey(commit)} ${source}`;
}

/** Returns the preview of a commit that a provider reported, or null. */
export function knownPreview(previews: PreviewCache, commit: PreviewedCommit): Preview | null {
  const previewUrl = previews.get(previewKey(commit));
  return previewUrl === null ? null : { previewUrl, fromTemplate: false };
}
