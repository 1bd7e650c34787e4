import { HostedRepository } from "../code-host/hosted-repository.ts";

export interface GiteaStatus {
  id: number;
  sha: string;
  context: string;
  status: string;
  description: string;
  target_url: string;
}

export interface GiteaComment {
  id: number;
  pull: number;
  body: string;
  user: { id: number; login: string };
  updated_at: string;
}

export interface GiteaHook {
  id: number;
  url: string;
  secret: string;
  events: string[];
}

/** A repository of the fake instance. */
export class GiteaRepository extends HostedRepository {
  readonly statuses: GiteaStatus[] = [];
  readonly notes: GiteaComment[] = [];
  readonly hooks: GiteaHook[] = [];
  isHidden = false;
  override isPrivate = true;

  get path(): string {
    return `${this.owner}/${this.name}`;
  }

  /** Adds a comment to a pull request. */
  addComment(pull: number, body: string, user: GiteaComment["user"]): GiteaComment {
    const id = (this.notes.at(-1)?.id ?? 0) + 1;
    const made = { id, pull, body, user, updated_at: new Date().toISOString() };
    this.notes.push(made);
    return made;
  }
}
