import { z } from "zod";
import type { HostedRepository, OpenPull, RepositoryHost } from "../code-host.ts";
import { pullsContaining } from "../fork-pulls.ts";
import { path } from "../token-api.ts";
import { type GiteaAccess, type GiteaPull, giteaPull, isOfFork } from "./gitea-api.ts";
import { GiteaChecks } from "./gitea-checks.ts";
import { GiteaComments } from "./gitea-comments.ts";
import { GiteaContents } from "./gitea-contents.ts";
import { GiteaHistory } from "./gitea-history.ts";

/** Later pull requests are not searched. */
const MAX_PULL_PAGES = 10;
/** A pull request has few pages of commits. */
const MAX_COMMIT_PAGES = 4;

const repository = z.object({
  default_branch: z.string().nullish(),
  archived: z.boolean().default(false),
  fork: z.boolean().default(false),
  private: z.boolean().default(false),
  internal: z.boolean().default(false),
  has_code: z.boolean().default(true),
  html_url: z.string(),
});

/** A repository, with the access of a connection. */
export class GiteaRepository implements RepositoryHost {
  readonly ci = "none";
  readonly discussions = null;
  readonly wholeSha = null;
  readonly #access: GiteaAccess;
  readonly contents: GiteaContents;
  readonly history: GiteaHistory;
  readonly checks: GiteaChecks;
  readonly comments: GiteaComments;

  constructor(access: GiteaAccess) {
    this.#access = access;
    this.contents = new GiteaContents(access);
    this.history = new GiteaHistory(access);
    this.checks = new GiteaChecks(access);
    this.comments = new GiteaComments(access);
  }

  async read(): Promise<HostedRepository> {
    const { api, root, of } = this.#access;
    const read = await api.send(repository, "GET", root);
    return {
      // A repository can have connections of several teams, each with its own checks.
      id: of.connectionId,
      defaultBranch: read.default_branch ?? "main",
      archived: read.archived,
      fork: read.fork,
      disabled: !read.has_code,
      // Everyone who signs in to the instance can read an internal repository.
      isPrivate: read.private && !read.internal,
      page: read.html_url,
    };
  }

  async findPull(branch: string): Promise<number | null> {
    const all = await this.#pulls("all");
    return all.find(pull => pull.head.ref === branch && !isOfFork(pull))?.number ?? null;
  }

  async openPull(pull: Parameters<RepositoryHost["openPull"]>[0]): Promise<number> {
    const { api, root } = this.#access;
    const opened = await api.send(z.object({ number: z.int32() }), "POST", `${root}/pulls`, { body: pull });
    return opened.number;
  }

  async pullsAt(sha: string): Promise<OpenPull[]> {
    return this.#asOpen((await this.#pulls("open")).filter(({ head }) => head.sha === sha));
  }

  /** Gitea has no search for the pull requests of a commit. */
  async pullsWith(sha: string): Promise<OpenPull[]> {
    const found = await pullsContaining(
      await this.#pulls("open"),
      pull => ({ isOfFork: isOfFork(pull), isAtCommit: pull.head.sha === sha }),
      pull => this.#hasCommit(pull, sha),
    );
    return this.#asOpen(found);
  }

  async #hasCommit({ number }: GiteaPull, sha: string): Promise<boolean> {
    const { api, root } = this.#access;
    const query = { files: false, verification: false };
    const at = root + path`/pulls/${number}/commits`;
    const commits = await api.list(z.object({ sha: z.string() }), at, query, MAX_COMMIT_PAGES);
    return commits.some(commit => commit.sha === sha);
  }

  #pulls(state: "open" | "all"): Promise<GiteaPull[]> {
    const { api, root } = this.#access;
    return api.list(giteaPull, `${root}/pulls`, { state, sort: "recentupdate" }, MAX_PULL_PAGES);
  }

  async #asOpen(pulls: GiteaPull[]): Promise<OpenPull[]> {
    if (pulls.length === 0) return [];
    const { defaultBranch } = await this.read();
    return pulls.map(pull => ({
      number: pull.number,
      sha: pull.head.sha,
      branch: pull.head.ref,
      base: pull.base.ref,
      defaultBranch,
      author: pull.user?.login ?? null,
      fromFork: isOfFork(pull),
      updatedAt: pull.updated_at,
    }));
  }
}
