import type { EntityManager } from "../../../mixins/database.ts";
import { newId } from "../../../shared/ids.ts";
import { countPlaces } from "../members/member.store.ts";
import { SCIM_ERRORS } from "../texts.ts";
import { applyProvisioned, type Provisioning, requireProvisionedSeats } from "./provision.ts";
import { readPage } from "./read-page.ts";
import {
  deleteScimUser,
  findGroupsOfUsers,
  findScimUser,
  findUsers,
  isUserNameTaken,
  putScimUser,
  type StoredUser,
} from "./scim.store.ts";
import type { ScimCall } from "./scim-call.ts";
import { ScimError } from "./scim-error.ts";
import { readPatch } from "./scim-patch.rule.ts";
import { listOf, userResource } from "./scim-resources.ts";
import { addressOf, patchUser, readUser, type ScimUserData } from "./scim-user.rule.ts";

/** Lists provisioned users, also inactive ones. */
export async function listUsers(em: EntityManager, { teamId, query, root }: ScimCall): Promise<object> {
  const page = readPage("User", query);
  const { rows, total } = await findUsers(em, teamId, page);
  const groups = await findGroupsOfUsers(
    em,
    rows.map(({ id }) => id),
  );
  const resources = rows.map(row => userResource(row, groups.get(row.id) ?? [], root));
  return listOf(resources, total, page.startIndex);
}

/** @throws ScimError 404 */
export async function getUser(em: EntityManager, { teamId, id, root }: ScimCall): Promise<object> {
  return resourceOf(em, await existing(em, teamId, id), root);
}

/** @throws ScimError 409 for a user name that exists */
export function createUser(of: Provisioning, { teamId, body, root }: ScimCall): Promise<object> {
  return save(of, { id: newId("scu"), teamId, root }, readUser(body), null);
}

/** @throws ScimError */
export async function replaceUser(of: Provisioning, { teamId, id, body, root }: ScimCall): Promise<object> {
  const before = await existing(of.change.tx, teamId, id);
  return save(of, { id: before.id, teamId, root }, readUser(body), before);
}

/** @throws ScimError */
export async function patchUserById(of: Provisioning, { teamId, id, body, root }: ScimCall): Promise<object> {
  const before = await existing(of.change.tx, teamId, id);
  const { userName, externalId, active, attributes } = before;
  const data = patchUser({ userName, externalId, active, ...attributes }, readPatch(body));
  return save(of, { id: before.id, teamId, root }, data, before);
}

/** Removes the access of a user, and forgets the user. @throws ScimError 404 */
export async function deleteUser(of: Provisioning, { teamId, id }: ScimCall): Promise<null> {
  const before = await existing(of.change.tx, teamId, id);
  await applyProvisioned(of, { ...before, active: false });
  await deleteScimUser(of.change.tx, before.id);
  await of.change.note("scim.deleted", before.userName);
  return null;
}

async function save(
  of: Provisioning,
  { id, teamId, root }: { id: string; teamId: string; root: string },
  data: ScimUserData,
  before: StoredUser | null,
): Promise<object> {
  const { tx, note } = of.change;
  if (await isUserNameTaken(tx, teamId, { id, userName: data.userName }))
    throw new ScimError(409, SCIM_ERRORS.userNameTaken(data.userName), "uniqueness");
  const usedBefore = await countPlaces(tx, teamId);
  await putScimUser(tx, { id, teamId }, data, addressOf(data));
  const saved = await existing(tx, teamId, id);
  await applyProvisioned(of, saved);
  await requireProvisionedSeats(of, usedBefore);
  if (!before) await note("scim.created", data.userName);
  else if (before.active !== data.active)
    await note(data.active ? "scim.activated" : "scim.deactivated", data.userName);
  return resourceOf(tx, saved, root);
}

async function existing(em: EntityManager, teamId: string, id: string | null): Promise<StoredUser> {
  const found = id === null ? null : await findScimUser(em, teamId, id);
  if (!found) throw new ScimError(404, SCIM_ERRORS.notFound(id ?? ""));
  return found;
}

async function resourceOf(em: EntityManager, user: StoredUser, root: string): Promise<object> {
  return userResource(user, (await findGroupsOfUsers(em, [user.id])).get(user.id) ?? [], root);
}
