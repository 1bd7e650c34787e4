import { z } from "zod";
import type { RepositoryComments } from "../code-host.ts";
import { withoutReferences } from "../host-references.ts";
import { path } from "../token-api.ts";
import { didChange, orMissing } from "../token-responses.ts";
import type { GiteaAccess } from "./gitea-api.ts";

const user = z.object({ id: z.int() });
const comment = z.object({ id: z.int(), body: z.string().nullish(), user: user.nullish() });

/** The comments on a repository's pull requests. */
export class GiteaComments implements RepositoryComments {
  readonly #access: GiteaAccess;

  constructor(access: GiteaAccess) {
    this.#access = access;
  }

  async find(pull: number, marker: string): Promise<string | null> {
    const { api, root } = this.#access;
    const own = await api.send(user, "GET", "/user");
    // The list has no pages.
    const all = await api.send(z.array(comment), "GET", root + path`/issues/${pull}/comments`);
    // Anyone can write our marker into a comment.
    const found = all.find(({ user: by, body }) => by?.id === own.id && body?.includes(marker));
    return found ? String(found.id) : null;
  }

  async create(pull: number, body: string): Promise<string> {
    const { api, root } = this.#access;
    const made = await api.send(comment, "POST", root + path`/issues/${pull}/comments`, {
      body: { body: withoutReferences(body) },
    });
    return String(made.id);
  }

  change(_pull: number, id: string, body: string): Promise<boolean> {
    const { api, root } = this.#access;
    const written = { body: withoutReferences(body) };
    return didChange(api.send(z.unknown(), "PATCH", root + path`/issues/comments/${id}`, { body: written }));
  }

  async remove(_pull: number, id: string): Promise<void> {
    const { api, root } = this.#access;
    await orMissing(api.send(z.unknown(), "DELETE", root + path`/issues/comments/${id}`));
  }
}
