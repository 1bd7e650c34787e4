import { z } from "zod";
import type { NewCommit, RepositoryContents } from "../code-host.ts";
import { path, type TokenApi } from "../token-api.ts";
import { MAX_FILE_BYTES, orMissing, TOO_LARGE_FILE } from "../token-responses.ts";
import type { GitLabProject } from "./gitlab-project.ts";

/** Later names of the root folder are left out. */
const MAX_TREE_PAGES = 10;

const branch = z.object({ commit: z.object({ id: z.string() }) });
const entry = z.object({ name: z.string() });
const file = z.object({ size: z.int(), encoding: z.string(), content: z.string() });

/** The branches, commits, and files of a project. */
export class GitLabContents implements RepositoryContents {
  readonly #api: TokenApi;
  readonly #root: string;

  constructor(api: TokenApi, { hostId }: GitLabProject) {
    this.#api = api;
    this.#root = path`/projects/${hostId}/repository`;
  }

  async branchHead(name: string): Promise<string | null> {
    const found = await this.#find(branch, path`/branches/${name}`);
    return found?.commit.id ?? null;
  }

  async hasTag(tag: string): Promise<boolean> {
    return (await this.#find(z.unknown(), path`/tags/${tag}`)) !== null;
  }

  async namesAt(sha: string): Promise<Set<string>> {
    const entries = await this.#api.list(entry, `${this.#root}/tree`, { ref: sha }, MAX_TREE_PAGES);
    return new Set(entries.map(({ name }) => name));
  }

  async hasFile(name: string, ref: string): Promise<boolean> {
    return (await this.#find(z.unknown(), path`/files/${name}`, { ref })) !== null;
  }

  async readFile(name: string, ref: string): Promise<string | null> {
    const found = await this.#find(file, path`/files/${name}`, { ref });
    if (found === null) return null;
    if (found.size > MAX_FILE_BYTES || found.encoding !== "base64") return TOO_LARGE_FILE;
    return Buffer.from(found.content, "base64").toString("utf8");
  }

  async addBranch(name: string, { parent, message, files }: NewCommit): Promise<void> {
    const actions = Object.entries(files).map(([file_path, content]) => ({
      action: "create",
      file_path,
      content,
    }));
    await this.#api.send(z.unknown(), "POST", `${this.#root}/commits`, {
      body: { branch: name, start_sha: parent, commit_message: message, actions },
    });
  }

  /** Returns null if it is missing. */
  #find<T>(schema: z.ZodType<T>, of: string, query?: Record<string, string>): Promise<T | null> {
    return orMissing(this.#api.send(schema, "GET", this.#root + of, query ? { query } : {}));
  }
}
