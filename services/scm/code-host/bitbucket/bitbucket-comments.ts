import { z } from "zod";
import type { Discussion, DiscussionReply, RepositoryDiscussions } from "../code-host.ts";
import { path } from "../token-api.ts";
import { didChange, orMissing } from "../token-responses.ts";
import { account, type BitbucketAccess, loginOf } from "./bitbucket-api.ts";
import { asBitbucketComment, asBitbucketMarkdown } from "./bitbucket-markdown.ts";

/** Earlier comments of a pull request are not searched. */
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
  /** The newest comments of a pull request, until this writes one. Bitbucket has no list of the replies to a comment. */
  #known: { pull: number; comments: Comment[] } | null = null;

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
    const raw = asBitbucketComment(body);
    this.#known = null;
    const { id } = await this.#access.api.send(made, "POST", this.#of(pull), { body: { content: { raw } } });
    return `${id}:`;
  }

  change(pull: number, id: string, body: string): Promise<boolean> {
    return this.#put(pull, numberOf(id), asBitbucketComment(body));
  }

  async remove(pull: number, id: string): Promise<void> {
    this.#known = null;
    await orMissing(this.#access.api.send(z.unknown(), "DELETE", this.#at(pull, numberOf(id))));
  }

  async read(pull: number, id: string): Promise<Discussion | null> {
    // Once for all threads of a pull request, because Bitbucket allows few requests an hour.
    if (this.#known?.pull !== pull) this.#known = { pull, comments: await this.#list(pull) };
    const all = this.#known.comments;
    const listed = all.find(each => String(each.id) === numberOf(id));
    const own =
      listed ?? (await orMissing(this.#access.api.send(comment, "GET", this.#at(pull, numberOf(id)))));
    if (!own || own.deleted) return null;
    // The replies to a deleted reply stay.
    const inside = withReplies(own, all).filter(({ deleted }) => !deleted);
    const ids = new Set(inside.map(each => each.id));
    const oldest = all.at(-1)?.id ?? 0;
    return {
      ...{ isResolved: null, resolvedBy: null },
      // Nothing is known about a reply that is older than the listed comments.
      mayHave: reply => ids.has(Number(reply)) || Number(reply) < oldest,
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
    this.#known = null;
    const body = { content: { raw } };
    return didChange(this.#access.api.send(z.unknown(), "PUT", this.#at(pull, id), { body }));
  }

  /** Returns the comments of a pull request, newest first. */
  #list(pull: number): Promise<Comment[]> {
    const query = { pagelen: 100, sort: "-created_on" };
    return this.#access.api.list(comment, this.#of(pull), query, MAX_COMMENT_PAGES);
  }

  #at(pull: number, id: string): string {
    return this.#of(pull) + path`/${id}`;
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
