import { z } from "zod";
import { SCIM_ERRORS } from "../texts.ts";
import { ScimError } from "./scim-error.ts";
import { applyOperations, nullable, type PatchOperation, parsed, text } from "./scim-patch.rule.ts";

/** What a provisioned group consists of. */
export interface ScimGroupData {
  displayName: string;
  externalId: string | null;
  /** Ids of users. */
  members: string[];
}

const MAX_MEMBERS = 5_000;
const members = z
  .array(z.object({ value: z.string().max(100) }))
  .max(MAX_MEMBERS)
  .nullish()
  .transform(list => [...new Set((list ?? []).map(({ value }) => value))]);

const group = z.object({ displayName: text, externalId: nullable, members });

/** @throws ScimError invalidValue */
export function readGroup(body: unknown): ScimGroupData {
  return parsed(group, body);
}

/** Applies a PATCH to a group, with or without paths. Unknown attributes are ignored. @throws ScimError */
export function patchGroup(before: ScimGroupData, operations: readonly PatchOperation[]): ScimGroupData {
  const patched = applyOperations(before, operations, applyTo);
  if (patched.members.length > MAX_MEMBERS)
    throw new ScimError(400, SCIM_ERRORS.members(MAX_MEMBERS), "invalidValue");
  return patched;
}

function applyTo(data: ScimGroupData, op: PatchOperation["op"], path: string, value: unknown): ScimGroupData {
  const [, bare = path] = /^urn:ietf:params:scim:schemas:core:2\.0:Group:(.+)$/i.exec(path) ?? [];
  const [, one] = /^members\[\s*value\s+eq\s+"([^"]*)"\s*\]$/i.exec(bare) ?? [];
  if (one !== undefined) {
    const others = data.members.filter(id => id !== one);
    return { ...data, members: op === "remove" ? others : [...others, one] };
  }
  switch (bare.toLowerCase()) {
    case "displayname":
      if (op === "remove") throw new ScimError(400, SCIM_ERRORS.displayNameRequired, "mutability");
      return { ...data, displayName: parsed(text, value) };
    case "externalid":
      return { ...data, externalId: op === "remove" ? null : parsed(nullable, value) };
    case "members":
      return { ...data, members: patchMembers(data.members, op, value) };
  }
  if (/^members\b/i.test(bare)) throw new ScimError(400, SCIM_ERRORS.path(path), "invalidPath");
  return data;
}

function patchMembers(before: string[], op: PatchOperation["op"], value: unknown): string[] {
  // Without a value, all members are removed.
  if (op === "remove" && (value === undefined || value === null)) return [];
  const given = parsed(members, Array.isArray(value) ? value : [value]);
  if (op === "replace") return given;
  const others = before.filter(id => !given.includes(id));
  return op === "remove" ? others : [...others, ...given];
}
