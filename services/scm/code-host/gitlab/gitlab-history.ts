import { z } from "zod";
import { CHANGED_FILES_AT_MOST, MISSING_SHAS_AT_MOST } from "../../../../shared/contracts/code-host/scm.ts";
import type { MergeBase, RepositoryHistory } from "../code-host.ts";
import { inTime } from "../in-time.ts";
import { path, type TokenApi } from "../token-api.ts";
import { GITLAB, type GitLabProject } from "./gitlab-project.ts";

const commit = z.object({ id: z.string(), message: z.string().default("") });
const comparison = z.object({ diffs: z.array(z.object({ new_path: z.string() })).default([]) });

/** The history of a project's branches. */
export class GitLabHistory implements RepositoryHistory {
  readonly #api: TokenApi;
  readonly #root: string;

  constructor(api: TokenApi, { hostId }: GitLabProject) {
    this.#api = api;
    this.#root = path`/projects/${hostId}/repository`;
  }

  mergeBase(sha: string, branch: string): Promise<MergeBase | null> {
    return inTime(this.#compare(sha, branch));
  }

  async changedFiles(base: string, sha: string): Promise<string[]> {
    const read = this.#api.send(comparison, "GET", `${this.#root}/compare`, {
      query: { from: base, to: sha },
    });
    const compared = await inTime(read);
    return (compared?.diffs ?? []).map(({ new_path }) => new_path).slice(0, CHANGED_FILES_AT_MOST);
  }

  async #compare(sha: string, branch: string): Promise<MergeBase> {
    const [base, head, missing] = await Promise.all([
      this.#api.send(commit, "GET", `${this.#root}/merge_base`, { query: { "refs[]": [sha, branch] } }),
      this.#api.send(commit, "GET", this.#root + path`/commits/${sha}`),
      // The commits of the branch that the compared commit lacks, without the text of their changes.
      this.#api.list(
        commit,
        `${this.#root}/commits`,
        { ref_name: `${sha}..${branch}` },
        MISSING_SHAS_AT_MOST / GITLAB.pageSize.max + 1,
      ),
    ]);
    const isKnown = missing.length <= MISSING_SHAS_AT_MOST;
    return { sha: base.id, missing: isKnown ? missing.map(({ id }) => id) : null, message: head.message };
  }
}
