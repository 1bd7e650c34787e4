import { randomBytes } from "node:crypto";
import { z } from "zod";
import { HostedRepository } from "../code-host/hosted-repository.ts";

/** A status of a commit. */
export interface GitLabStatus {
  id: number;
  sha: string;
  name: string;
  ref: string | null;
  status: string;
  description: string | null;
  target_url: string | null;
}

export interface GitLabNote {
  id: number;
  pull: number;
  /** Notes with the same one are replies to its first note. */
  discussion: string;
  body: string;
  author: { id: number; username: string };
  system: boolean;
  internal: boolean;
  updated_at: string;
  /** Whether its discussion can be resolved. */
  resolvable: boolean;
  resolved: boolean;
  resolved_by: { id: number; username: string } | null;
}

export interface GitLabHook {
  id: number;
  url: string;
  token: string;
  merge_requests_events: boolean;
  note_events: boolean;
  deployment_events: boolean;
}

/** A project of the fake instance. */
export class GitLabProject extends HostedRepository {
  readonly statuses: GitLabStatus[] = [];
  readonly notes: GitLabNote[] = [];
  readonly hooks: GitLabHook[] = [];
  #noteCount = 0;
  isHidden = false;
  visibility: "private" | "internal" | "public" = "private";

  get path(): string {
    return `${this.owner}/${this.name}`;
  }

  /** Adds a note to a merge request, in its own discussion or as a reply. */
  addNote(pull: number, fields: Partial<GitLabNote> & Pick<GitLabNote, "body" | "author">): GitLabNote {
    this.#noteCount++;
    const note = {
      ...{ id: this.#noteCount, pull, discussion: randomBytes(20).toString("hex"), system: false },
      ...{ internal: false, updated_at: new Date().toISOString(), resolvable: false, resolved: false },
      resolved_by: null,
      ...fields,
    };
    this.notes.push(note);
    return note;
  }

  /** Returns the notes of a discussion as GitLab shows them, or null if there are none. */
  discussionOf(id: string): { id: string; notes: GitLabNote[] } | null {
    const notes = this.notes.filter(({ discussion }) => discussion === id);
    return notes.length === 0 ? null : { id, notes };
  }
}

const OPEN = new Set(["pending", "running"]);

/** Bodies of requests. */
export const hostedStatus = {
  body: z.object({
    state: z.string(),
    name: z.string(),
    ref: z.string().optional(),
    description: z.string().max(255).optional(),
    target_url: z.string().max(255).optional(),
  }),
  expiry: z.object({ expires_at: z.iso.date() }),
};

/**
 * Sets a status as GitLab does: an open status of the same name changes its state, and must not keep it. A status that
 * has ended is followed by a new one.
 * @returns the status, or the transition that GitLab refuses
 */
export function setStatus(project: GitLabProject, sha: string, body: unknown): GitLabStatus | string {
  const { state, name, ref = null, description = null, target_url = null } = hostedStatus.body.parse(body);
  const open = project.statuses.find(each => each.sha === sha && each.name === name && OPEN.has(each.status));
  if (open && (open.status === state || (open.status === "running" && state === "pending"))) {
    const event = state === "pending" ? "enqueue" : "run";
    return `Cannot transition status via :${event} from :${open.status} (Reason(s): Status cannot transition via "${event}")`;
  }
  const next = { status: state, ref, description, target_url: target_url ?? open?.target_url ?? null };
  if (open) return Object.assign(open, next);
  const made = { id: project.statuses.length + 1, sha, name, ...next };
  project.statuses.push(made);
  return made;
}
