import type { HostRequest } from "./code-host-app.ts";
import { isMissing } from "./host-error.ts";

/** Names a repository at the code host. */
export type RepositoryName = { owner: string; repo: string };

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

export interface NewCheck {
  sha: string;
  /** Of our own, by which a check is found again whose answer got lost. */
  externalId: string;
  detailsUrl?: string;
  output: CheckText;
}

export interface CheckText {
  title: string;
  summary: string;
  /** Shown beside the lines that they are about; the code host takes fifty at once. */
  annotations?: CheckAnnotation[];
}

/** Something about a place in a file. Columns only where it is within one line. */
export interface CheckAnnotation {
  path: string;
  start_line: number;
  end_line: number;
  start_column?: number;
  end_column?: number;
  annotation_level: "failure";
  message: string;
}

export const CHECK_CONCLUSIONS = [
  "success",
  "action_required",
  "neutral",
  "failure",
  "cancelled",
  "timed_out",
] as const;
export type CheckConclusion = (typeof CHECK_CONCLUSIONS)[number];

export interface CheckChange {
  /** Null: it is in progress. */
  conclusion: CheckConclusion | null;
  detailsUrl?: string;
  output: CheckText;
  /** Buttons; at most three. */
  actions: { label: string; description: string; identifier: string }[];
}

/** An open pull request's head. */
export interface PullHead {
  number: number;
  sha: string;
  branch: string;
  base: string;
  fromFork: boolean;
}

const CHECK_NAME = "Service / Preview";

