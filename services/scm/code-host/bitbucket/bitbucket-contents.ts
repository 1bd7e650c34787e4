import { z } from "zod";
import type { NewCommit, RepositoryContents } from "../code-host.ts";
import { path } from "../token-api.ts";
import { MAX_FILE_BYTES, orMissing, TOO_LARGE_FILE } from "../token-responses.ts";
import type { BitbucketAccess } from "./bitbucket-api.ts";

/** Later names of the root folder are left out. */
const MAX_TREE_PAGES = 20;
const WHOLE_SHA = /^[0-9a-f]{40}$/;

const ref = z.object({ target: z.object({ hash: z.string() }) });
const entry = z.object({ path: z.string() });
/** A file, or a folder, whose type is another one. */
const found = z.object({ type: z.string(), size: z.int().default(0) });

/** The branches, commits, and files of a repository. */
export class BitbucketContents implements RepositoryContents {
  readonly #access: BitbucketAccess;

  constructor(access: BitbucketAccess) {
    this.#access = access;
  }

  async branchHead(name: string): Promise<string | null> {
    const { api, root } = this.#access;
    const branch = await orMissing(api.send(ref, "GET", root + path`/refs/branches/${name}`));
    return branch?.target.hash ?? null;
  }

  async hasTag(tag: string): Promise<boolean> {
    const { api, root } = this.#access;
    return (await orMissing(api.send(ref, "GET", root + path`/refs/tags/${tag}`))) !== null;
  }

  async namesAt(sha: string): Promise<Set<string>> {
    const { api, root } = this.#access;
    const listed = api.list(entry, root + path`/src/${sha}/`, {}, MAX_TREE_PAGES);
    return new Set(((await orMissing(listed)) ?? []).map(each => each.path));
  }

  async hasFile(name: string, at: string): Promise<boolean> {
    return (await this.#find(name, at)) !== null;
  }

  async readFile(name: string, at: string): Promise<string | null> {
    const file = await this.#find(name, at);
    if (file === null) return null;
    return file.size > MAX_FILE_BYTES ? TOO_LARGE_FILE : this.#access.api.text(file.at);
  }

  async addBranch(branch: string, { parent, message, files }: NewCommit): Promise<void> {
    const { api, root } = this.#access;
    // Without a slash, a file could have the name of another field.
    const contents = Object.fromEntries(Object.entries(files).map(([at, text]) => [`/${at}`, text]));
    await api.send(z.unknown(), "POST", `${root}/src`, {
      form: { branch, parents: parent, message, ...contents },
    });
  }

  /** Returns the path of a file in the API, and its size; null if it is missing or a folder. */
  async #find(name: string, at: string): Promise<{ at: string; size: number } | null> {
    const { api, root } = this.#access;
    // The name of a branch can have slashes, which would be parts of the file's path.
    const sha = WHOLE_SHA.test(at) ? at : await this.branchHead(at.replace(/^refs\/heads\//, ""));
    if (sha === null) return null;
    const inApi = `${root}${path`/src/${sha}`}/${name.split("/").map(encodeURIComponent).join("/")}`;
    const read = await orMissing(api.send(found, "GET", inApi, { query: { format: "meta" } }));
    return read?.type === "commit_file" ? { at: inApi, size: read.size } : null;
  }
}
