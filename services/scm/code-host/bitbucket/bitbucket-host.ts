import { z } from "zod";
import type { AddressPolicy } from "../../../../shared/capture/network/address-guard.ts";
import { invalidField } from "../../../../shared/errors.ts";
import { CONNECTION_ERRORS } from "../../texts/connections.ts";
import type { HostError } from "../host-error.ts";
import { asNoRepository, isForbidden } from "../refused-access.ts";
import { type HostAccess, path } from "../token-api.ts";
import { TokenHooks } from "../token-hooks.ts";
import {
  type ConnectedRepository,
  type HookedRepository,
  type NewHook,
  type ReadAccess,
  TokenClients,
  type TokenHost,
} from "../token-host.ts";
import { BITBUCKET, BITBUCKET_URL, bitbucketAccess } from "./bitbucket-api.ts";
import { BitbucketRepository } from "./bitbucket-repository.ts";

const repository = z.object({ uuid: z.string(), full_name: z.string() });
const hookId = z.object({ uuid: z.string() }).transform(({ uuid }) => uuid);

/** The events that this service handles. Bitbucket refuses names that it doesn't know. */
const EVENTS = [
  ...["pullrequest:created", "pullrequest:updated", "pullrequest:fulfilled", "pullrequest:rejected"],
  ...["pullrequest:comment_created", "pullrequest:comment_updated", "pullrequest:comment_deleted"],
  ...["repo:commit_status_created", "repo:commit_status_updated"],
];

/** Bitbucket Cloud. Data Center has another API. Every method throws HostError. */
export class BitbucketCloud implements TokenHost {
  readonly defaultUrl = BITBUCKET_URL;
  readonly hasInstances = false;
  readonly rotateToken = null;
  readonly #clients: TokenClients;
  readonly hooks: TokenHooks;

  constructor(policy: AddressPolicy) {
    this.#clients = new TokenClients(BITBUCKET, policy);
    const dialect = { pathOf: hooksOf, bodyOf: hookBody, changeMethod: "PUT", id: hookId } as const;
    this.hooks = new TokenHooks(this.#clients, dialect);
  }

  repository(
    { url, token, ...of }: ConnectedRepository & HostAccess,
    onAnswer: (error: HostError | null) => void,
  ): BitbucketRepository {
    return new BitbucketRepository(bitbucketAccess(this.#clients.of({ url, token }, onAnswer), url, of));
  }

  idOf({ owner, hostId }: HookedRepository): string {
    return `${owner}/${hostId}`;
  }

  /** Tokens don't show their scopes or when they expire. Only the bootstrap needs to write, and says so itself. */
  async readAccess(access: HostAccess, repositoryPath: string): Promise<ReadAccess> {
    const api = this.#clients.of(access);
    const refuseScope = (error: unknown) => {
      if (isForbidden(error)) throw invalidField("token", CONNECTION_ERRORS.noPullScope);
      throw error;
    };
    const [workspace = "", name = ""] = repositoryPath.split("/");
    const root = path`/repositories/${workspace}/${name}`;
    const read = await api
      .send(repository, "GET", root)
      .catch(asNoRepository("bitbucket"))
      .catch(refuseScope);
    await api.list(z.unknown(), `${root}/pullrequests`, { pagelen: 1 }, 1).catch(refuseScope);
    const [owner = "", repo = ""] = read.full_name.split("/");
    return { hostId: read.uuid, owner, repo, tokenExpiresAt: null };
  }
}

function hooksOf({ owner, hostId }: HookedRepository): string {
  return path`/repositories/${owner}/${hostId}/hooks`;
}

function hookBody({ url, secret }: NewHook): Record<string, unknown> {
  return { description: "vrs", url, secret, active: true, events: EVENTS };
}
