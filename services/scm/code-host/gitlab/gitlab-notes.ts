import { z } from "zod";
import type { RepositoryComments } from "../code-host.ts";
import { withoutReferences } from "../host-references.ts";
import { path, type TokenApi } from "../token-api.ts";
import { didChange, orMissing } from "../token-responses.ts";
import type { GitLabProject } from "./gitlab-project.ts";

/** The service's note is searched only within the newest pages. */
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
      { sort: "desc", order_by: "created_at" },
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

  change(pull: number, id: string, body: string): Promise<boolean> {
    const written = { body: asNote(body) };
    return didChange(this.#api.send(z.unknown(), "PUT", this.#of(pull) + path`/${id}`, { body: written }));
  }

  async remove(pull: number, id: string): Promise<void> {
    await orMissing(this.#api.send(z.unknown(), "DELETE", this.#of(pull) + path`/${id}`));
  }

  #of(pull: number): string {
    return path`/projects/${this.#project.hostId}/merge_requests/${pull}/notes`;
  }
}

/** Returns a comment without GitLab's own references, such as `!1`, and without quick actions, such as `/merge`. */
export function asNote(body: string): string {
  return withoutReferences(body).replaceAll(/^(\s*)\/(?=\w)/gm, "$1&#47;");
}
