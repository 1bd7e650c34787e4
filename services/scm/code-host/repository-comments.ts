import type { HostRequest } from "./code-host-app.ts";
import { isMissing } from "./host-error.ts";
import { PER_PAGE, type RepositoryAccess, type RepositoryName } from "./repository-access.ts";

/** Comments beyond these are not looked through for ours. */
const COMMENT_PAGES = 10;

/** The comments on a repository's pull requests. Every method throws HostError. */
export class RepositoryComments {
  readonly #request: HostRequest;
  readonly #name: RepositoryName;

  constructor({ request, name }: RepositoryAccess) {
    this.#request = request;
    this.#name = name;
  }

  /** The app's comment on a pull request that has this text in it; null for none. */
  async find(pull: number, marker: string, appId: string): Promise<string | null> {
    for (let page = 1; page <= COMMENT_PAGES; page++) {
      const { data } = await this.#request("GET /repos/{owner}/{repo}/issues/{issue_number}/comments", {
        ...this.#name,
        issue_number: pull,
        per_page: PER_PAGE,
        page,
      });
      // Anybody can write our marker into a comment; only our own can be changed.
      const found = data.find(
        ({ body, performed_via_github_app: app }) =>
          app && [String(app.id), app.client_id].includes(appId) && body?.includes(marker),
      );
      if (found) return String(found.id);
      if (data.length < PER_PAGE) return null;
    }
    return null;
  }

  async create(pull: number, body: string): Promise<string> {
    const { data } = await this.#request("POST /repos/{owner}/{repo}/issues/{issue_number}/comments", {
      ...this.#name,
      issue_number: pull,
      body,
    });
    return String(data.id);
  }

  /** @returns false when somebody has deleted it */
  async change(id: string, body: string): Promise<boolean> {
    try {
      await this.#request("PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}", {
        ...this.#name,
        comment_id: Number(id),
        body,
      });
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }
}
