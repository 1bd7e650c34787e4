import type { HostRequest } from "./code-host-app.ts";
import { PER_PAGE, type RepositoryAccess, type RepositoryName } from "./repository-access.ts";
import { RepositoryChecks } from "./repository-checks.ts";
import { RepositoryComments } from "./repository-comments.ts";
import { RepositoryContents } from "./repository-contents.ts";
import { RepositoryHistory } from "./repository-history.ts";

/** Something about a repository as the code host knows it. */
export interface HostedRepository {
  id: string;
  defaultBranch: string;
  archived: boolean;
  fork: boolean;
  disabled: boolean;
  /** Address of its page, of the code host's own web site. */
  page: string;
}

/** An open pull request's head. */
export interface PullHead {
  number: number;
  sha: string;
  branch: string;
  base: string;
  /** The repository's default branch; not in what was written down before it was kept. */
  defaultBranch?: string;
  /** Login of who opened it; null for an account that is gone, or whose name is no use here. */
  author?: string | null;
  fromFork: boolean;
}

/** An open pull request as the code host tells of it. */
export interface SeenPull extends PullHead {
  /** When anything about it last changed, ISO 8601: what is told of an earlier moment is old news. */
  updatedAt: string;
}

/** Repositories beyond these, of one installation, are not listed. */
const REPOSITORY_PAGES = 100;

/** A repository that an installation may see. */
export interface SeenRepository extends RepositoryName {
  id: string;
}

/** Every repository that an installation may see. @throws HostError */
export async function listRepositories(request: HostRequest): Promise<SeenRepository[]> {
  const all: SeenRepository[] = [];
  for (let page = 1; page <= REPOSITORY_PAGES; page++) {
    const { data } = await request("GET /installation/repositories", { per_page: PER_PAGE, page });
    all.push(
      ...data.repositories.map(({ id, name, owner }) => ({ id: String(id), owner: owner.login, repo: name })),
    );
    if (data.repositories.length < PER_PAGE) break;
  }
  return all;
}

/** One repository at the code host, as an installation of the app may see it. Every method throws HostError. */
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
      page: data.html_url,
    };
  }

  /** The number of a pull request from this branch of the repository, whatever became of it; null for none. */
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

  /** Open pull requests whose head is this commit. */
  async pullsAt(sha: string): Promise<SeenPull[]> {
    const all = await this.pullsWith(sha);
    return all.filter(pull => pull.sha === sha);
  }

  /** Open pull requests that bring this commit. */
  async pullsWith(sha: string): Promise<SeenPull[]> {
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
        // The head's repository is null once a fork was deleted, whatever the types say.
        fromFork: pull.head.repo?.id !== pull.base.repo.id,
        updatedAt: pull.updated_at,
      }));
  }
}
