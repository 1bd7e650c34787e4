import { z } from "zod";
import type { AddressPolicy } from "../../../../shared/capture/network/address-guard.ts";
import type { RepositoryName } from "../code-host.ts";
import type { HostError } from "../host-error.ts";
import { type HostAccess, path } from "../token-api.ts";
import {
  type ConnectedRepository,
  type HookedRepository,
  type NewHook,
  TokenClients,
  type TokenHost,
} from "../token-host.ts";
import { GITEA, giteaAccess } from "./gitea-api.ts";
import { GiteaRepository } from "./gitea-repository.ts";

/** A repository as its instance shows it to the owner of a token. */
export interface SeenGiteaRepository extends RepositoryName {
  hostId: string;
  /** Whether the token's user can push. */
  canWrite: boolean;
}

const repository = z.object({
  id: z.int(),
  name: z.string(),
  owner: z.object({ login: z.string() }),
  permissions: z.object({ push: z.boolean().default(false) }).nullish(),
});
const hook = z.object({ id: z.int() });

/** The events that this service handles. Instances ignore names that they don't know. */
const EVENTS = ["pull_request", "pull_request_sync", "pull_request_comment", "issue_comment", "status"];

/** Gitea and Forgejo instances. Each connection names its own. Every method throws HostError. */
export class Gitea implements TokenHost {
  readonly #clients: TokenClients;

  constructor(policy: AddressPolicy) {
    this.#clients = new TokenClients(GITEA, policy);
  }

  repository(
    { url, token, ...of }: ConnectedRepository & HostAccess,
    onAnswer: (error: HostError | null) => void,
  ): GiteaRepository {
    return new GiteaRepository(giteaAccess(this.#clients.of({ url, token }, onAnswer), of));
  }

  /** Reads the token's user. Without the scope, comments of an earlier attempt would not be found. */
  async readUser(access: HostAccess): Promise<void> {
    await this.#clients.of(access).send(z.object({ id: z.int() }), "GET", "/user");
  }

  /** @param repositoryPath `owner/repo` */
  async readRepository(access: HostAccess, repositoryPath: string): Promise<SeenGiteaRepository> {
    const [owner = "", repo = ""] = repositoryPath.split("/");
    const read = await this.#clients.of(access).send(repository, "GET", path`/repos/${owner}/${repo}`);
    const canWrite = read.permissions?.push ?? false;
    return { hostId: String(read.id), owner: read.owner.login, repo: read.name, canWrite };
  }

  async addHook(access: HostAccess, of: HookedRepository, made: NewHook): Promise<string> {
    const body = { type: "gitea", ...hookBody(made) };
    const { id } = await this.#clients.of(access).send(hook, "POST", hooksOf(of), { body });
    return String(id);
  }

  async changeHook(access: HostAccess, of: HookedRepository, id: string, made: NewHook): Promise<void> {
    const body = hookBody(made);
    await this.#clients.of(access).send(hook, "PATCH", hooksOf(of) + path`/${id}`, { body });
  }

  async deleteHook(access: HostAccess, of: HookedRepository, id: string): Promise<void> {
    await this.#clients.of(access).send(z.unknown(), "DELETE", hooksOf(of) + path`/${id}`);
  }
}

function hooksOf({ owner, repo }: HookedRepository): string {
  return path`/repos/${owner}/${repo}/hooks`;
}

function hookBody({ url, secret }: NewHook): Record<string, unknown> {
  return { config: { url, content_type: "json", secret }, events: EVENTS, active: true };
}
