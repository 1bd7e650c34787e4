import type { CheckChange, CheckText, NamedCheck, RepositoryChecks, RepositoryName } from "../code-host.ts";
import { type HostRequest, PER_PAGE, type RepositoryAccess } from "./github-app.ts";

/** The check runs of a repository. Every method throws HostError. */
export class GitHubChecks implements RepositoryChecks {
  readonly #request: HostRequest;
  readonly #name: RepositoryName;

  constructor({ request, name }: RepositoryAccess) {
    this.#request = request;
    this.#name = name;
  }

  async create({ sha, name, externalId }: NamedCheck, output: CheckText): Promise<string> {
    const { data } = await this.#request("POST /repos/{owner}/{repo}/check-runs", {
      ...this.#name,
      name,
      head_sha: sha,
      external_id: externalId,
      status: "in_progress",
      output,
    });
    return String(data.id);
  }

  async find({ sha, name, externalId }: NamedCheck): Promise<string | null> {
    const { data } = await this.#request("GET /repos/{owner}/{repo}/commits/{ref}/check-runs", {
      ...this.#name,
      ref: sha,
      check_name: name,
      filter: "all",
      per_page: PER_PAGE,
    });
    const found = data.check_runs.find(check => check.external_id === externalId);
    return found ? String(found.id) : null;
  }

  async change(
    id: string,
    _check: NamedCheck,
    { conclusion, detailsUrl, output, actions }: CheckChange,
  ): Promise<void> {
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
}
