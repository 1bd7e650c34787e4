import { z } from "zod";
import { API_ERRORS } from "../../texts/connections.ts";
import type { CheckChange, CheckConclusion, CheckText, NamedCheck, RepositoryChecks } from "../code-host.ts";
import { HostError } from "../host-error.ts";
import { path } from "../token-api.ts";
import { statusDescription } from "../token-responses.ts";
import type { GiteaAccess } from "./gitea-api.ts";

/** Longer URLs are left out. */
const MAX_URL_CHARS = 2_000;
/** A commit has few statuses, and the latest come first. */
const MAX_STATUS_PAGES = 4;

type State = "pending" | "success" | "error" | "failure";

/** A status has no state for an open review. Only a failed one keeps people from merging. */
const STATES: Record<CheckConclusion, State> = {
  success: "success",
  neutral: "success",
  action_required: "failure",
  failure: "failure",
  timed_out: "error",
  cancelled: "error",
};

const status = z.object({ id: z.int(), context: z.string().nullish() });

/** The commit statuses of a repository, which are what Gitea has instead of check runs. The latest of a name counts. */
export class GiteaChecks implements RepositoryChecks {
  readonly #access: GiteaAccess;

  constructor(access: GiteaAccess) {
    this.#access = access;
  }

  create(check: NamedCheck, { title }: CheckText): Promise<string> {
    return this.#add(check, { state: "pending", description: title });
  }

  async find({ sha, name }: NamedCheck): Promise<string | null> {
    const { api, root } = this.#access;
    const query = { sort: "recentupdate" };
    const all = await api.list(status, root + path`/statuses/${sha}`, query, MAX_STATUS_PAGES);
    const latest = all.find(({ context }) => context === name);
    return latest ? this.#idOf(latest) : null;
  }

  async change(
    _id: string,
    check: NamedCheck,
    { conclusion, detailsUrl, output }: CheckChange,
  ): Promise<void> {
    const state = conclusion === null ? "pending" : STATES[conclusion];
    await this.#add(check, { state, description: output.title, targetUrl: detailsUrl });
  }

  async #add(
    { sha, name }: NamedCheck,
    {
      state,
      description,
      targetUrl = "",
    }: { state: State; description: string; targetUrl?: string | undefined },
  ): Promise<string> {
    const { api, root } = this.#access;
    const body = {
      state,
      context: name,
      description: statusDescription(description),
      ...(targetUrl !== "" && targetUrl.length <= MAX_URL_CHARS && { target_url: targetUrl }),
    };
    const made = await api.send(status.nullable(), "POST", root + path`/statuses/${sha}`, { body });
    if (made === null) throw new HostError(404, API_ERRORS.noStatus);
    return this.#idOf(made);
  }

  /** Check runs of all hosts are found by their ids, which are only unique within a host. */
  #idOf({ id }: { id: number }): string {
    return `${this.#access.of.connectionId}-${id}`;
  }
}
