import { LRUCache } from "lru-cache";
import { z } from "zod";
import { hashKey } from "../../../../shared/api-keys.ts";
import type { AddressPolicy } from "../../../../shared/capture/network/address-guard.ts";
import type { HostError } from "../host-error.ts";
import { type GitLabAccess, GitLabApi, type GitLabProject, path } from "./gitlab-api.ts";
import { GitLabRepository } from "./gitlab-repository.ts";

/** The number of connections whose request limits are remembered. */
const MAX_CLIENTS = 1_000;

/** A project as its instance shows it to the owner of a token. */
export interface SeenProject {
  hostId: string;
  /** Path of its group, such as `acme/web`. */
  owner: string;
  repo: string;
  /** The highest role that the token has there, as GitLab's number. Null if GitLab does not say. */
  accessLevel: number | null;
}

/** A token as its instance shows it. */
export interface SeenToken {
  scopes: string[];
  /** ISO 8601 date; null for a token that never expires. */
  expiresAt: string | null;
}

/** A webhook that this service creates at a project. */
export interface NewHook {
  url: string;
  secret: string;
}

const level = z.object({ access_level: z.int() }).nullish();
const project = z.object({
  id: z.int(),
  path_with_namespace: z.string(),
  permissions: z.object({ project_access: level, group_access: level }).partial().nullish(),
});
const token = z.object({ scopes: z.array(z.string()), expires_at: z.string().nullish() });
const rotated = token.extend({ token: z.string() });
const hook = z.object({ id: z.int() });

/** GitLab instances. Each connection names its own. Every method throws HostError. */
export class GitLab {
  readonly #policy: AddressPolicy;
  readonly #clients: LRUCache<string, GitLabApi>;

  constructor(policy: AddressPolicy, maxClients = MAX_CLIENTS) {
    this.#policy = policy;
    this.#clients = new LRUCache({ max: maxClients, dispose: client => void client.stop() });
  }

  /** @param onAnswer called after each request with its error, or null after a success */
  repository(
    of: GitLabProject & GitLabAccess,
    onAnswer: (error: HostError | null) => void,
  ): GitLabRepository {
    return new GitLabRepository(this.#clientOf(of, onAnswer), of);
  }

  /** Reads a project by its path or number. */
  async readProject(access: GitLabAccess, idOrPath: string): Promise<SeenProject> {
    const read = await this.#clientOf(access).send(project, "GET", path`/projects/${idOrPath}`);
    const at = read.path_with_namespace.lastIndexOf("/");
    const levels = [read.permissions?.project_access, read.permissions?.group_access];
    const known = levels.flatMap(each => each?.access_level ?? []);
    return {
      hostId: String(read.id),
      owner: read.path_with_namespace.slice(0, Math.max(at, 0)),
      repo: read.path_with_namespace.slice(at + 1),
      accessLevel: known.length === 0 ? null : Math.max(...known),
    };
  }

  async readToken(access: GitLabAccess): Promise<SeenToken> {
    const read = await this.#clientOf(access).send(token, "GET", "/personal_access_tokens/self");
    return { scopes: read.scopes, expiresAt: read.expires_at ?? null };
  }

  /** Replaces a token. GitLab revokes the old one at once. @param expiresAt ISO 8601 date */
  async rotateToken(access: GitLabAccess, expiresAt: string): Promise<SeenToken & { token: string }> {
    const made = await this.#clientOf(access).send(rotated, "POST", "/personal_access_tokens/self/rotate", {
      body: { expires_at: expiresAt },
    });
    return { token: made.token, scopes: made.scopes, expiresAt: made.expires_at ?? null };
  }

  /** @returns the webhook's id */
  async addHook(access: GitLabAccess, hostId: string, made: NewHook): Promise<string> {
    const body = hookBody(made);
    const { id } = await this.#clientOf(access).send(hook, "POST", path`/projects/${hostId}/hooks`, { body });
    return String(id);
  }

  async changeHook(access: GitLabAccess, hostId: string, id: string, made: NewHook): Promise<void> {
    const body = hookBody(made);
    await this.#clientOf(access).send(hook, "PUT", path`/projects/${hostId}/hooks/${id}`, { body });
  }

  async deleteHook(access: GitLabAccess, hostId: string, id: string): Promise<void> {
    await this.#clientOf(access).send(z.unknown(), "DELETE", path`/projects/${hostId}/hooks/${id}`);
  }

  #clientOf({ url, token: secret }: GitLabAccess, onAnswer?: (error: HostError | null) => void): GitLabApi {
    // A new token has limits of its own, and its key does not stay in memory as text.
    const key = hashKey(`${url} ${secret}`);
    const known = this.#clients.get(key) ?? new GitLabApi({ url, token: secret }, this.#policy);
    this.#clients.set(key, known);
    return onAnswer ? known.watchedBy(onAnswer) : known;
  }
}

/** Only the events that this service handles. */
function hookBody({ url, secret }: NewHook): Record<string, unknown> {
  return {
    url,
    token: secret,
    merge_requests_events: true,
    note_events: true,
    deployment_events: true,
    push_events: false,
    enable_ssl_verification: url.startsWith("https:"),
  };
}
