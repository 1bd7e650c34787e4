import type { RepositoryComments, RepositoryName } from "../code-host.ts";
import { isMissing } from "../host-error.ts";
import { type HostRequest, PER_PAGE, type RepositoryAccess } from "./github-app.ts";

/** The app's comment is searched only within these pages. */
const MAX_COMMENT_PAGES = 10;

/** The comments on a repository's pull requests. Every method throws HostError. */
export class GitHubComments implements RepositoryComments {
  readonly #request: HostRequest;
  readonly #name: RepositoryName;
  readonly #appId: string;

  constructor({ request, name }: RepositoryAccess, appId: string) {
    this.#request = request;
    this.#name = name;
    this.#appId = appId;
  }

  async find(pull: number, marker: string): Promise<string | null> {
    for (let page = 1; page <= MAX_COMMENT_PAGES; page++) {
      const { data } = await this.#request("GET /repos/{owner}/{repo}/issues/{issue_number}/comments", {
        ...this.#name,
        issue_number: pull,
        per_page: PER_PAGE,
        page,
      });
      // Anyone can write our marker into a comment, but the app can change only its own.
      const found = data.find(
        ({ body, performed_via_github_app: app }) =>
          app && [String(app.id), app.client_id].includes(this.#appId) && body?.includes(marker),
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

  async remove(_pull: number, id: string): Promise<void> {
    try {
      await this.#request("DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}", {
        ...this.#name,
        comment_id: Number(id),
      });
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  async change(_pull: number, id: string, body: string): Promise<boolean> {
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
