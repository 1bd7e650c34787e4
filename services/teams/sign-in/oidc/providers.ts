import type { EntityManager } from "../../../../mixins/database.ts";
import type { AddressPolicy } from "../../../../shared/capture/network/address-guard.ts";
import { INSTALLATION_PROVIDER } from "../../../../shared/contracts/teams/sign-in.ts";
import type { OidcClient } from "../../../../shared/environment/oidc-variables.ts";
import { DEFAULT_TEAM_ID } from "../../../../shared/ids.ts";
import { findProviderOf, type StoredProvider } from "../provider.store.ts";
import { OidcProvider } from "./oidc-provider.ts";

/** A provider that members can sign in with. */
export interface Provider {
  /** The id of its team, or `default` for the installation's. */
  id: string;
  /** The team that configured it. Null for the installation's. */
  teamId: string | null;
  client: OidcClient;
  oidc: OidcProvider;
}

/**
 * Returns whether users of a provider may join a team by its rules. Everyone has the installation's provider, so only
 * the team of the operators may let its users in, or all teams if the operators allow it.
 */
export function letsJoin(
  { teamId: ownTeam, client }: Pick<Provider, "teamId" | "client">,
  teamId: string,
): boolean {
  return ownTeam !== null || teamId === DEFAULT_TEAM_ID || client.joinsAllTeams === true;
}

interface Options {
  em(): EntityManager;
  /** The installation's. Null without one. */
  client: OidcClient | null;
  /** Of the providers of teams. */
  policy: AddressPolicy;
  /** The service's public URL, without a slash at the end. */
  baseUrl: string;
}

/** More teams sign in rarely within the minutes in which a configuration is cached. */
const MAX_CACHED = 200;

/** The installation's provider and those of teams, with their cached configurations. */
export class Providers {
  readonly #options: Options;
  readonly #installation: Provider | null;
  readonly #cached = new Map<string, { version: string; provider: Provider }>();

  constructor(options: Options) {
    this.#options = options;
    const { client } = options;
    this.#installation = client && {
      ...{ id: INSTALLATION_PROVIDER, teamId: null, client },
      oidc: this.#connect(INSTALLATION_PROVIDER, client, null),
    };
  }

  /** The base URL of SCIM. */
  get scimUrl(): string {
    return `${this.#options.baseUrl}/scim/v2`;
  }

  /** The URL where a provider's pages of this service start. */
  urlOf(id: string): string {
    return `${this.#options.baseUrl}/auth/oidc/${id}`;
  }

  /** Returns the provider with this id, or null. */
  async find(id: string): Promise<Provider | null> {
    if (id === INSTALLATION_PROVIDER) return this.#installation;
    const stored = await findProviderOf(this.#options.em(), id);
    return stored && this.#open(stored);
  }

  /** Returns the provider of a team: its own, or else the installation's. */
  async ofTeam(teamId: string): Promise<Provider | null> {
    const stored = await findProviderOf(this.#options.em(), teamId);
    return stored ? this.#open(stored) : this.#installation;
  }

  /** Returns the provider that a team wants to use. */
  connect(id: string, client: OidcClient): OidcProvider {
    return this.#connect(id, client, this.#options.policy);
  }

  #connect(id: string, client: OidcClient, policy: AddressPolicy | null): OidcProvider {
    return new OidcProvider({ client, policy, redirectUrl: `${this.urlOf(id)}/callback` });
  }

  #open({ teamId, changedAt, ...client }: StoredProvider): Provider {
    const id = teamId;
    const version = changedAt.toISOString();
    const cached = this.#cached.get(id);
    if (cached?.version === version) return cached.provider;
    const provider = { id, teamId, client, oidc: this.connect(id, client) };
    if (this.#cached.size >= MAX_CACHED) this.#cached.clear();
    this.#cached.set(id, { version, provider });
    return provider;
  }
}
