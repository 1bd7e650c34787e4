import type { HostRequest } from "./code-host-app.ts";
import { isMissing } from "./host-error.ts";
import type { RepositoryAccess, RepositoryName } from "./repository-access.ts";

/** Bytes; the code host leaves out what is longer. */
const LONGEST_FILE = 1024 * 1024;

/** The branches, commits and files of a repository. Every method throws HostError. */
export class RepositoryContents {
  readonly #request: HostRequest;
  readonly #name: RepositoryName;

  constructor({ request, name }: RepositoryAccess) {
    this.#request = request;
    this.#name = name;
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

  /** Whether there is a tag of this name. */
  async hasTag(tag: string): Promise<boolean> {
    try {
      await this.#request("GET /repos/{owner}/{repo}/git/ref/{ref}", { ...this.#name, ref: `tags/${tag}` });
      return true;
    } catch (error) {
      if (isMissing(error) || isEmpty(error)) return false;
      throw error;
    }
  }

  /** Names of the files and folders at the top of the repository. @param sha of a commit */
  async namesAt(sha: string): Promise<Set<string>> {
    const { data } = await this.#request("GET /repos/{owner}/{repo}/git/trees/{tree_sha}", {
      ...this.#name,
      tree_sha: sha,
    });
    return new Set(data.tree.map(({ path }) => path));
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
}

function isEmpty(error: unknown): boolean {
  return error instanceof Error && "status" in error && error.status === 409;
}
