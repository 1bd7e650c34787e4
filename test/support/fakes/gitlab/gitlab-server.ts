import { randomInt, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { LocalServer, send } from "../../servers/local-server.ts";
import { Refusal } from "../code-host/host-answer.ts";
import { HostApi } from "../code-host/host-api.ts";
import { HostTraffic, jsonOf } from "../code-host/host-traffic.ts";
import type { HostedPull } from "../code-host/hosted-repository.ts";
import { PROJECT_ANSWERS, viewOfProject } from "./gitlab-answers.ts";
import { type GitLabNote, type GitLabProject, hostedStatus } from "./gitlab-project.ts";

const API = "/api/v4";

/** An access token. Its bot user keeps its number when the token is rotated. */
export interface GitLabToken {
  userId: number;
  scopes: string[];
  /** Date. */
  expiresAt: string | null;
  /** The role in every project, as GitLab's number. */
  level: number;
  isRevoked: boolean;
}

/** A fake GitLab instance. It checks the method, path, token and body of every request. */
export class GitLabServer {
  readonly #traffic = new HostTraffic();
  readonly #server = new LocalServer((req, res) => void this.#answer(req, res));
  readonly #api = new HostApi(new URL("gitlab-api.json", import.meta.url));
  readonly tokens = new Map<string, GitLabToken>();
  readonly projects: GitLabProject[] = [];
  readonly complaints = this.#traffic.complaints;
  readonly requests = this.#traffic.requests;
  readonly failures = this.#traffic.failures;
  /** What happens once before a response is sent. */
  readonly pauses: { match: RegExp; work(): Promise<unknown> }[] = [];

  static async start(): Promise<GitLabServer> {
    const made = new GitLabServer();
    await made.#server.listen();
    return made;
  }

  get url(): string {
    return this.#server.url;
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  reset(): void {
    this.#traffic.reset();
    this.projects.length = 0;
  }

  addProject(project: GitLabProject): GitLabProject {
    this.projects.push(project);
    return project;
  }

  /** Creates an access token. By default, it has all rights for a year. */
  addToken(more: Partial<GitLabToken> = {}): string {
    const token = `glpat-${randomUUID()}`;
    const expiresAt = dateIn(365);
    const usual = {
      userId: randomInt(1_000, 1_000_000),
      scopes: ["api"],
      expiresAt,
      level: 40,
      isRevoked: false,
    };
    this.tokens.set(token, { ...usual, ...more });
    return token;
  }

  /** Returns the payload of a merge request's event. */
  mergeRequestEvent(project: GitLabProject, pull: HostedPull, action: string, more: object = {}): object {
    const id = project.id;
    return {
      object_kind: "merge_request",
      event_type: "merge_request",
      user: { id: 5, name: "Octo Cat", username: pull.author },
      project: viewOfProject(this, project),
      object_attributes: {
        ...{ id: id + pull.number, iid: pull.number, action, state: pull.state, author_id: 5 },
        ...{ source_branch: pull.head.ref, target_branch: pull.base.ref },
        ...{ source_project_id: pull.fork ? id + 1 : id, target_project_id: id },
        ...{ merge_commit_sha: pull.mergeSha, updated_at: pull.updatedAt },
        last_commit: { id: pull.head.sha, message: `Work on ${pull.head.ref}` },
        ...more,
      },
      changes: {},
    };
  }

  /** Returns the payload of a note's event. */
  noteEvent(project: GitLabProject, note: GitLabNote, more: object = {}): object {
    return {
      object_kind: "note",
      event_type: "note",
      user: { name: note.author.username, ...note.author },
      project: viewOfProject(this, project),
      object_attributes: {
        ...{ id: note.id, note: note.body, noteable_type: "MergeRequest", discussion_id: note.discussion },
        ...{ author_id: note.author.id, system: note.system, action: "create", internal: note.internal },
        ...more,
      },
      merge_request: { iid: note.pull },
    };
  }

  /** Returns the payload of a deployment's event. */
  deploymentEvent(project: GitLabProject, sha: string, url: string | null, more: object = {}): object {
    return {
      object_kind: "deployment",
      ...{
        status: "success",
        status_changed_at: "2026-01-31 12:00:00 +0000",
        deployment_id: randomInt(2 ** 40),
      },
      ...{ environment: "review/feature", environment_tier: "development", environment_external_url: url },
      ...{ short_sha: sha.slice(0, 8), commit_url: `${this.url}/${project.path}/-/commit/${sha}` },
      project: viewOfProject(this, project),
      ...more,
    };
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(req.url ?? "/", this.url);
    const path = pathname.slice(API.length);
    const name = `${req.method} ${decodeURIComponent(path)}`;
    await this.#traffic.answer(req, name, {
      refuse: (status, message, headers) => send(res, status, { message }, headers),
      handle: async text => {
        const query = Object.fromEntries(searchParams);
        const request = { method: req.method ?? "", path, query, body: jsonOf(text) };
        const complaint = pathname.startsWith(`${API}/`)
          ? this.#api.issueIn(request)
          : `${pathname} is not the API`;
        if (complaint !== null) throw new Error(complaint);
        const [status, content] = this.#do(req, { ...request, refs: searchParams.getAll("refs[]") });
        const paused = this.pauses.findIndex(({ match }) => match.test(name));
        if (paused >= 0) await this.pauses.splice(paused, 1)[0]?.work();
        return () => (status === 204 ? res.writeHead(204).end() : send(res, status, content));
      },
    });
  }

  #do(req: IncomingMessage, request: GitLabRequest): [status: number, content: unknown] {
    const value = String(req.headers["private-token"]);
    const token = this.tokens.get(value);
    if (!token || token.isRevoked) throw new Refusal(401, "401 Unauthorized");
    const parts = request.path.split("/").slice(1).map(decodeURIComponent);
    if (parts[0] === "user") return [200, { id: token.userId, username: `project_1_bot_${token.userId}` }];
    if (parts[0] === "personal_access_tokens") return this.#doToken(token, request);
    if (!token.scopes.includes("api")) throw new Refusal(403, "insufficient_scope");
    const project = this.projects.find(({ id, path }) => [String(id), path].includes(parts[1] ?? ""));
    if (!project || project.isHidden) throw new Refusal(404, "404 Project Not Found");
    const key = `${request.method} ${fixedParts(parts.slice(2)).join("/")}`.trim();
    const answer = PROJECT_ANSWERS[key];
    if (!answer) throw new Error(`nobody answers ${key}`);
    const content = answer(project, { ...request, parts: parts.slice(2), token }, this);
    if (content === NOTHING) return [204, null];
    return [request.method === "POST" ? 201 : 200, content];
  }

  #doToken(token: GitLabToken, { method, body }: GitLabRequest): [number, unknown] {
    if (method === "GET")
      return [200, { id: 1, scopes: token.scopes, expires_at: token.expiresAt, active: true }];
    token.isRevoked = true;
    const expiresAt = hostedStatus.expiry.parse(body).expires_at;
    const rotated = this.addToken({ ...token, isRevoked: false, expiresAt });
    return [201, { id: 2, token: rotated, scopes: token.scopes, expires_at: expiresAt }];
  }
}

/** Returns the parts of a path that are no values. */
function fixedParts([what = "", ...others]: string[]): string[] {
  // After `repository`, the next part names the list. Then values and names alternate.
  const [list, ...rest] = what === "repository" ? others : ["", ...others];
  return [what, list ?? "", rest[1] ?? ""].filter(part => part !== "");
}

/** An answer without content. */
export const NOTHING = Symbol("nothing");

/** A request, checked against the API's description. */
export interface GitLabRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  /** The values of the list `refs[]`. */
  refs: string[];
  body: unknown;
}

/** Returns the date in some days. */
export function dateIn(days: number): string {
  return new Date(Date.now() + days * 24 * 3_600_000).toISOString().slice(0, 10);
}