/** A page of the code host's lists at its largest. */
const PER_PAGE = 100;
/** Bytes; the code host leaves out what is longer. */
const LONGEST_FILE = 1024 * 1024;
/** Comments beyond these are not looked through for ours. */
const COMMENT_PAGES = 10;
/** Nor are repositories beyond these, of one installation. */
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

  constructor(request: HostRequest, { owner, repo }: RepositoryName) {
    this.#request = request;
    this.#name = { owner, repo };
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

  /** The commit that a branch is at; null when there is no such branch, or nothing in the repository. */
  async branchHead(branch: string): Promise<string | null> {
    try {
      const { data } = await this.#request("GET /repos/{owner}/{repo}/git/ref/{ref}", {
        ...this.#name,
        ref: `heads/${branch}`,
      });
      return data.object.sha;
    } catch (error) {
      // 409: the repository is empty.
      if (isMissing(error) || isEmpty(error)) return null;
      throw error;
    }
  }

  /** Whether there is a file at this path. */
  async hasFile(path: string, ref: string): Promise<boolean> {
    try {
      await this.#request("GET /repos/{owner}/{repo}/contents/{path}", { ...this.#name, path, ref });
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  /** The text of a file; null when there is none at this path. */
  async readFile(path: string, ref: string): Promise<string | null> {
    try {
      const { data } = await this.#request("GET /repos/{owner}/{repo}/contents/{path}", {
        ...this.#name,
        path,
        ref,
      });
      if (Array.isArray(data) || data.type !== "file" || !("content" in data)) return null;
      // What is too large for an answer is too large for any use here, and its reader says so of what is as long.
      if (data.encoding !== "base64") return " ".repeat(Math.min(data.size, LONGEST_FILE));
      return Buffer.from(data.content, "base64").toString("utf8");
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  /** Makes a commit with these files on top of another. @returns its SHA; no branch has it yet */
  async commit(parent: string, message: string, files: Record<string, string>): Promise<string> {
    const { data: base } = await this.#request("GET /repos/{owner}/{repo}/git/commits/{commit_sha}", {
      ...this.#name,
      commit_sha: parent,
    });
    const { data: tree } = await this.#request("POST /repos/{owner}/{repo}/git/trees", {
      ...this.#name,
      base_tree: base.tree.sha,
      tree: Object.entries(files).map(([path, content]) => ({ path, content, mode: "100644", type: "blob" })),
    });
    const { data: commit } = await this.#request("POST /repos/{owner}/{repo}/git/commits", {
      ...this.#name,
      message,
      tree: tree.sha,
      parents: [parent],
    });
    return commit.sha;
  }

  /** Makes a branch; one of this name that is there already makes it fail with 422. */
  async createBranch(branch: string, sha: string): Promise<void> {
    await this.#request("POST /repos/{owner}/{repo}/git/refs", {
      ...this.#name,
      ref: `refs/heads/${branch}`,
      sha,
    });
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
  async pullsAt(sha: string): Promise<PullHead[]> {
    const { data } = await this.#request("GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls", {
      ...this.#name,
      commit_sha: sha,
    });
    return data
      .filter(pull => pull.state === "open" && pull.head.sha === sha)
      .map(pull => ({
        number: pull.number,
        sha,
        branch: pull.head.ref,
        base: pull.base.ref,
        // The head's repository is null once a fork was deleted, whatever the types say.
        fromFork: pull.head.repo?.id !== pull.base.repo.id,
      }));
  }

  /** @returns the check run's number */
  async createCheck({ sha, externalId, detailsUrl, output }: NewCheck): Promise<string> {
    const { data } = await this.#request("POST /repos/{owner}/{repo}/check-runs", {
      ...this.#name,
      name: CHECK_NAME,
      head_sha: sha,
      external_id: externalId,
      status: "in_progress",
      ...(detailsUrl !== undefined && { details_url: detailsUrl }),
      output,
    });
    return String(data.id);
  }

  /** The check run of this id of ours, made by the app before; null for none. */
  async findCheck(sha: string, externalId: string): Promise<string | null> {
    const { data } = await this.#request("GET /repos/{owner}/{repo}/commits/{ref}/check-runs", {
      ...this.#name,
      ref: sha,
      check_name: CHECK_NAME,
      filter: "all",
      per_page: PER_PAGE,
    });
    const found = data.check_runs.find(check => check.external_id === externalId);
    return found ? String(found.id) : null;
  }

  async changeCheck(id: string, { conclusion, detailsUrl, output, actions }: CheckChange): Promise<void> {
    const state =
      conclusion === null
        ? ({ status: "in_progress" } as const)
        : ({ status: "completed", conclusion } as const);
    await this.#request("PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}", {
      ...this.#name,
      check_run_id: Number(id),
      ...state,
      ...(detailsUrl !== undefined && { details_url: detailsUrl }),
      output,
      actions,
    });
  }

  /** The app's comment on a pull request that has this text in it; null for none. */
  async findComment(pull: number, marker: string, appId: string): Promise<string | null> {
    for (let page = 1; page <= COMMENT_PAGES; page++) {
      const { data } = await this.#request("GET /repos/{owner}/{repo}/issues/{issue_number}/comments", {
        ...this.#name,
        issue_number: pull,
        per_page: PER_PAGE,
        page,
      });
      // Anybody can write our marker into a comment; only our own can be changed.
      const found = data.find(
        ({ body, performed_via_github_app: app }) =>
          app && [String(app.id), app.client_id].includes(appId) && body?.includes(marker),
      );
      if (found) return String(found.id);
      if (data.length < PER_PAGE) return null;
    }
    return null;
  }

  async createComment(pull: number, body: string): Promise<string> {
    const { data } = await this.#request("POST /repos/{owner}/{repo}/issues/{issue_number}/comments", {
      ...this.#name,
      issue_number: pull,
      body,
    });
    return String(data.id);
  }

  /** @returns false when somebody has deleted it */
  async changeComment(id: string, body: string): Promise<boolean> {
    try {
      await this.#request("PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}", {
        ...this.#name,
        comment_id: Number(id),
        body,
      });
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }
}

function isEmpty(error: unknown): boolean {
  return error instanceof Error && "status" in error && error.status === 409;
}
