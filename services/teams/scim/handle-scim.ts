import type { EntityManager } from "../../../mixins/database.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import type { ScimAnswer, ScimRequest } from "../../../shared/contracts/teams/team-actions.ts";
import { inTeam } from "../in-team.ts";
import type { Managed } from "../members/manage-members.ts";
import type { ProviderContext } from "../sign-in/oidc/provider-sign-in.ts";
import { SCIM_ERRORS } from "../texts.ts";
import {
  createGroup,
  deleteGroupById,
  getGroup,
  listGroups,
  patchGroupById,
  replaceGroup,
} from "./manage-groups.ts";
import { createUser, deleteUser, getUser, listUsers, patchUserById, replaceUser } from "./manage-users.ts";
import type { Provisioning } from "./provision.ts";
import type { ScimCall } from "./scim-call.ts";
import { ScimError, scimErrorOf } from "./scim-error.ts";
import { listOf, resourceTypes, schemas, serviceProviderConfig } from "./scim-resources.ts";

type Read = (em: EntityManager, call: ScimCall) => Promise<object>;
type Write = (of: Provisioning, call: ScimCall) => Promise<object | null>;

const READS: Record<string, Read> = {
  "GET Users": (em, call) => (call.id === null ? listUsers(em, call) : getUser(em, call)),
  "GET Groups": (em, call) => (call.id === null ? listGroups(em, call) : getGroup(em, call)),
  "GET ServiceProviderConfig": async (_em, { root }) => serviceProviderConfig(root),
  "GET ResourceTypes": async (_em, call) => oneOrAll(resourceTypes(call.root), call.id),
  "GET Schemas": async (_em, call) => oneOrAll(schemas(call.root), call.id),
};

const WRITES: Record<string, Write> = {
  "POST Users": createUser,
  "PUT Users": replaceUser,
  "PATCH Users": patchUserById,
  "DELETE Users": deleteUser,
  "POST Groups": createGroup,
  "PUT Groups": replaceGroup,
  "PATCH Groups": patchGroupById,
  "DELETE Groups": deleteGroupById,
};

const STATUS: Record<string, number> = { POST: 201, DELETE: 204 };

/** Handles a request of SCIM 2.0 (RFC 7644). Each change is one transaction under the team's lock. */
export async function handleScim(
  { em, providers, seatLimit }: ProviderContext,
  caller: Caller,
  request: ScimRequest,
): Promise<Managed<ScimAnswer>> {
  const call: ScimCall = { ...request, teamId: caller.teamId, root: providers.scimUrl };
  const name = `${request.method} ${request.resource}`;
  const changedIds: string[] = [];
  try {
    const read = READS[name];
    if (read) return { result: { status: 200, body: await read(em(), call) }, changedIds };
    const write = WRITES[name];
    if (!write) throw new ScimError(404, SCIM_ERRORS.noResource(request.resource));
    const [provider, limit] = await Promise.all([providers.ofTeam(caller.teamId), seatLimit(caller.teamId)]);
    const body = await inTeam(em(), caller, "viewer", change =>
      write({ change, caller, provider, seatLimit: limit, changedIds }, call),
    );
    return { result: { status: STATUS[request.method] ?? 200, body }, changedIds };
  } catch (error) {
    const refused = scimErrorOf(error);
    if (!refused) throw error;
    return { result: refused, changedIds: [] };
  }
}

function oneOrAll(all: (object & { id: string })[], id: string | null): object {
  if (id === null) return listOf(all, all.length, 1);
  const found = all.find(one => one.id.toLowerCase() === id.toLowerCase());
  if (!found) throw new ScimError(404, SCIM_ERRORS.notFound(id));
  return found;
}
