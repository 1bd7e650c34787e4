import type {
  CodeHost,
  InstalledRepository,
  Purpose,
  RepositoryHost,
  RepositoryName,
  SeenRepository,
} from "../code-host.ts";
import { isMissing } from "../host-error.ts";
import { type GitHubApp, PER_PAGE } from "./github-app.ts";
import { GitHubRepository } from "./github-repository.ts";

/** Later repositories of one installation are not listed. */
const MAX_REPOSITORY_PAGES = 100;

/** GitHub, with the access of an app. */
export class GitHubHost implements CodeHost {
  readonly #app: GitHubApp;

  constructor(app: GitHubApp) {
    this.#app = app;
  }

  async installationOf(name: RepositoryName): Promise<string | null> {
    try {
      const { data } = await this.#app.request("GET /repos/{owner}/{repo}/installation", name);
      return String(data.id);
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async repository(
    { installationId, owner, repo }: InstalledRepository,
    purpose: Purpose = "checks",
  ): Promise<RepositoryHost> {
    const request = await this.#app.installation(installationId, purpose);
    return new GitHubRepository({ request, name: { owner, repo } }, this.#app.appId);
  }

  async listRepositories(installationId: string): Promise<SeenRepository[]> {
    const request = await this.#app.installation(installationId, "bootstrap");
    const all: SeenRepository[] = [];
    for (let page = 1; page <= MAX_REPOSITORY_PAGES; page++) {
      const { data } = await request("GET /installation/repositories", { per_page: PER_PAGE, page });
      all.push(
        ...data.repositories.map(({ id, name, owner }) => ({
          id: String(id),
          owner: owner.login,
          repo: name,
        })),
      );
      if (data.repositories.length < PER_PAGE) break;
    }
    return all;
  }
}
