import { randomUUID } from "node:crypto";
import { HostedRepository } from "../code-host/hosted-repository.ts";

/** The digits of a SHA that pull requests have. */
const SHORT = 12;

export interface BitbucketUser {
  type: "user" | "app_user";
  uuid: string;
  nickname?: string;
  display_name: string;
}

export interface BitbucketStatus {
  sha: string;
  key: string;
  state: string;
  name: string;
  description: string;
  url: string;
  refname?: string | undefined;
}

export interface BitbucketComment {
  id: number;
  pull: number;
  content: { raw: string };
  user: BitbucketUser;
  parent?: { id: number };
  deleted: boolean;
  updated_on: string;
}

export interface BitbucketHook {
  uuid: string;
  url: string;
  secret: string;
  events: string[];
}

/** A repository of the fake Bitbucket. */
export class BitbucketRepository extends HostedRepository {
  readonly uuid = `{${randomUUID()}}`;
  /** The latest of each commit and key. */
  readonly statuses: BitbucketStatus[] = [];
  /** Every state that a status had, in order. */
  readonly states: [state: string, url: string][] = [];
  readonly notes: BitbucketComment[] = [];
  readonly hooks: BitbucketHook[] = [];
  isHidden = false;

  get path(): string {
    return `${this.owner}/${this.name}`;
  }

  /** Adds a comment to a pull request, or a reply to another comment. */
  addComment(pull: number, raw: string, user: BitbucketUser, parent?: number): BitbucketComment {
    const id = (this.notes.at(-1)?.id ?? 100) + 1;
    const made: BitbucketComment = {
      ...{ id, pull, content: { raw }, user, deleted: false, updated_on: new Date().toISOString() },
      ...(parent !== undefined && { parent: { id: parent } }),
    };
    this.notes.push(made);
    return made;
  }

  /** Returns the SHA of a commit by its start. Commits of forks are only in the fork. */
  shaOf(start: string): string | null {
    const found = [...this.commits.keys()].find(sha => sha.startsWith(start));
    return found === undefined || this.#isInFork(found) ? null : found;
  }

  #isInFork(sha: string): boolean {
    return this.pulls.some(pull => pull.fork && !pull.merged && this.brings(pull, sha));
  }
}

export function shortOf(sha: string): string {
  return sha.slice(0, SHORT);
}
