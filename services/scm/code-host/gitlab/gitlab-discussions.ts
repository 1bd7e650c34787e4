import { z } from "zod";
import type { Discussion, DiscussionReply, RepositoryDiscussions } from "../code-host.ts";
import { isMissing } from "../host-error.ts";
import { path, type TokenApi } from "../token-api.ts";
import { asNote, type GitLabNotes } from "./gitlab-notes.ts";
import type { GitLabProject } from "./gitlab-project.ts";

/** The service's discussion is searched only within these pages. */
const MAX_DISCUSSION_PAGES = 10;

/** The names of the users of access tokens, and of service accounts. Two services could answer each other forever. */
const BOT = /^(?:(?:project|group)_\d+_bot|service_account_|ghost$)/i;

const author = z.object({ id: z.int(), username: z.string() });
const note = z.object({
  id: z.int(),
  body: z.string(),
  author,
  system: z.boolean().default(false),
  /** Only some members can read it. Older instances call it confidential. */
  internal: z.boolean().nullish(),
  confidential: z.boolean().nullish(),
  updated_at: z.iso.datetime({ offset: true }),
  resolvable: z.boolean().default(false),
  resolved: z.boolean().nullish(),
  resolved_by: author.nullish(),
});
type Note = z.infer<typeof note>;
const discussion = z.object({ id: z.string().regex(/^[\w-]{1,100}$/), notes: z.array(note).min(1) });

/** The discussions on a project's merge requests. The id of one is `<discussion>:<first note>`. */
export class GitLabDiscussions implements RepositoryDiscussions {
  readonly canResolve = true;
  readonly #api: TokenApi;
  readonly #project: GitLabProject;
  readonly #notes: GitLabNotes;

  constructor(api: TokenApi, project: GitLabProject, notes: GitLabNotes) {
    this.#api = api;
    this.#project = project;
    this.#notes = notes;
  }

  async find(pull: number, marker: string): Promise<string | null> {
    const own = await this.#api.send(z.object({ id: z.int() }), "GET", "/user");
    const all = await this.#api.list(discussion, this.#of(pull), {}, MAX_DISCUSSION_PAGES);
    // Anyone can write our marker into a note.
    const found = all.find(
      ({ notes: [first] }) => first?.author.id === own.id && first.body.includes(marker),
    );
    return found ? idOf(found) : null;
  }

  async create(pull: number, body: string): Promise<string> {
    const made = await this.#api.send(discussion, "POST", this.#of(pull), { body: { body: asNote(body) } });
    return idOf(made);
  }

  change(pull: number, id: string, body: string): Promise<boolean> {
    return this.#notes.change(pull, partsOf(id).note, body);
  }

  remove(pull: number, id: string): Promise<void> {
    return this.#notes.remove(pull, partsOf(id).note);
  }

  async read(pull: number, id: string): Promise<Discussion | null> {
    const parts = partsOf(id);
    try {
      const found = await this.#api.send(discussion, "GET", this.#of(pull) + path`/${parts.discussion}`);
      const { notes } = found;
      const own = notes.find(each => String(each.id) === parts.note);
      return {
        isResolved: own?.resolvable ? own.resolved === true : null,
        resolvedBy: own?.resolved_by?.username ?? null,
        mayHave: reply => notes.some(each => String(each.id) === reply),
        // The user of our own note is the token's.
        replies: notes.filter(each => isOfPerson(each, own)).map(each => this.#replyOf(pull, each)),
      };
    } catch (error) {
      if (!isMissing(error)) throw error;
      // A token that lost its role gets the same response, but no list either. The replies stay then.
      await this.#api.send(z.array(z.unknown()), "GET", this.#of(pull), { query: { per_page: 1 } });
      return null;
    }
  }

  async resolve(pull: number, id: string, isResolved: boolean): Promise<void> {
    await this.#api.send(z.unknown(), "PUT", this.#of(pull) + path`/${partsOf(id).discussion}`, {
      body: { resolved: isResolved },
    });
  }

  #replyOf(pull: number, { id, body, updated_at: updatedAt, author: by }: Note): DiscussionReply {
    const url = `${this.#project.page}/-/merge_requests/${pull}#note_${id}`;
    // Users of other instances and hosts have the same numbers.
    const account = { id: `${new URL(this.#project.page).host}:${by.id}`, login: by.username };
    return { id: String(id), body, url, updatedAt, account };
  }

  #of(pull: number): string {
    return path`/projects/${this.#project.hostId}/merge_requests/${pull}/discussions`;
  }
}

function isOfPerson(each: Note, own: Note | undefined): boolean {
  const isHidden = each.system || each.internal === true || each.confidential === true;
  return !isHidden && each !== own && each.author.id !== own?.author.id && !BOT.test(each.author.username);
}

function idOf({ id, notes: [first] }: z.infer<typeof discussion>): string {
  return `${id}:${first?.id}`;
}

function partsOf(id: string): { discussion: string; note: string } {
  const [of = "", note = ""] = id.split(":");
  return { discussion: of, note };
}
