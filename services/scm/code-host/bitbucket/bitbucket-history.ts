import { z } from "zod";
import { CHANGED_FILES_AT_MOST, MISSING_SHAS_AT_MOST } from "../../../../shared/contracts/code-host/scm.ts";
import type { MergeBase, RepositoryHistory } from "../code-host.ts";
import { inTime } from "../in-time.ts";
import { path } from "../token-api.ts";
import type { BitbucketAccess } from "./bitbucket-api.ts";

/** The largest page of commits. */
const COMMITS_PER_PAGE = 100;
/** Later changes are left out. */
const MAX_CHANGE_PAGES = 4;

const commit = z.object({ hash: z.string(), message: z.string().default("") });
const branchHead = z.object({ target: commit });
/** The one of both that is missing is null. */
const side = z.object({ path: z.string() }).nullish();
const change = z.object({ old: side, new: side });

/** The history of a repository's branches. */
export class BitbucketHistory implements RepositoryHistory {
  readonly #access: BitbucketAccess;

  constructor(access: BitbucketAccess) {
    this.#access = access;
  }

  mergeBase(sha: string, branch: string): Promise<MergeBase | null> {
    return inTime(this.#mergeBase(sha, branch));
  }

  async changedFiles(base: string, sha: string): Promise<string[]> {
    const { api, root } = this.#access;
    // Unlike in git, the commit with the changes comes first.
    const at = root + path`/diffstat/${`${sha}..${base}`}`;
    const query = { pagelen: CHANGED_FILES_AT_MOST, topic: false };
    const changes = (await inTime(api.list(change, at, query, MAX_CHANGE_PAGES))) ?? [];
    const names = changes.flatMap(each => each.new?.path ?? each.old?.path ?? []);
    return names.slice(0, CHANGED_FILES_AT_MOST);
  }

  async #mergeBase(sha: string, branch: string): Promise<MergeBase> {
    const { api, root } = this.#access;
    const [head, { target: tip }] = await Promise.all([
      api.send(commit, "GET", root + path`/commit/${sha}`),
      api.send(branchHead, "GET", root + path`/refs/branches/${branch}`),
    ]);
    const [base, missing] = await Promise.all([
      api.send(commit, "GET", root + path`/merge-base/${`${sha}..${tip.hash}`}`),
      // The commits of the branch that the compared commit lacks.
      api.list(
        commit,
        root + path`/commits/${tip.hash}`,
        { exclude: sha, pagelen: COMMITS_PER_PAGE },
        MISSING_SHAS_AT_MOST / COMMITS_PER_PAGE + 1,
      ),
    ]);
    const isKnown = missing.length <= MISSING_SHAS_AT_MOST;
    return {
      sha: base.hash,
      missing: isKnown ? missing.map(({ hash }) => hash) : null,
      message: head.message,
    };
  }
}
