import { z } from "zod";
import type { AddressPolicy } from "../../../../shared/capture/network/address-guard.ts";
import { invalidField } from "../../../../shared/errors.ts";
import { CONNECTION_ERRORS } from "../../texts/connections.ts";
import type { HostError } from "../host-error.ts";
import { asNoRepository, isForbidden } from "../refused-access.ts";
import { type HostAccess, path } from "../token-api.ts";
import { numberedHook, TokenHooks } from "../token-hooks.ts";
import {
  type ConnectedRepository,
  type HookedRepository,
  type NewHook,
  type NewToken,
  type ReadAccess,
  TokenClients,
  type TokenHost,
} from "../token-host.ts";
import { GITLAB } from "./gitlab-project.ts";
import { GitLabRepository } from "./gitlab-repository.ts";

/** GitLab's number of the role Developer, which may set statuses and push branches. */
const DEVELOPER = 30;

/** A token as its instance shows it. */
interface SeenToken {
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
const rotated = z.object({ token: z.string(), expires_at: z.string().nullish() });

/** GitLab instances. Each connection names its own. Every method throws HostError. */
export class GitLab implements TokenHost {
  readonly defaultUrl = "https://gitlab.com";
  readonly hasInstances = true;
  readonly #clients: TokenClients;
  readonly hooks: TokenHooks;

  constructor(policy: AddressPolicy, maxClients?: number) {
    this.#clients = new TokenClients(GITLAB, policy, maxClients);
    const dialect = { pathOf: hooksOf, bodyOf: hookBody, changeMethod: "PUT", id: numberedHook } as const;
    this.hooks = new TokenHooks(this.#clients, dialect);
  }

  repository(
    { connectionId, hostId, owner, repo, ...access }: ConnectedRepository & HostAccess,
    onAnswer: (error: HostError | null) => void,
  ): GitLabRepository {
    const page = `${access.url}/${owner}/${repo}`;
    return new GitLabRepository(this.#clients.of(access, onAnswer), { connectionId, hostId, page });
  }

  idOf({ hostId }: HookedRepository): string {
    return hostId;
  }

  async readAccess(access: HostAccess, repository: string): Promise<ReadAccess> {
    const { scopes, expiresAt } = await this.readToken(access).catch(error => {
      if (isForbidden(error))
        throw invalidField("token", CONNECTION_ERRORS.noScope(CONNECTION_ERRORS.otherScopes));
      throw error;
    });
    if (!scopes.includes("api"))
      throw invalidField("token", CONNECTION_ERRORS.noScope(scopes.join(", ") || "none"));
    const read = await this.#clients
      .of(access)
      .send(project, "GET", path`/projects/${repository}`)
      .catch(asNoRepository("gitlab"));
    const levels = [read.permissions?.project_access, read.permissions?.group_access];
    const known = levels.flatMap(each => each?.access_level ?? []);
    // Some instances don't say which role a token has.
    if (known.length > 0 && Math.max(...known) < DEVELOPER)
      throw invalidField("token", CONNECTION_ERRORS.noRole);
    const at = read.path_with_namespace.lastIndexOf("/");
    return {
      hostId: String(read.id),
      owner: read.path_with_namespace.slice(0, Math.max(at, 0)),
      repo: read.path_with_namespace.slice(at + 1),
      tokenExpiresAt: expiresAt,
    };
  }

  async readToken(access: HostAccess): Promise<SeenToken> {
    const read = await this.#clients.of(access).send(token, "GET", "/personal_access_tokens/self");
    return { scopes: read.scopes, expiresAt: read.expires_at ?? null };
  }

  async rotateToken(access: HostAccess, expiresAt: string): Promise<NewToken> {
    const made = await this.#clients.of(access).send(rotated, "POST", "/personal_access_tokens/self/rotate", {
      body: { expires_at: expiresAt },
    });
    return { token: made.token, expiresAt: made.expires_at ?? null };
  }
}

function hooksOf({ hostId }: HookedRepository): string {
  return path`/projects/${hostId}/hooks`;
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
