import { type HostRequest, PER_PAGE, type RepositoryAccess, type RepositoryName } from "./code-host-app.ts";
import { RepositoryChecks } from "./repository-checks.ts";
import { RepositoryComments } from "./repository-comments.ts";
import { RepositoryContents } from "./repository-contents.ts";
import { RepositoryHistory } from "./repository-history.ts";

/** A repository at the code host. */
export interface HostedRepository {
  id: string;
  defaultBranch: string;
  archived: boolean;
  fork: boolean;
  disabled: boolean;
  /** Whether only its members can read it, and the comments on its pull requests. */
  isPrivate: boolean;
  /** The URL of its page on the code host's website. */
  page: string;
}

/** The head of an open pull request. */
export interface PullHead {
  number: number;
  sha: string;
  branch: string;
  base: string;
  /** The repository's default branch. Missing in old rows. */
  defaultBranch?: string;
  /** The author's login; null if the account was deleted or its name is unusable here. */
  author?: string | null;
  fromFork: boolean;
}

/** An open pull request as the code host returns it. */
export interface OpenPull extends PullHead {
  /** The time of the last change, ISO 8601. Earlier events are outdated. */
  updatedAt: string;
}

/** Later repositories of one installation are not listed. */
const MAX_REPOSITORY_PAGES = 100;

/** A repository that an installation has access to. */
export interface SeenRepository extends RepositoryName {
  id: string;
}

/** Lists every repository that an installation has access to. @throws HostError */
export async function listRepositories(request: HostRequest): Promise<SeenRepository[]> {
  const all: SeenRepository[] = [];
  for (let page = 1; page <= MAX_REPOSITORY_PAGES; page++) {
    const { data } = await request("GET /installation/repositories", { per_page: PER_PAGE, page });
    all.push(
      ...data.repositories.map(({ id, name, owner }) => ({ id: String(id), owner: owner.login, repo: name })),
    );
    if (data.repositories.length < PER_PAGE) break;
  }
  return all;
}

/** A repository, with the access of an installation. Every method throws HostError. */
export class RepositoryHost {
  readonly #request: HostRequest;
  readonly #name: RepositoryName;
  readonly contents: RepositoryContents;
  readonly history: RepositoryHistory;
  readonly checks: RepositoryChecks;
  readonly comments: RepositoryComments;

  constructor(access: RepositoryAccess) {
    this.#request = access.request;
    this.#name = access.name;
    this.contents = new RepositoryContents(access);
    this.history = new RepositoryHistory(access);
    this.checks = new RepositoryChecks(access);
    this.comments = new RepositoryComments(access);
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

  /** Returns the number of a pull request from this branch, in any state, or null. */
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

  /** Returns the open pull requests whose head is this commit. */
  async pullsAt(sha: string): Promise<OpenPull[]> {
    const all = await this.pullsWith(sha);
    return all.filter(pull => pull.sha === sha);
  }

  /** Returns the open pull requests that contain this commit. */
  async pullsWith(sha: string): Promise<OpenPull[]> {
    const { data } = await this.#request("GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls", {
      ...this.#name,
      commit_sha: sha,
    });
    return data
      .filter(pull => pull.state === "open")
      .map(pull => ({
        number: pull.number,
        sha: pull.head.sha,
        branch: pull.head.ref,
        base: pull.base.ref,
        defaultBranch: pull.base.repo.default_branch,
        author: pull.user?.login ?? null,
        // Null after a fork was deleted, although the type does not say so.
        fromFork: pull.head.repo?.id !== pull.base.repo.id,
        updatedAt: pull.updated_at,
      }));
  }
}
