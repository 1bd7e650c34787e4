import { z } from "zod";
import type { HostedRepository, OpenPull, RepositoryHost } from "../code-host.ts";
import { path, type TokenApi } from "../token-api.ts";
import { GitLabChecks } from "./gitlab-checks.ts";
import { GitLabContents } from "./gitlab-contents.ts";
import { GitLabDiscussions } from "./gitlab-discussions.ts";
import { GitLabHistory } from "./gitlab-history.ts";
import { GitLabNotes } from "./gitlab-notes.ts";
import type { GitLabProject } from "./gitlab-project.ts";

/** A commit has few merge requests. Later ones are left out. */
const MAX_PULL_PAGES = 2;

const project = z.object({
  id: z.int(),
  default_branch: z.string().nullish(),
  archived: z.boolean().default(false),
  forked_from_project: z.looseObject({}).nullish(),
  web_url: z.string(),
  visibility: z.string().nullish(),
  repository_access_level: z.string().nullish(),
});

const mergeRequest = z.object({
  iid: z.int32(),
  state: z.string(),
  sha: z.string().nullish(),
  source_branch: z.string(),
  target_branch: z.string(),
  source_project_id: z.int().nullish(),
  target_project_id: z.int(),
  author: z.object({ username: z.string() }).nullish(),
  updated_at: z.string(),
});

/** A project, with the access of a connection. */
export class GitLabRepository implements RepositoryHost {
  readonly ci = "gitlab";
  readonly wholeSha = null;
  readonly #api: TokenApi;
  readonly #project: GitLabProject;
  readonly contents: GitLabContents;
  readonly history: GitLabHistory;
  readonly checks: GitLabChecks;
  readonly comments: GitLabNotes;
  readonly discussions: GitLabDiscussions;

  constructor(api: TokenApi, of: GitLabProject) {
    this.#api = api;
    this.#project = of;
    this.contents = new GitLabContents(api, of);
    this.history = new GitLabHistory(api, of);
    this.checks = new GitLabChecks(api, of);
    this.comments = new GitLabNotes(api, of);
    this.discussions = new GitLabDiscussions(api, of, this.comments);
  }

  async read(): Promise<HostedRepository> {
    const read = await this.#api.send(project, "GET", this.#root);
    return {
      // A project can have connections of several teams, each with its own checks.
      id: this.#project.connectionId,
      defaultBranch: read.default_branch ?? "main",
      archived: read.archived,
      fork: read.forked_from_project != null,
      disabled: read.repository_access_level === "disabled",
      // Everyone who signs in to the instance can read an internal project.
      isPrivate: read.visibility === "private",
      page: read.web_url,
    };
  }

  async findPull(branch: string): Promise<number | null> {
    const query = { source_branch: branch, state: "all" };
    const [found] = await this.#api.list(mergeRequest, `${this.#root}/merge_requests`, query, 1);
    return found?.iid ?? null;
  }

  async openPull({ head, base, title, body }: Parameters<RepositoryHost["openPull"]>[0]): Promise<number> {
    const opened = await this.#api.send(
      z.object({ iid: z.int32() }),
      "POST",
      `${this.#root}/merge_requests`,
      {
        body: {
          title,
          description: body,
          source_branch: head,
          target_branch: base,
          remove_source_branch: true,
        },
      },
    );
    return opened.iid;
  }

  async pullsAt(sha: string): Promise<OpenPull[]> {
    const all = await this.pullsWith(sha);
    return all.filter(pull => pull.sha === sha);
  }

  async pullsWith(sha: string): Promise<OpenPull[]> {
    const found = await this.#api.list(
      mergeRequest,
      this.#root + path`/repository/commits/${sha}/merge_requests`,
      {},
      MAX_PULL_PAGES,
    );
    const open = found.filter(({ state }) => state === "opened");
    if (open.length === 0) return [];
    const { defaultBranch } = await this.read();
    return open.flatMap(pull =>
      pull.sha == null
        ? []
        : {
            number: pull.iid,
            sha: pull.sha,
            branch: pull.source_branch,
            base: pull.target_branch,
            defaultBranch,
            author: pull.author?.username ?? null,
            // Null after a fork was deleted.
            fromFork: pull.source_project_id !== pull.target_project_id,
            updatedAt: pull.updated_at,
          },
    );
  }

  get #root(): string {
    return path`/projects/${this.#project.hostId}`;
  }
}
