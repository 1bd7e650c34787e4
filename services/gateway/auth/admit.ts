import type { IncomingMessage } from "node:http";
import { hashKey } from "../../../shared/api-keys.ts";
import { call } from "../../../shared/contracts/bus.ts";
import { ROLES, type Role } from "../../../shared/contracts/runs/runs.ts";
import type { Caller, Identity } from "../../../shared/contracts/teams/caller.ts";
import type { TeamView } from "../../../shared/contracts/teams/people.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { DEFAULT_TEAM_ID } from "../../../shared/ids.ts";
import type { Gateway } from "../gateway-context.ts";
import type { Request } from "../http/request.ts";
import type { Route } from "../routes/route.ts";
import { ACCESS_ERRORS } from "../texts.ts";
import { addressOf, credentialOf } from "./authenticate.ts";
import { requireSameOrigin } from "./same-origin.ts";
import { makeToken, sessionTokenOf, setSessionCookie } from "./session-cookie.ts";

/** Who asks, and in which team; neither on routes that are open to everybody. */
export interface Admitted {
  identity?: Identity;
  caller?: Caller;
}

/** Who asks, within their rate and with the role for it. @throws ServiceError unauthorized, rate_limited, not_found, forbidden, conflict */
export async function admit(gateway: Gateway, route: Route, request: Request): Promise<Admitted> {
  const { req, res, query, context } = request;
  refuseKeyInAddress(query);
  const { role } = route;
  // Whether a signature is a right one, the handler finds out: it is of the thing asked for.
  if (role === "public" || role === "signed") return {};
  if (role === "link" && req.headers.authorization === undefined && hasToken(query)) return {};
  const credential = credentialOf(req);
  if (credential.kind === "session") requireSameOrigin(req, gateway.site);
  const identity = await gateway.authenticator.identify(context, credential, addressOf(req));
  await gateway.rateLimit.take(identity.actor.id, res);
  if (identity.session?.renew) await renewSession(gateway, request);
  if (role === "any") return { identity };
  const team = chooseTeam(identity, teamAskedOf(route, request));
  if (team.deletesAt !== null && !route.evenDeleted) throw isDeleted(team);
  requireRole(identity, team, role === "link" ? "viewer" : role);
  if (route.forOperators && team.id !== DEFAULT_TEAM_ID)
    throw new ServiceError("forbidden", ACCESS_ERRORS.operatorsOnly);
  return { identity, caller: callerAs(identity, team) };
}

function teamAskedOf(route: Route, { req, params, query }: Request): string | undefined {
  if (route.inPath) return params.id;
  return teamNamedBy(req) ?? (route.teamInQuery ? teamIn(query) : undefined);
}

function teamIn(query: unknown): string | undefined {
  const isNamed = typeof query === "object" && query !== null && "team" in query;
  return isNamed && typeof query.team === "string" ? query.team : undefined;
}

/** The team that a request's header names. */
export function teamNamedBy(req: IncomingMessage): string | undefined {
  const named = req.headers["vrs-team"];
  return typeof named === "string" ? named : undefined;
}

/** The team of this id, else the one joined first. @throws ServiceError not_found for another's; forbidden for who is in none */
export function chooseTeam({ teams }: Identity, id: string | undefined): TeamView {
  const team = id === undefined ? teams[0] : teams.find(candidate => candidate.id === id);
  if (team) return team;
  if (id !== undefined) throw new ServiceError("not_found", ACCESS_ERRORS.noSuchTeam(id));
  throw new ServiceError("forbidden", ACCESS_ERRORS.noTeam);
}

/** The caller in a team that a body names. @throws ServiceError not_found, conflict */
export function callerIn(identity: Identity, teamId: string): Caller {
  const team = chooseTeam(identity, teamId);
  if (team.deletesAt !== null) throw isDeleted(team);
  return callerAs(identity, team);
}

function callerAs({ actor, madeBy }: Identity, { id, role }: TeamView): Caller {
  return { teamId: id, role, actor, ...(madeBy !== undefined && { madeBy }) };
}

function isDeleted({ id, deletesAt }: TeamView): ServiceError {
  return new ServiceError("conflict", ACCESS_ERRORS.deletedTeam(id, deletesAt ?? ""));
}

function requireRole({ actor }: Identity, team: TeamView, least: Role): void {
  if (ROLES.indexOf(team.role) >= ROLES.indexOf(least)) return;
  const message =
    actor.kind === "key"
      ? ACCESS_ERRORS.keyNeedsRole(least, actor.name, team.role)
      : ACCESS_ERRORS.userNeedsRole(least, actor.name, team.role, team.name);
  throw new ServiceError("forbidden", [message, team.readOnlyBecause ?? ""].join(" ").trim());
}

/** Once a day a session's cookie is another. */
async function renewSession(gateway: Gateway, { req, res, context }: Request): Promise<void> {
  const before = sessionTokenOf(req);
  if (before === null) return;
  const token = makeToken();
  const tokenHash = hashKey(before);
  const isRenewed = await call(context, "teams.renewSession", { tokenHash, newHash: hashKey(token) });
  gateway.authenticator.forgetCredential({ kind: "session", hash: tokenHash });
  if (isRenewed) setSessionCookie(res, gateway.site, token);
}

/** What people call the parameter when they put a key where it is logged. */
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

function refuseKeyInAddress(query: unknown): void {
  if (typeof query !== "object" || query === null) return;
  for (const [name, value] of Object.entries(query)) {
    if (!KEY_PARAMETERS.has(name.toLowerCase()) && !(typeof value === "string" && KEY.test(value))) continue;
    throw new ServiceError("unauthorized", ACCESS_ERRORS.keyInUrl(name));
  }
}

function hasToken(query: unknown): boolean {
  return typeof query === "object" && query !== null && "token" in query;
}
