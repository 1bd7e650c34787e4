import { MISSING_SHAS_AT_MOST } from "../../../shared/contracts/code-host/scm.ts";
import type { HostRequest } from "./code-host-app.ts";
import { HostError } from "./host-error.ts";
import { PER_PAGE, type RepositoryAccess, type RepositoryName } from "./repository-access.ts";

/** The code host gives a webhook ten seconds, and takes long over two commits that are far apart. */
const WAITED_FOR_MS = 4_000;

/** Where a commit's branch left another one. */
export interface MergeBase {
  sha: string;
  /** Every commit of the other branch since then; null where there are too many. */
  missing: string[] | null;
}

/** How a repository's branches came to be what they are. */
export class RepositoryHistory {
  readonly #request: HostRequest;
  readonly #name: RepositoryName;

  constructor({ request, name }: RepositoryAccess) {
    this.#request = request;
    this.#name = name;
  }

  /**
   * The merge base of a commit with a branch, and what the branch has had since; null where the code host does not tell:
   * there is none, or no such branch, or it takes too long over it.
   * @throws HostError while the code host's limits are reached
   */
  async mergeBase(sha: string, branch: string): Promise<MergeBase | null> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>(resolve => {
      timer = setTimeout(() => resolve(null), WAITED_FOR_MS);
    });
    const asked = this.#compare(sha, branch).catch(error => {
      if (error instanceof HostError && error.retryAt === null) return null;
      throw error;
    });
    return Promise.race([asked, late]).finally(() => clearTimeout(timer));
  }

  /** Compares backwards: the commits that come with it are those of the branch. */
  async #compare(sha: string, branch: string): Promise<MergeBase> {
    const missing: string[] = [];
    for (let page = 1; ; page++) {
      const { data } = await this.#request("GET /repos/{owner}/{repo}/compare/{basehead}", {
        ...this.#name,
        basehead: `${sha}...${branch}`,
        per_page: PER_PAGE,
        page,
      });
      const base = data.merge_base_commit.sha;
      missing.push(...data.commits.map(commit => commit.sha));
      if (data.ahead_by > MISSING_SHAS_AT_MOST) return { sha: base, missing: null };
      if (missing.length >= data.ahead_by) return { sha: base, missing };
      // It counted more than it lists.
      if (data.commits.length < PER_PAGE) return { sha: base, missing: null };
    }
  }
}
