import { z } from "zod";
import type { Discussion, DiscussionReply, RepositoryDiscussions } from "../code-host.ts";
import { path } from "../token-api.ts";
import { didChange, orMissing } from "../token-responses.ts";
import { account, type BitbucketAccess, loginOf } from "./bitbucket-api.ts";
import { asBitbucketMarkdown } from "./bitbucket-markdown.ts";

/** Later comments of a pull request are not searched. */
const MAX_COMMENT_PAGES = 20;

const made = z.object({ id: z.int() });
const comment = made.extend({
  content: z.object({ raw: z.string().nullish() }).nullish(),
  user: account.nullish(),
  parent: made.nullish(),
  deleted: z.boolean().default(false),
  /** Of a review that is not yet published. */
  pending: z.boolean().default(false),
  updated_on: z.iso.datetime({ offset: true }),
  links: z.object({ html: z.object({ href: z.string() }).nullish() }).nullish(),
});
type Comment = z.infer<typeof comment>;

/**
 * The comments on a repository's pull requests, and the replies to them. The id of one is `<comment>:`. Only comments on
 * a line can be resolved, and ours are on the whole pull request.
 */
export class BitbucketComments implements RepositoryDiscussions {
  readonly canResolve = false;
  readonly #access: BitbucketAccess;

  constructor(access: BitbucketAccess) {
    this.#access = access;
  }

  async find(pull: number, marker: string): Promise<string | null> {
    const wanted = asBitbucketMarkdown(marker).trim();
    const all = await this.#list(pull);
    for (const { id, content, deleted } of all) {
      const raw = content?.raw ?? "";
      // Anyone can write our marker into a comment, but only its author can change it. A token can't read its own account.
      if (!deleted && raw.includes(wanted) && (await this.#put(pull, String(id), raw))) return `${id}:`;
    }
    return null;
  }

  async create(pull: number, body: string): Promise<string> {
    const raw = asBitbucketMarkdown(body);
    const { id } = await this.#access.api.send(made, "POST", this.#of(pull), { body: { content: { raw } } });
    return `${id}:`;
  }

  change(pull: number, id: string, body: string): Promise<boolean> {
    return this.#put(pull, numberOf(id), asBitbucketMarkdown(body));
  }

  async remove(pull: number, id: string): Promise<void> {
    await orMissing(this.#access.api.send(z.unknown(), "DELETE", this.#of(pull) + path`/${numberOf(id)}`));
  }

  async read(pull: number, id: string): Promise<Discussion | null> {
    const all = await this.#list(pull);
    const own = all.find(each => String(each.id) === numberOf(id));
    if (!own || own.deleted) return null;
    // The replies to a deleted reply stay.
    const inside = withReplies(own, all).filter(({ deleted }) => !deleted);
    return {
      ...{ isResolved: null, resolvedBy: null },
      ids: new Set(inside.map(each => String(each.id))),
      replies: inside.flatMap(each => this.#replyOf(pull, each, own)),
    };
  }

  async resolve(): Promise<void> {
    // No comment of this service can be resolved.
  }

  /** Returns a comment as a reply of a person, or nothing. Two services could answer each other forever. */
  #replyOf(pull: number, each: Comment, own: Comment): DiscussionReply[] {
    const { id, user, content, pending, links, updated_on: updatedAt } = each;
    const login = loginOf(user);
    if (each === own || !user || login === null || pending) return [];
    if (user.type !== "user" || user.uuid === own.user?.uuid) return [];
    const { page } = this.#access;
    const url = links?.html?.href ?? `${page}/pull-requests/${pull}#comment-${id}`;
    const accountId = `${new URL(page).host}:${user.uuid}`;
    return [{ id: String(id), body: content?.raw ?? "", url, updatedAt, account: { id: accountId, login } }];
  }

  /** @returns false if the comment was deleted, or is not the token's */
  #put(pull: number, id: string, raw: string): Promise<boolean> {
    const at = this.#of(pull) + path`/${id}`;
    return didChange(this.#access.api.send(z.unknown(), "PUT", at, { body: { content: { raw } } }));
  }

  #list(pull: number): Promise<Comment[]> {
    return this.#access.api.list(comment, this.#of(pull), { pagelen: 100 }, MAX_COMMENT_PAGES);
  }

  #of(pull: number): string {
    return this.#access.root + path`/pullrequests/${pull}/comments`;
  }
}

/** Returns the number in the id of a discussion. */
function numberOf(id: string): string {
  return id.split(":")[0] ?? id;
}

/** Returns a comment and all replies below it, also those to replies, oldest first. */
function withReplies(own: Comment, all: Comment[]): Comment[] {
  const ids = new Set([own.id]);
  // A reply is never older than what it answers, so one pass finds all.
  return all
    .toSorted((one, other) => one.id - other.id)
    .filter(each => {
      if (each.parent && ids.has(each.parent.id)) ids.add(each.id);
      return ids.has(each.id);
    });
}
