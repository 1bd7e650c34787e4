import { z } from "zod";
import { SCIM_ERRORS } from "../texts.ts";
import { ScimError } from "./scim-error.ts";
import { applyOperations, nullable, type PatchOperation, parsed, text } from "./scim-patch.rule.ts";

/** An email address of a provisioned user. */
interface ScimEmail {
  value: string;
  type?: string | undefined;
  primary?: boolean | undefined;
}

/** What a provisioned user consists of. */
export interface ScimUserData {
  userName: string;
  externalId: string | null;
  active: boolean;
  displayName: string | null;
  name: Record<string, string>;
  emails: ScimEmail[];
}

/** Entra ID sends booleans as `True` and `False` in older configurations. */
const flag = z
  .union([z.boolean(), z.string().regex(/^(true|false)$/i, SCIM_ERRORS.flag)], SCIM_ERRORS.flag)
  .transform(value => `${value}`.toLowerCase() === "true");
const NAME_PARTS = [
  "formatted",
  "familyName",
  "givenName",
  "middleName",
  "honorificPrefix",
  "honorificSuffix",
];
const name = z
  .record(z.string().max(50), z.union([z.string().max(300), z.null()]))
  .transform(parts =>
    Object.fromEntries(
      Object.entries(parts).flatMap(([part, value]) =>
        NAME_PARTS.includes(part) && value !== null ? [[part, value] as const] : [],
      ),
    ),
  );
const email = z.object({
  value: z.string().trim().max(254),
  type: z
    .string()
    .max(50)
    .nullish()
    .transform(type => type ?? undefined),
  primary: flag.nullish().transform(primary => primary ?? undefined),
});
/** Of a user. */
const MAX_EMAILS = 20;
const emails = z.array(email).max(MAX_EMAILS);

const fields = {
  userName: text,
  externalId: nullable,
  active: flag,
  displayName: nullable,
  name,
  emails,
};

/** Body of `POST /Users` and `PUT /Users/:id`. Other attributes are accepted, and not stored. */
const user = z.object({
  ...fields,
  active: flag.default(true),
  name: name.nullish().transform(parts => parts ?? {}),
  emails: emails.nullish().transform(list => list ?? []),
});

/** @throws ScimError invalidValue */
export function readUser(body: unknown): ScimUserData {
  return parsed(user, body);
}

/** Returns the address that identifies a user: the primary one, or else a user name that is an address. */
export function addressOf({
  emails: list,
  userName,
}: Pick<ScimUserData, "emails" | "userName">): string | null {
  const chosen = list.find(({ primary }) => primary) ?? list[0];
  const address = chosen?.value ?? userName;
  return /^[^\s@]+@[^\s@]+$/.test(address) ? address.toLowerCase() : null;
}

/**
 * Applies a PATCH to a user: with a path, or with an object of attributes and paths, as Okta and Entra ID send it.
 * Unknown attributes are ignored. @throws ScimError
 */
export function patchUser(before: ScimUserData, operations: readonly PatchOperation[]): ScimUserData {
  const patched = applyOperations(before, operations, applyTo);
  if (patched.emails.length > MAX_EMAILS)
    throw new ScimError(400, SCIM_ERRORS.emails(MAX_EMAILS), "invalidValue");
  return patched;
}

function applyTo(data: ScimUserData, op: PatchOperation["op"], path: string, value: unknown): ScimUserData {
  const [, bare = path] = /^urn:ietf:params:scim:schemas:core:2\.0:User:(.+)$/i.exec(path) ?? [];
  const given = op === "remove" ? null : value;
  switch (bare.toLowerCase()) {
    case "username":
      if (op === "remove") throw new ScimError(400, SCIM_ERRORS.userNameRequired, "mutability");
      return { ...data, userName: parsed(text, given) };
    case "externalid":
      return { ...data, externalId: parsed(nullable, given) };
    case "displayname":
      return { ...data, displayName: parsed(nullable, given) };
    case "active":
      return { ...data, active: op === "remove" ? true : parsed(flag, given) };
    case "name":
      return { ...data, name: op === "remove" ? {} : { ...data.name, ...parsed(name, given) } };
    case "emails":
      return { ...data, emails: patchEmails(data.emails, op, given) };
  }
  const part = NAME_PARTS.find(own => `name.${own}`.toLowerCase() === bare.toLowerCase());
  if (part !== undefined) return { ...data, name: withPart(data.name, part, given) };
  return /^emails\[/i.test(bare) ? { ...data, emails: patchEmail(data.emails, op, bare, given) } : data;
}

function withPart(before: Record<string, string>, part: string, value: unknown): Record<string, string> {
  const { [part]: _removed, ...others } = before;
  const given = parsed(nullable, value === "" ? null : value);
  return given === null ? others : { ...others, [part]: given };
}

function patchEmails(before: ScimEmail[], op: PatchOperation["op"], value: unknown): ScimEmail[] {
  if (op === "remove") return [];
  const given = parsed(emails, Array.isArray(value) ? value : [value]);
  if (op === "replace") return given;
  return [...before.filter(old => given.every(own => own.value !== old.value)), ...given];
}

/** Changes the addresses that a filter selects: `emails[type eq "work"].value`. */
function patchEmail(
  before: ScimEmail[],
  op: PatchOperation["op"],
  path: string,
  value: unknown,
): ScimEmail[] {
  const match =
    /^emails\[\s*(type|primary|value)\s+eq\s+"?([^"\]]*)"?\s*\](?:\.(value|type|primary))?$/i.exec(path);
  if (!match) throw new ScimError(400, SCIM_ERRORS.path(path), "invalidPath");
  const [, by = "", wanted = "", attribute = ""] = match;
  const isMeant = (own: ScimEmail) => `${own[keyOf(by)] ?? ""}`.toLowerCase() === wanted.trim().toLowerCase();
  if (op === "remove") return before.filter(own => !isMeant(own));
  const key = attribute === "" ? null : keyOf(attribute);
  const change = (own: ScimEmail): ScimEmail =>
    parsed(email, key === null ? { ...own, ...Object(value) } : { ...own, [key]: value });
  if (before.some(isMeant)) return before.map(own => (isMeant(own) ? change(own) : own));
  return [...before, change({ value: "", [keyOf(by)]: wanted })];
}

function keyOf(attribute: string): "value" | "type" | "primary" {
  const key = attribute.toLowerCase();
  return key === "type" || key === "primary" ? key : "value";
}
