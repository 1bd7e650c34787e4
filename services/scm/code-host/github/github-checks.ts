import type {
  CheckAnnotation,
  CheckChange,
  CheckText,
  NamedCheck,
  RepositoryChecks,
  RepositoryName,
} from "../code-host.ts";
import { type HostRequest, PER_PAGE, type RepositoryAccess } from "./github-app.ts";

/** Later annotations of a check run are not read. */
const MAX_ANNOTATION_PAGES = 10;

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
    const { annotations = [], ...text } = output;
    const added = annotations.length === 0 ? [] : await this.#missing(id, annotations);
    await this.#request("PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}", {
      ...this.#name,
      check_run_id: Number(id),
      ...state,
      ...(detailsUrl !== undefined && { details_url: detailsUrl }),
      output: { ...text, ...(added.length > 0 && { annotations: added }) },
      actions,
    });
  }

  /** Returns the annotations that a check run lacks. GitHub keeps the annotations of earlier updates, and adds others. */
  async #missing(id: string, annotations: CheckAnnotation[]): Promise<CheckAnnotation[]> {
    const known = new Set<string>();
    for (let page = 1; page <= MAX_ANNOTATION_PAGES; page++) {
      const { data } = await this.#request(
        "GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations",
        { ...this.#name, check_run_id: Number(id), per_page: PER_PAGE, page },
      );
      for (const each of data) known.add(identityOf(each));
      if (data.length < PER_PAGE) break;
    }
    return annotations.filter(each => !known.has(identityOf(each)));
  }
}

/** The fields of an annotation that GitHub returns, which may be null. */
type KnownAnnotation = { [Field in keyof CheckAnnotation]: CheckAnnotation[Field] | string | null };

function identityOf(annotation: KnownAnnotation): string {
  const { path, start_line, end_line, start_column = null, end_column = null } = annotation;
  const { annotation_level, message } = annotation;
  return JSON.stringify([path, start_line, end_line, start_column, end_column, annotation_level, message]);
}
