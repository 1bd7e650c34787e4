import { z } from "zod";
import { CHANGED_FILES_AT_MOST, MISSING_SHAS_AT_MOST } from "../../../../shared/contracts/code-host/scm.ts";
import type { MergeBase, RepositoryHistory } from "../code-host.ts";
import { inTime } from "../in-time.ts";
import { path } from "../token-api.ts";
import { type GiteaAccess, giteaPull } from "./gitea-api.ts";

const commit = z.object({
  sha: z.string(),
  commit: z.object({ message: z.string().default("") }),
  parents: z.array(z.object({ sha: z.string() })).nullish(),
  files: z.array(z.object({ filename: z.string() })).nullish(),
});
type Commit = z.infer<typeof commit>;
/** `commits` is null if there are none. */
const comparison = z.object({ commits: z.array(commit).nullish() });
const branchHead = z.object({ commit: z.object({ id: z.string() }) });

/** The history of a repository's branches. */
export class GiteaHistory implements RepositoryHistory {
  readonly #access: GiteaAccess;

  constructor(access: GiteaAccess) {
    this.#access = access;
  }

  mergeBase(sha: string, branch: string): Promise<MergeBase | null> {
    return inTime(this.#mergeBase(sha, branch));
  }

  async changedFiles(base: string, sha: string): Promise<string[]> {
    const commits = (await inTime(this.#compare(base, sha))) ?? [];
    const names = commits.flatMap(({ files }) => files ?? []).map(({ filename }) => filename);
    return [...new Set(names)].slice(0, CHANGED_FILES_AT_MOST);
  }

  async #mergeBase(sha: string, branch: string): Promise<MergeBase | null> {
    const { api, root } = this.#access;
    const query = { stat: false, files: false, verification: false };
    const [head, { commit: tip }] = await Promise.all([
      api.send(commit, "GET", root + path`/git/commits/${sha}`, { query }),
      api.send(branchHead, "GET", root + path`/branches/${branch}`),
    ]);
    const missing = await this.#compare(sha, tip.id);
    const base = boundaryOf(missing, tip.id) ?? (await this.#baseOfPull(sha, branch));
    if (base === null) return null;
    const shas = missing.length <= MISSING_SHAS_AT_MOST ? missing.map(each => each.sha) : null;
    return { sha: base, missing: shas, message: head.commit.message };
  }

  /** Returns the commits that only the second one has. */
  async #compare(base: string, head: string): Promise<Commit[]> {
    const { api, root } = this.#access;
    const compared = await api.send(comparison, "GET", root + path`/compare/${`${base}...${head}`}`);
    return compared.commits ?? [];
  }

  /** Returns the merge base that an open pull request has, or null. */
  async #baseOfPull(sha: string, branch: string): Promise<string | null> {
    const { api, root } = this.#access;
    const query = { state: "open", sort: "recentupdate" };
    const pulls = await api.list(giteaPull, `${root}/pulls`, query, 1);
    return pulls.find(({ head, base }) => head.sha === sha && base.ref === branch)?.merge_base || null;
  }
}

/**
 * Returns the commit where a branch left another one: the only one that its own commits have as parent, or its head if
 * it has no commits of its own. Null after merges, which have several.
 */
function boundaryOf(own: Commit[], tip: string): string | null {
  if (own.length === 0) return tip;
  const shas = new Set(own.map(({ sha }) => sha));
  const outside = own.flatMap(({ parents }) => parents ?? []).filter(({ sha }) => !shas.has(sha));
  const [first, ...others] = new Set(outside.map(({ sha }) => sha));
  return first !== undefined && others.length === 0 ? first : null;
}
