import type { IncomingMessage } from "node:http";
import { hashKey } from "../../../shared/api-keys.ts";
import { type Bus, call } from "../../../shared/contracts/bus.ts";
import { ROLES, type Role } from "../../../shared/contracts/runs/runs.ts";
import type { Caller, Identity } from "../../../shared/contracts/teams/caller.ts";
import type { TeamView } from "../../../shared/contracts/teams/people.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { DEFAULT_TEAM_ID } from "../../../shared/ids.ts";
import type { Gateway } from "../gateway-context.ts";
import type { Request, Route } from "../routes/route.ts";
import { ACCESS_ERRORS } from "../texts/errors.ts";
import { addressOf, credentialOf } from "./authenticate.ts";
import { requireSameOrigin } from "./same-origin.ts";
import { makeToken, sessionTokenOf, setSessionCookie } from "./session-cookie.ts";

/** The caller and its team. Missing on public routes. */
export interface Admitted {
  identity?: Identity;
  caller?: Caller;
}

/** A request as it arrived. The bus reaches the services that know its caller. */
type Arrived = Pick<Request, "req" | "res" | "params" | "query"> & { context: Bus };

/**
 * Identifies the caller, and checks its rate limit and role.
 * @throws ServiceError unauthorized, rate_limited, not_found, forbidden, conflict
 */
export async function admit(gateway: Gateway, route: Route, request: Arrived): Promise<Admitted> {
  const { req, res, query, context } = request;
  refuseKeyInUrl(query);
  const { role } = route;
  // The handler checks the signature, because it depends on the requested thing.
  if (role === "public" || role === "signed") return {};
  if (role === "link" && req.headers.authorization === undefined && hasToken(query)) {
    await gateway.publicLimit.take(addressOf(req), res);
    return {};
  }
  const credential = credentialOf(req);
  if (credential.kind === "session") requireSameOrigin(req, gateway.site);
  const identity = await gateway.authenticator.identify(context, credential, addressOf(req));
  await gateway.rateLimit.take(identity.actor.id, res);
  if (identity.uploadProject !== undefined && !route.allowsUploadKeys)
    throw new ServiceError("forbidden", ACCESS_ERRORS.onlyUploads(identity.uploadProject));
  if (identity.provisions && !route.provisioning)
    throw new ServiceError("forbidden", ACCESS_ERRORS.onlyProvisions);
  if (route.provisioning && !identity.provisions)
    throw new ServiceError("forbidden", ACCESS_ERRORS.needsScimKey);
  if (identity.session?.renew) await renewSession(gateway, request);
  if (role === "any") return { identity };
  const team = chooseTeam(identity, requestedTeamOf(route, request));
  if (team.deletesAt !== null && !route.allowsDeletedTeam) throw deletedTeamError(team);
  requireRole(identity, team, role === "link" ? "viewer" : role);
  if (route.operatorsOnly && team.id !== DEFAULT_TEAM_ID)
    throw new ServiceError("forbidden", ACCESS_ERRORS.operatorsOnly);
  return { identity, caller: callerAs(identity, team) };
}

function requestedTeamOf(route: Route, { req, params, query }: Arrived): string | undefined {
  if (route.teamInPath) return params.id;
  return teamNamedBy(req) ?? (route.teamInQuery ? teamIn(query) : undefined);
}

function teamIn(query: unknown): string | undefined {
  const isNamed = typeof query === "object" && query !== null && "team" in query;
  return isNamed && typeof query.team === "string" ? query.team : undefined;
}

/** Returns the team that a request's header names. */
export function teamNamedBy(req: IncomingMessage): string | undefined {
  const named = req.headers["vrs-team"];
  return typeof named === "string" ? named : undefined;
}

/**
 * Returns the team with this id, or the one joined first of those that are not deleted. @throws ServiceError not_found
 * for another team; forbidden for a caller without a team
 */
export function chooseTeam({ teams, closedTeams = [] }: Identity, id: string | undefined): TeamView {
  const team =
    id === undefined
      ? (teams.find(({ deletesAt }) => deletesAt === null) ?? teams[0])
      : teams.find(candidate => candidate.id === id);
  if (team) return team;
  const closed = id === undefined ? closedTeams[0] : closedTeams.find(candidate => candidate.id === id);
  if (closed) throw new ServiceError("forbidden", ACCESS_ERRORS.otherSignIn(closed.name));
  if (id !== undefined) throw new ServiceError("not_found", ACCESS_ERRORS.noSuchTeam(id));
  throw new ServiceError("forbidden", ACCESS_ERRORS.noTeam);
}

/** Returns the caller in a team that a body names. @throws ServiceError not_found, conflict */
export function callerIn(identity: Identity, teamId: string): Caller {
  const team = chooseTeam(identity, teamId);
  if (team.deletesAt !== null) throw deletedTeamError(team);
  return callerAs(identity, team);
}

function callerAs(
  { actor, madeBy, uploadProject, uploadRepository }: Identity,
  { id, role }: TeamView,
): Caller {
  return {
    ...{ teamId: id, role, actor },
    ...(madeBy !== undefined && { madeBy }),
    ...(uploadProject !== undefined && { uploadProject }),
    ...(uploadRepository !== undefined && { uploadRepository }),
  };
}

function deletedTeamError({ id, deletesAt }: TeamView): ServiceError {
  return new ServiceError("conflict", ACCESS_ERRORS.deletedTeam(id, deletesAt ?? ""));
}

function requireRole({ actor }: Identity, team: TeamView, required: Role): void {
  if (ROLES.indexOf(team.role) >= ROLES.indexOf(required)) return;
  const message =
    actor.kind === "key"
      ? ACCESS_ERRORS.keyNeedsRole(required, actor.name, team.role)
      : ACCESS_ERRORS.userNeedsRole(required, actor.name, team.role, team.name);
  throw new ServiceError("forbidden", [message, team.readOnlyBecause ?? ""].join(" ").trim());
}

/** Replaces a session's cookie once a day. */
async function renewSession(gateway: Gateway, { req, res, context }: Arrived): Promise<void> {
  const before = sessionTokenOf(req);
  if (before === null) return;
  const token = makeToken();
  const tokenHash = hashKey(before);
  const isRenewed = await call(context, "teams.renewSession", { tokenHash, newHash: hashKey(token) });
  gateway.authenticator.invalidateCredential({ kind: "session", hash: tokenHash });
  if (isRenewed) setSessionCookie(res, gateway.site, token);
}

/** Names of query parameters with keys. URLs are logged, so keys must not be in them. */
const KEY_PARAMETERS = new Set([
  "apikey",
  "api_key",
  "api-key",
  "key",
  "access_token",
  "authorization",
  "bearer",
]);
const KEY = /^vrs_[0-9A-Za-z]{32,}$/;

function refuseKeyInUrl(query: unknown): void {
  if (typeof query !== "object" || query === null) return;
  for (const [name, value] of Object.entries(query)) {
    if (!KEY_PARAMETERS.has(name.toLowerCase()) && !(typeof value === "string" && KEY.test(value))) continue;
    throw new ServiceError("unauthorized", ACCESS_ERRORS.keyInUrl(name));
  }
}

function hasToken(query: unknown): boolean {
  return typeof query === "object" && query !== null && "token" in query;
}
