import { MISSING_SHAS_AT_MOST } from "../../../../shared/contracts/code-host/scm.ts";
import type { MergeBase, RepositoryHistory, RepositoryName } from "../code-host.ts";
import { inTime } from "../in-time.ts";
import { type HostRequest, PER_PAGE, type RepositoryAccess } from "./github-app.ts";

/** The history of a repository's branches. */
export class GitHubHistory implements RepositoryHistory {
  readonly #request: HostRequest;
  readonly #name: RepositoryName;

  constructor({ request, name }: RepositoryAccess) {
    this.#request = request;
    this.#name = name;
  }

  async mergeBase(sha: string, branch: string): Promise<MergeBase | null> {
    return await inTime(this.#compare(sha, branch));
  }

  async changedFiles(base: string, sha: string): Promise<string[]> {
    return (await inTime(this.#listFiles(base, sha))) ?? [];
  }

  async #listFiles(base: string, sha: string): Promise<string[]> {
    const { data } = await this.#request("GET /repos/{owner}/{repo}/compare/{basehead}", {
      ...this.#name,
      basehead: `${base}...${sha}`,
      per_page: 1,
    });
    return (data.files ?? []).map(({ filename }) => filename);
  }

  /** Compares backwards, so that the listed commits are the branch's. */
  async #compare(sha: string, branch: string): Promise<MergeBase> {
    const missing: string[] = [];
    for (let page = 1; ; page++) {
      const { data } = await this.#request("GET /repos/{owner}/{repo}/compare/{basehead}", {
        ...this.#name,
        basehead: `${sha}...${branch}`,
        per_page: PER_PAGE,
        page,
      });
      const { message } = data.base_commit.commit;
      const base = data.merge_base_commit.sha;
      missing.push(...data.commits.map(commit => commit.sha));
      if (data.ahead_by > MISSING_SHAS_AT_MOST) return { sha: base, missing: null, message };
      if (missing.length >= data.ahead_by) return { sha: base, missing, message };
      // The count is larger than the list.
      if (data.commits.length < PER_PAGE) return { sha: base, missing: null, message };
    }
  }
}
