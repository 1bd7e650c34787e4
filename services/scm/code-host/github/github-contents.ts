import type { NewCommit, RepositoryContents, RepositoryName } from "../code-host.ts";
import { isMissing } from "../host-error.ts";
import type { HostRequest, RepositoryAccess } from "./github-app.ts";

/** The code host omits the content of larger files. */
const MAX_FILE_BYTES = 1024 * 1024;

/** The branches, commits, and files of a repository. Every method throws HostError. */
export class GitHubContents implements RepositoryContents {
  readonly #request: HostRequest;
  readonly #name: RepositoryName;

  constructor({ request, name }: RepositoryAccess) {
    this.#request = request;
    this.#name = name;
  }

  /** Returns the commit of a branch, or null if the branch is missing or the repository is empty. */
  async branchHead(branch: string): Promise<string | null> {
    try {
      const { data } = await this.#request("GET /repos/{owner}/{repo}/git/ref/{ref}", {
        ...this.#name,
        ref: `heads/${branch}`,
      });
      return data.object.sha;
    } catch (error) {
      // Status 409 means that the repository is empty.
      if (isMissing(error) || isEmpty(error)) return null;
      throw error;
    }
  }

  async hasTag(tag: string): Promise<boolean> {
    try {
      await this.#request("GET /repos/{owner}/{repo}/git/ref/{ref}", { ...this.#name, ref: `tags/${tag}` });
      return true;
    } catch (error) {
      if (isMissing(error) || isEmpty(error)) return false;
      throw error;
    }
  }

  /** Returns the names of the files and folders in the root folder. @param sha the commit */
  async namesAt(sha: string): Promise<Set<string>> {
    const { data } = await this.#request("GET /repos/{owner}/{repo}/git/trees/{tree_sha}", {
      ...this.#name,
      tree_sha: sha,
    });
    return new Set(data.tree.map(({ path }) => path));
  }

  async hasFile(path: string, ref: string): Promise<boolean> {
    try {
      await this.#request("GET /repos/{owner}/{repo}/contents/{path}", { ...this.#name, path, ref });
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  /** Returns the text of a file, or null if it is missing. */
  async readFile(path: string, ref: string): Promise<string | null> {
    try {
      const { data } = await this.#request("GET /repos/{owner}/{repo}/contents/{path}", {
        ...this.#name,
        path,
        ref,
      });
      if (Array.isArray(data) || data.type !== "file" || !("content" in data)) return null;
      // Returns spaces of the same size, so that the reader reports a file that is too large.
      if (data.encoding !== "base64") return " ".repeat(Math.min(data.size, MAX_FILE_BYTES));
      return Buffer.from(data.content, "base64").toString("utf8");
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async addBranch(branch: string, from: NewCommit): Promise<void> {
    await this.#createBranch(branch, await this.#commit(from));
  }

  /** Creates a commit. @returns its SHA, which no branch has yet */
  async #commit({ parent, message, files }: NewCommit): Promise<string> {
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

  /** Creates a branch. Fails with 422 if the name exists. */
  async #createBranch(branch: string, sha: string): Promise<void> {
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
