import type { HostedRepository, OpenPull, RepositoryHost, RepositoryName } from "../code-host.ts";
import type { HostRequest, RepositoryAccess } from "./github-app.ts";
import { GitHubChecks } from "./github-checks.ts";
import { GitHubComments } from "./github-comments.ts";
import { GitHubContents } from "./github-contents.ts";
import { GitHubHistory } from "./github-history.ts";
import { openPullsAt, openPullsWith } from "./github-pulls.ts";

/** A repository, with the access of an installation. Every method throws HostError. */
export class GitHubRepository implements RepositoryHost {
  readonly ci = "github";
  readonly wholeSha = null;
  readonly discussions = null;
  readonly #access: RepositoryAccess;
  readonly #request: HostRequest;
  readonly #name: RepositoryName;
  readonly contents: GitHubContents;
  readonly history: GitHubHistory;
  readonly checks: GitHubChecks;
  readonly comments: GitHubComments;

  constructor(access: RepositoryAccess, appId: string) {
    this.#access = access;
    this.#request = access.request;
    this.#name = access.name;
    this.contents = new GitHubContents(access);
    this.history = new GitHubHistory(access);
    this.checks = new GitHubChecks(access);
    this.comments = new GitHubComments(access, appId);
  }

  async read(): Promise<HostedRepository> {
    const { data } = await this.#request("GET /repos/{owner}/{repo}", this.#name);
    return {
      id: String(data.id),
      defaultBranch: data.default_branch,
      archived: data.archived,
      fork: data.fork,
      disabled: data.disabled,
      isPrivate: data.private,
      page: data.html_url,
    };
  }

  async findPull(branch: string): Promise<number | null> {
    const { data } = await this.#request("GET /repos/{owner}/{repo}/pulls", {
      ...this.#name,
      head: `${this.#name.owner}:${branch}`,
      state: "all",
      per_page: 1,
    });
    return data[0]?.number ?? null;
  }

  async openPull(pull: { head: string; base: string; title: string; body: string }): Promise<number> {
    const { data } = await this.#request("POST /repos/{owner}/{repo}/pulls", { ...this.#name, ...pull });
    return data.number;
  }

  pullsAt(sha: string): Promise<OpenPull[]> {
    return openPullsAt(this.#access, sha);
  }

  pullsWith(sha: string): Promise<OpenPull[]> {
    return openPullsWith(this.#access, sha, async () => (await this.read()).defaultBranch);
  }
}
