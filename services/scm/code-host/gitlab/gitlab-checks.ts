import { z } from "zod";
import { API_ERRORS } from "../../texts/connections.ts";
import type { CheckChange, CheckConclusion, CheckText, NamedCheck, RepositoryChecks } from "../code-host.ts";
import { HostError } from "../host-error.ts";
import { path, type TokenApi } from "../token-api.ts";
import { statusDescription } from "../token-responses.ts";
import type { GitLabProject } from "./gitlab-project.ts";

/** GitLab's limit of a status's URL. */
const MAX_URL_CHARS = 255;

type State = "pending" | "running" | "success" | "failed" | "canceled";

/** A status has no state for an open review. Only a failed one keeps people from merging. */
const STATES: Record<CheckConclusion, State> = {
  success: "success",
  neutral: "success",
  action_required: "failed",
  failure: "failed",
  timed_out: "failed",
  cancelled: "canceled",
};

const status = z.object({ id: z.int() });

/** The commit statuses of a project, which are what GitLab has instead of check runs. */
export class GitLabChecks implements RepositoryChecks {
  readonly #api: TokenApi;
  readonly #project: GitLabProject;

  constructor(api: TokenApi, project: GitLabProject) {
    this.#api = api;
    this.#project = project;
  }

  async create(check: NamedCheck, { title }: CheckText): Promise<string> {
    const id = await this.#set(check, { state: "pending", description: title });
    const found = id ?? (await this.find(check));
    if (found === null) throw new HostError(404, API_ERRORS.noStatus);
    return found;
  }

  async find({ sha, name }: NamedCheck): Promise<string | null> {
    const query = { name, order_by: "id", sort: "desc" };
    const [latest] = await this.#api.list(
      status,
      path`/projects/${this.#project.hostId}/repository/commits/${sha}/statuses`,
      query,
      1,
    );
    return latest ? this.#idOf(latest) : null;
  }

  async change(
    _id: string,
    check: NamedCheck,
    { conclusion, detailsUrl, output }: CheckChange,
  ): Promise<void> {
    const open = detailsUrl === undefined ? "pending" : "running";
    const state = conclusion === null ? open : STATES[conclusion];
    await this.#set(check, { state, description: output.title, target_url: detailsUrl });
  }

  /** @returns the status's id, or null if it is in that state already */
  async #set(
    { sha, branch, name }: NamedCheck,
    {
      state,
      description,
      target_url,
    }: { state: State; description: string; target_url?: string | undefined },
  ): Promise<string | null> {
    const body = {
      state,
      name,
      description: statusDescription(description),
      ...(branch !== null && { ref: branch }),
      ...(target_url !== undefined && target_url.length <= MAX_URL_CHARS && { target_url }),
    };
    try {
      const set = await this.#api.send(
        status,
        "POST",
        path`/projects/${this.#project.hostId}/statuses/${sha}`,
        {
          body,
        },
      );
      return this.#idOf(set);
    } catch (error) {
      if (isSameState(error)) return null;
      throw error;
    }
  }

  /** Check runs of all hosts are found by their ids, which are only unique within a host. */
  #idOf({ id }: { id: number }): string {
    return `${this.#project.connectionId}-${id}`;
  }
}

/** GitLab refuses to set the state that an open status already has. */
function isSameState(error: unknown): boolean {
  return (
    error instanceof HostError && error.status === 400 && /cannot transition status/i.test(error.message)
  );
}
