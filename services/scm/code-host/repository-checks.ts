import { type HostRequest, PER_PAGE, type RepositoryAccess, type RepositoryName } from "./code-host-app.ts";

export interface NewCheck {
  sha: string;
  /** Name that people see. */
  name: string;
  /** Our own id, which finds a check run whose creation response was lost. */
  externalId: string;
  detailsUrl?: string;
  output: CheckText;
}

export interface CheckText {
  title: string;
  summary: string;
  /** Shown beside the lines. The code host accepts fifty per request. */
  annotations?: CheckAnnotation[];
}

/** A message about a position in a file. Columns are only for a position within one line. */
export interface CheckAnnotation {
  path: string;
  start_line: number;
  end_line: number;
  start_column?: number;
  end_column?: number;
  annotation_level: "failure" | "warning";
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
  /** Null while in progress. */
  conclusion: CheckConclusion | null;
  detailsUrl?: string;
  output: CheckText;
  /** Buttons, at most three. */
  actions: { label: string; description: string; identifier: string }[];
}

/** The check runs of a repository. Every method throws HostError. */
export class RepositoryChecks {
  readonly #request: HostRequest;
  readonly #name: RepositoryName;

  constructor({ request, name }: RepositoryAccess) {
    this.#request = request;
    this.#name = name;
  }

  /** @returns the check run's number */
  async create({ sha, name, externalId, detailsUrl, output }: NewCheck): Promise<string> {
    const { data } = await this.#request("POST /repos/{owner}/{repo}/check-runs", {
      ...this.#name,
      name,
      head_sha: sha,
      external_id: externalId,
      status: "in_progress",
      ...(detailsUrl !== undefined && { details_url: detailsUrl }),
      output,
    });
    return String(data.id);
  }

  /** Returns the check run that the app created with this id of ours, or null. */
  async find({
    sha,
    name,
    externalId,
  }: Pick<NewCheck, "sha" | "name" | "externalId">): Promise<string | null> {
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

  async change(id: string, { conclusion, detailsUrl, output, actions }: CheckChange): Promise<void> {
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
