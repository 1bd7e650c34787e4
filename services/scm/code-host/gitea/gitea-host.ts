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
  type ReadAccess,
  TokenClients,
  type TokenHost,
} from "../token-host.ts";
import { GITEA, giteaAccess } from "./gitea-api.ts";
import { GiteaRepository } from "./gitea-repository.ts";

const repository = z.object({
  id: z.int(),
  name: z.string(),
  owner: z.object({ login: z.string() }),
  permissions: z.object({ push: z.boolean().default(false) }).nullish(),
});

/** The events that this service handles. Instances ignore names that they don't know. */
const EVENTS = ["pull_request", "pull_request_sync", "pull_request_comment", "issue_comment", "status"];

/** Gitea and Forgejo instances. Each connection names its own. Every method throws HostError. */
export class Gitea implements TokenHost {
  readonly defaultUrl = null;
  readonly hasInstances = true;
  readonly rotateToken = null;
  readonly #clients: TokenClients;
  readonly hooks: TokenHooks;

  constructor(policy: AddressPolicy) {
    this.#clients = new TokenClients(GITEA, policy);
    this.hooks = new TokenHooks(this.#clients, {
      ...{ pathOf: hooksOf, bodyOf: hookBody, changeMethod: "PATCH", id: numberedHook },
      onlyNew: { type: "gitea" },
    });
  }

  repository(
    { url, token, ...of }: ConnectedRepository & HostAccess,
    onAnswer: (error: HostError | null) => void,
  ): GiteaRepository {
    return new GiteaRepository(giteaAccess(this.#clients.of({ url, token }, onAnswer), of));
  }

  /** Requests with an earlier name are redirected, and no path has both the number and the name. */
  idOf({ owner, repo }: HookedRepository): string {
    return `${owner}/${repo}`;
  }

  /** Tokens do not expire, and do not show their scopes. */
  async readAccess(access: HostAccess, repositoryPath: string): Promise<ReadAccess> {
    const api = this.#clients.of(access);
    const refuseScope = (error: unknown) => {
      if (isForbidden(error)) throw invalidField("token", CONNECTION_ERRORS.noReadScope);
      throw error;
    };
    // Without the scope of its user, comments of an earlier attempt would not be found.
    await api.send(z.object({ id: z.int() }), "GET", "/user").catch(refuseScope);
    const [owner = "", repo = ""] = repositoryPath.split("/");
    const read = await api
      .send(repository, "GET", path`/repos/${owner}/${repo}`)
      .catch(asNoRepository("gitea"))
      .catch(refuseScope);
    if (!read.permissions?.push) throw invalidField("token", CONNECTION_ERRORS.noWrite);
    return { hostId: String(read.id), owner: read.owner.login, repo: read.name, tokenExpiresAt: null };
  }
}

function hooksOf({ owner, repo }: HookedRepository): string {
  return path`/repos/${owner}/${repo}/hooks`;
}

function hookBody({ url, secret }: NewHook): Record<string, unknown> {
  return { config: { url, content_type: "json", secret }, events: EVENTS, active: true };
}
