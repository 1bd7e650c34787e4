import { z } from "zod";
import { describeInvalid, fieldError, fieldPath } from "../../../shared/text/describe-invalid.ts";
import { SCIM_ERRORS } from "../texts.ts";
import { ScimError } from "./scim-error.ts";

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

const text = z
  .string()
  .trim()
  .min(1)
  .max(300)
  .regex(/^[^\p{Cc}]*$/u, SCIM_ERRORS.controls);
/** Entra ID sends booleans as `True` and `False` in older configurations. */
const flag = z
  .union([z.boolean(), z.string().regex(/^(true|false)$/i, SCIM_ERRORS.flag)], SCIM_ERRORS.flag)
  .transform(value => `${value}`.toLowerCase() === "true");
const nullable = text.nullish().transform(value => value ?? null);
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
const emails = z.array(email).max(20);

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

const operation = z.object({
  op: z
    .string()
    .transform(op => op.toLowerCase())
    .pipe(z.enum(["add", "replace", "remove"])),
  path: z.string().max(500).nullish(),
  value: z.unknown().optional(),
});

/** Body of a PATCH request. */
const patch = z.object({ Operations: z.array(operation).min(1).max(1_000) });
export type PatchOperation = z.infer<typeof operation>;

/** @throws ScimError invalidSyntax */
export function readPatch(body: unknown): PatchOperation[] {
  return parsed(patch, body, "invalidSyntax").Operations;
}

/** @throws ScimError with the first invalid field */
export function parsed<T>(
  schema: z.ZodType<T>,
  value: unknown,
  scimType: "invalidValue" | "invalidSyntax" = "invalidValue",
): T {
  const result = schema.safeParse(value, { error: describeInvalid });
  if (result.success) return result.data;
  const { path = [], message = "" } = result.error.issues[0] ?? {};
  throw new ScimError(400, fieldError(fieldPath(path), message, SCIM_ERRORS.value), scimType);
}

/**
 * Applies a PATCH to a user: with a path, or with an object of attributes and paths, as Okta and Entra ID send it.
 * Unknown attributes are ignored. @throws ScimError
 */
export function patchUser(before: ScimUserData, operations: readonly PatchOperation[]): ScimUserData {
  return operations.reduce((data, { op, path, value }) => {
    if (path !== null && path !== undefined && path !== "") return applyTo(data, op, path, value);
    const parts = parsed(z.record(z.string(), z.unknown()), value, "invalidSyntax");
    return Object.entries(parts).reduce((each, [own, part]) => applyTo(each, op, own, part), data);
  }, before);
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
