import type { EntityManager } from "../../../mixins/database.ts";
import { newId } from "../../../shared/ids.ts";
import { countPlaces } from "../members/member.store.ts";
import { SCIM_ERRORS } from "../texts.ts";
import { applyProvisioned, type Provisioning, requireProvisionedSeats } from "./provision.ts";
import { readPage } from "./read-page.ts";
import {
  deleteGroup,
  findGroup,
  findGroupMembers,
  findGroups,
  findScimUser,
  isGroupNameTaken,
  putGroup,
  type StoredGroup,
} from "./scim.store.ts";
import type { ScimCall } from "./scim-call.ts";
import { ScimError } from "./scim-error.ts";
import { patchGroup, readGroup, type ScimGroupData } from "./scim-group.rule.ts";
import { readPatch } from "./scim-patch.rule.ts";
import { groupResource, listOf } from "./scim-resources.ts";

/** Whether the members are left out, which Entra ID asks for. */
const leavesOutMembers = ({ query }: ScimCall) =>
  (query.excludedAttributes ?? "").split(",").some(name => name.trim().toLowerCase() === "members");

/** Lists provisioned groups. */
export async function listGroups(em: EntityManager, call: ScimCall): Promise<object> {
  const page = readPage("Group", call.query);
  const { rows, total } = await findGroups(em, call.teamId, page);
  const resources: object[] = [];
  for (const row of rows) resources.push(await resourceOf(em, row, call));
  return listOf(resources, total, page.startIndex);
}

/** @throws ScimError 404 */
export async function getGroup(em: EntityManager, call: ScimCall): Promise<object> {
  return resourceOf(em, await existing(em, call), call);
}

/** @throws ScimError 409 for a name that exists */
export function createGroup(of: Provisioning, call: ScimCall): Promise<object> {
  return save(of, call, newId("scg"), readGroup(call.body), null);
}

/** @throws ScimError */
export async function replaceGroup(of: Provisioning, call: ScimCall): Promise<object> {
  const { id, displayName } = await existing(of.change.tx, call);
  const members = await memberIds(of, id);
  return save(of, call, id, readGroup(call.body), { displayName, members });
}

/** @throws ScimError */
export async function patchGroupById(of: Provisioning, call: ScimCall): Promise<object> {
  const { id, displayName, externalId } = await existing(of.change.tx, call);
  const members = await memberIds(of, id);
  const before = { displayName, externalId, members };
  return save(of, call, id, patchGroup(before, readPatch(call.body)), before);
}

/** Deletes a group, and takes its role from its members. @throws ScimError 404 */
export async function deleteGroupById(of: Provisioning, call: ScimCall): Promise<null> {
  const { id, displayName } = await existing(of.change.tx, call);
  const members = await memberIds(of, id);
  await deleteGroup(of.change.tx, id);
  await applyTo(of, members);
  await of.change.note("scim.group_deleted", displayName);
  return null;
}

async function save(
  of: Provisioning,
  call: ScimCall,
  id: string,
  data: ScimGroupData,
  before: Pick<ScimGroupData, "displayName" | "members"> | null,
): Promise<object> {
  const { tx, note } = of.change;
  if (await isGroupNameTaken(tx, call.teamId, { id, displayName: data.displayName }))
    throw new ScimError(409, SCIM_ERRORS.groupNameTaken(data.displayName), "uniqueness");
  await putGroup(tx, { id, teamId: call.teamId }, data);
  const saved = await existing(tx, { ...call, id });
  const [left, joined] = [new Set(before?.members), new Set(data.members)];
  // A new name may have another role.
  const isRenamed = before?.displayName !== data.displayName;
  await applyTo(of, [...(isRenamed ? left.union(joined) : left.symmetricDifference(joined))]);
  await note("scim.group_changed", data.displayName, { members: data.members.length });
  return resourceOf(tx, saved, call);
}

async function applyTo(of: Provisioning, userIds: readonly string[]): Promise<void> {
  const { tx, team } = of.change;
  const usedBefore = await countPlaces(tx, team.id);
  for (const id of userIds) {
    const user = await findScimUser(tx, team.id, id);
    if (user?.active) await applyProvisioned(of, user, true);
  }
  await requireProvisionedSeats(of, usedBefore);
}

async function memberIds({ change }: Provisioning, id: string): Promise<string[]> {
  return (await findGroupMembers(change.tx, id)).map(member => member.id);
}

async function existing(em: EntityManager, { teamId, id }: ScimCall): Promise<StoredGroup> {
  const found = id === null ? null : await findGroup(em, teamId, id);
  if (!found) throw new ScimError(404, SCIM_ERRORS.notFound(id ?? ""));
  return found;
}

async function resourceOf(em: EntityManager, group: StoredGroup, call: ScimCall): Promise<object> {
  const members = leavesOutMembers(call) ? null : await findGroupMembers(em, group.id);
  return groupResource(group, members, call.root);
}
