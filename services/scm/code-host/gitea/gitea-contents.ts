import { z } from "zod";
import type { NewCommit, RepositoryContents } from "../code-host.ts";
import { path } from "../token-api.ts";
import { MAX_FILE_BYTES, orMissing, TOO_LARGE_FILE } from "../token-responses.ts";
import type { GiteaAccess } from "./gitea-api.ts";

const branch = z.object({ commit: z.object({ id: z.string() }).nullish() });
const entry = z.object({ name: z.string() });
const file = z.object({
  size: z.int().default(0),
  encoding: z.string().nullish(),
  content: z.string().nullish(),
});

/** The branches, commits, and files of a repository. */
export class GiteaContents implements RepositoryContents {
  readonly #access: GiteaAccess;

  constructor(access: GiteaAccess) {
    this.#access = access;
  }

  async branchHead(name: string): Promise<string | null> {
    const found = await this.#find(branch, path`/branches/${name}`);
    return found?.commit?.id ?? null;
  }

  async hasTag(tag: string): Promise<boolean> {
    return (await this.#find(z.unknown(), path`/tags/${tag}`)) !== null;
  }

  async namesAt(sha: string): Promise<Set<string>> {
    const entries = await this.#find(z.array(entry), "/contents", { ref: sha });
    return new Set((entries ?? []).map(({ name }) => name));
  }

  async hasFile(name: string, ref: string): Promise<boolean> {
    return (await this.#find(z.unknown(), path`/contents/${name}`, { ref })) !== null;
  }

  async readFile(name: string, ref: string): Promise<string | null> {
    const found = await this.#find(file, path`/contents/${name}`, { ref });
    if (found === null) return null;
    if (found.size > MAX_FILE_BYTES || found.encoding !== "base64") return TOO_LARGE_FILE;
    return Buffer.from(found.content ?? "", "base64").toString("utf8");
  }

  /** Gitea starts a branch at a branch, so it starts at the default branch, of which the parent is the head. */
  async addBranch(name: string, { message, files }: NewCommit): Promise<void> {
    const { api, root } = this.#access;
    const created = Object.entries(files).map(([at, text]) => ({
      ...{ operation: "create", path: at, content: Buffer.from(text).toString("base64") },
    }));
    await api.send(z.unknown(), "POST", `${root}/contents`, {
      body: { new_branch: name, message, files: created },
    });
  }

  /** Returns null if it is missing. */
  #find<T>(schema: z.ZodType<T>, of: string, query?: Record<string, string>): Promise<T | null> {
    const { api, root } = this.#access;
    return orMissing(api.send(schema, "GET", root + of, query ? { query } : {}));
  }
}
