import { z } from "zod";
import type { AddressPolicy } from "../../../../shared/capture/network/address-guard.ts";
import type { HostError } from "../host-error.ts";
import { type HostAccess, path } from "../token-api.ts";
import {
  type ConnectedRepository,
  type HookedRepository,
  type NewHook,
  TokenClients,
  type TokenHost,
} from "../token-host.ts";
import { GITLAB } from "./gitlab-project.ts";
import { GitLabRepository } from "./gitlab-repository.ts";

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
export class GitLab implements TokenHost {
  readonly #clients: TokenClients;

  constructor(policy: AddressPolicy, maxClients?: number) {
    this.#clients = new TokenClients(GITLAB, policy, maxClients);
  }

  repository(
    { connectionId, hostId, owner, repo, ...access }: ConnectedRepository & HostAccess,
    onAnswer: (error: HostError | null) => void,
  ): GitLabRepository {
    const page = `${access.url}/${owner}/${repo}`;
    return new GitLabRepository(this.#clients.of(access, onAnswer), { connectionId, hostId, page });
  }

  /** Reads a project by its path or number. */
  async readProject(access: HostAccess, idOrPath: string): Promise<SeenProject> {
    const read = await this.#clients.of(access).send(project, "GET", path`/projects/${idOrPath}`);
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

  async readToken(access: HostAccess): Promise<SeenToken> {
    const read = await this.#clients.of(access).send(token, "GET", "/personal_access_tokens/self");
    return { scopes: read.scopes, expiresAt: read.expires_at ?? null };
  }

  /** Replaces a token. GitLab revokes the old one at once. @param expiresAt ISO 8601 date */
  async rotateToken(access: HostAccess, expiresAt: string): Promise<SeenToken & { token: string }> {
    const made = await this.#clients.of(access).send(rotated, "POST", "/personal_access_tokens/self/rotate", {
      body: { expires_at: expiresAt },
    });
    return { token: made.token, scopes: made.scopes, expiresAt: made.expires_at ?? null };
  }

  /** @returns the webhook's id */
  async addHook(access: HostAccess, { hostId }: HookedRepository, made: NewHook): Promise<string> {
    const body = hookBody(made);
    const { id } = await this.#clients
      .of(access)
      .send(hook, "POST", path`/projects/${hostId}/hooks`, { body });
    return String(id);
  }

  async changeHook(
    access: HostAccess,
    { hostId }: HookedRepository,
    id: string,
    made: NewHook,
  ): Promise<void> {
    const body = hookBody(made);
    await this.#clients.of(access).send(hook, "PUT", path`/projects/${hostId}/hooks/${id}`, { body });
  }

  async deleteHook(access: HostAccess, { hostId }: HookedRepository, id: string): Promise<void> {
    await this.#clients.of(access).send(z.unknown(), "DELETE", path`/projects/${hostId}/hooks/${id}`);
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
