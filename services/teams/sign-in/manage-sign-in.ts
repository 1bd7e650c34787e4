import type { EntityManager } from "../../../mixins/database.ts";
import {
  type AddressPolicy,
  hostOf,
  portOf,
  refuseUrl,
} from "../../../shared/capture/network/address-guard.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import type { SignInPolicy, SignInSettings, TeamProvider } from "../../../shared/contracts/teams/sign-in.ts";
import type { OidcClient } from "../../../shared/environment/oidc-variables.ts";
import { invalidField, notFound, ServiceError } from "../../../shared/errors.ts";
import { inTeam } from "../in-team.ts";
import { findKey } from "../keys/key.store.ts";
import type { Managed } from "../members/manage-members.ts";
import { findUser } from "../members/member.store.ts";
import { PROVIDER_ERRORS } from "../texts.ts";
import { ProviderError } from "./oidc/provider-error.ts";
import type { Providers } from "./oidc/providers.ts";
import { findPolicy, putPolicy } from "./policy.store.ts";
import { deleteProvider as deleteStored, findProviderOf, putProvider } from "./provider.store.ts";
import { deleteSessionsFrom } from "./session.store.ts";

/** The dependencies of a team's sign-in settings. */
export interface SignInSettingsContext {
  em(): EntityManager;
  providers: Providers;
  /** Of the issuers that teams name. */
  policy: AddressPolicy;
}

/** Returns the caller's team's rules of sign-in, and its provider without the secret. */
export async function readSignInSettings(
  { em, providers }: SignInSettingsContext,
  { teamId }: Caller,
): Promise<SignInSettings> {
  const [policy, provider] = await Promise.all([findPolicy(em(), teamId), providers.ofTeam(teamId)]);
  const shared = {
    ...policy,
    ownRedirectUrl: `${providers.urlOf(teamId)}/callback`,
    scimUrl: providers.scimUrl,
  };
  if (!provider) return { ...shared, provider: null };
  const { id, client } = provider;
  const { clientSecret: _secret, ...shown } = client;
  const url = providers.urlOf(id);
  const urls = { signInUrl: url, redirectUrl: `${url}/callback`, backChannelLogoutUrl: `${url}/logout` };
  return { ...shared, provider: { ...shown, ...urls, id, own: provider.teamId !== null } };
}

/**
 * Changes who joins a team with which role, and whether its members must use the provider.
 * @throws ServiceError conflict if the caller would lock themselves out
 */
export async function changePolicy(
  context: SignInSettingsContext,
  caller: Caller,
  policy: SignInPolicy,
): Promise<Managed<SignInSettings>> {
  const provider = await context.providers.ofTeam(caller.teamId);
  if (!provider && policy.enforced) throw new ServiceError("conflict", PROVIDER_ERRORS.noProvider);
  const opensOrCloses = await inTeam(context.em(), caller, "admin", async ({ tx, team, note }) => {
    const before = await findPolicy(tx, team.id);
    if (provider && policy.enforced && !before.enforced) await requireWayIn(tx, caller, provider.id);
    await putPolicy(tx, team.id, policy);
    await note("sign_in.changed", team.name, {
      defaultRole: policy.defaultRole ?? "none",
      groups: policy.groupRoles.length,
      enforced: policy.enforced ? "yes" : "no",
    });
    return before.enforced !== policy.enforced;
  });
  // Roles of groups apply at the next sign-in.
  const changedIds = opensOrCloses ? [caller.teamId] : [];
  return { result: await readSignInSettings(context, caller), changedIds };
}

/** An admin who never used the provider can't know whether it works. @throws ServiceError conflict */
async function requireWayIn(tx: EntityManager, { actor }: Caller, providerId: string): Promise<void> {
  const userId = actor.kind === "user" ? actor.id : ((await findKey(tx, actor.id))?.madeBy ?? null);
  if (userId === null) return;
  const user = await findUser(tx, userId);
  if (user?.provider !== providerId) throw new ServiceError("conflict", PROVIDER_ERRORS.signInFirst);
}

/**
 * Sets the team's own provider, after its configuration was read once. Another issuer ends the sessions of the one
 * before. @throws ServiceError invalid_request; conflict for another issuer while the team enforces the one before
 */
export async function changeProvider(
  context: SignInSettingsContext,
  caller: Caller,
  { clientSecret, ...settings }: TeamProvider,
): Promise<Managed<SignInSettings>> {
  const { em, providers, policy } = context;
  const before = await findProviderOf(em(), caller.teamId);
  const keepsClient = before?.issuer === settings.issuer && before.clientId === settings.clientId;
  const secret = clientSecret ?? (keepsClient ? before.clientSecret : undefined);
  if (secret === undefined) throw invalidField("clientSecret", PROVIDER_ERRORS.secretMissing);
  requireAllowed(new URL(settings.issuer), policy);
  const client: OidcClient = { ...settings, clientSecret: secret };
  await providers
    .connect(caller.teamId, client)
    .check()
    .catch(error => {
      if (!(error instanceof ProviderError)) throw error;
      throw invalidField("issuer", PROVIDER_ERRORS.unusable(error.message));
    });
  const changedIds = await inTeam(em(), caller, "admin", async ({ tx, team, note }) => {
    const last = await findProviderOf(tx, team.id);
    // Another issuer has other accounts, of which none is an admin yet.
    if (last?.issuer !== client.issuer && (await findPolicy(tx, team.id)).enforced)
      throw new ServiceError("conflict", PROVIDER_ERRORS.enforced);
    await putProvider(tx, { teamId: team.id, ...client });
    await note("provider.changed", client.name, { issuer: client.issuer });
    return last && last.issuer !== client.issuer ? await deleteSessionsFrom(tx, team.id) : [];
  });
  return { result: await readSignInSettings(context, caller), changedIds };
}

/** @throws ServiceError invalid_request for a private address, and for http without the operator's permission */
function requireAllowed(issuer: URL, policy: AddressPolicy): void {
  const refused = refuseUrl(issuer, policy);
  if (refused !== null) throw invalidField("issuer", PROVIDER_ERRORS.unusable(refused));
  const [host, port] = [hostOf(issuer), portOf(issuer)];
  const isListed = policy.allowed.has(host) || policy.allowed.has(`${host}:${port}`);
  if (issuer.protocol !== "https:" && !isListed) throw invalidField("issuer", PROVIDER_ERRORS.notHttps);
  if (issuer.search !== "" || issuer.hash !== "") throw invalidField("issuer", PROVIDER_ERRORS.noQuery);
}

/**
 * Deletes the team's own provider, and ends the sessions from it. @throws ServiceError not_found; conflict while the
 * team enforces it
 */
export async function deleteProvider({ em }: SignInSettingsContext, caller: Caller): Promise<Managed<null>> {
  const changedIds = await inTeam(em(), caller, "admin", async ({ tx, team, note }) => {
    const provider = await findProviderOf(tx, team.id);
    if (!provider) throw notFound("identity provider", team.id);
    if ((await findPolicy(tx, team.id)).enforced)
      throw new ServiceError("conflict", PROVIDER_ERRORS.enforced);
    await deleteStored(tx, team.id);
    await note("provider.deleted", provider.name);
    return deleteSessionsFrom(tx, team.id);
  });
  return { result: null, changedIds };
}
