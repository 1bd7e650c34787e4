import { z } from "zod";
import type { RepositoryComments } from "../code-host.ts";
import { HostError, isMissing } from "../host-error.ts";
import { withoutReferences } from "../host-references.ts";
import { path, type TokenApi } from "../token-api.ts";
import type { GitLabProject } from "./gitlab-project.ts";

/** The service's note is searched only within these pages. */
const MAX_NOTE_PAGES = 10;

const user = z.object({ id: z.int() });
const note = z.object({ id: z.int(), body: z.string(), author: user });

/** The notes on a project's merge requests. */
export class GitLabNotes implements RepositoryComments {
  readonly #api: TokenApi;
  readonly #project: GitLabProject;

  constructor(api: TokenApi, project: GitLabProject) {
    this.#api = api;
    this.#project = project;
  }

  async find(pull: number, marker: string): Promise<string | null> {
    const own = await this.#api.send(user, "GET", "/user");
    const all = await this.#api.list(
      note,
      this.#of(pull),
      { sort: "asc", order_by: "created_at" },
      MAX_NOTE_PAGES,
    );
    // Anyone can write our marker into a note.
    const found = all.find(({ author, body }) => author.id === own.id && body.includes(marker));
    return found ? String(found.id) : null;
  }

  async create(pull: number, body: string): Promise<string> {
    const { id } = await this.#api.send(user, "POST", this.#of(pull), { body: { body: asNote(body) } });
    return String(id);
  }

  async change(pull: number, id: string, body: string): Promise<boolean> {
    try {
      await this.#api.send(z.unknown(), "PUT", this.#of(pull) + path`/${id}`, {
        body: { body: asNote(body) },
      });
      return true;
    } catch (error) {
      // The note was deleted, or it is of an earlier token's user, whose notes this one may not change.
      if (error instanceof HostError && [403, 404].includes(error.status)) return false;
      throw error;
    }
  }

  async remove(pull: number, id: string): Promise<void> {
    try {
      await this.#api.send(z.unknown(), "DELETE", this.#of(pull) + path`/${id}`);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  #of(pull: number): string {
    return path`/projects/${this.#project.hostId}/merge_requests/${pull}/notes`;
  }
}

/** Returns a comment without GitLab's own references, such as `!1`, and without quick actions, such as `/merge`. */
export function asNote(body: string): string {
  return withoutReferences(body).replaceAll(/^(\s*)\/(?=\w)/gm, "$1&#47;");
}
