/** A user's account at an identity provider. */
export interface ProviderAccount {
  /** Stays when everything else changes. */
  subject: string;
  /** A name to show: the verified address, else the user name at the provider. */
  login: string;
  name: string | null;
  /** The verified address. Null without one. An unverified one proves nothing. */
  email: string | null;
  /** Ids of the account that SCIM may know as `externalId`. */
  externalIds: string[];
  /** Null if the provider has them, but didn't send them. */
  groups: string[] | null;
}

type Claims = Readonly<Record<string, unknown>>;

const MAX_LOGIN_CHARS = 200;
const MAX_NAME_CHARS = 200;
const MAX_EMAIL_CHARS = 254;
/** More than any provider sends in a token. */
const MAX_GROUPS = 2_000;
const MAX_GROUP_CHARS = 300;

/** Reads the verified claims of a user. @param groupsClaim name of the claim with the groups, or the path to it */
export function readAccount(claims: Claims, subject: string, groupsClaim: string): ProviderAccount {
  const email = verifiedEmail(claims);
  const userName = textOf(claims.preferred_username, MAX_LOGIN_CHARS) ?? textOf(claims.upn, MAX_LOGIN_CHARS);
  return {
    subject,
    login: email ?? userName ?? subject.slice(0, MAX_LOGIN_CHARS),
    name: textOf(claims.name, MAX_NAME_CHARS),
    email,
    // `oid` is the object id at Entra ID, whose `sub` differs for each application.
    externalIds: [subject, textOf(claims.oid, MAX_LOGIN_CHARS)].filter(id => id !== null),
    groups: readGroups(claims, groupsClaim),
  };
}

/** Returns whether the ID token lacks claims that the provider may send at its userinfo endpoint. */
export function lacksClaims(claims: Claims, groupsClaim: string): boolean {
  return (
    claims.email === undefined || (at(claims, groupsClaim) === undefined && !isOverage(claims, groupsClaim))
  );
}

/**
 * Returns the claims of the ID token, completed with those of the userinfo endpoint. An answer vouches only for its own
 * address.
 */
export function completeClaims(token: Claims, userinfo: Claims): Claims {
  const vouches = token.email_verified === undefined && token.email === userinfo.email;
  const { email, email_verified: isVerified } = token.email === undefined || vouches ? userinfo : token;
  return { ...userinfo, ...token, email, email_verified: isVerified };
}

function verifiedEmail({ email, email_verified: isVerified }: Claims): string | null {
  // Some providers send the boolean as a string.
  if (isVerified !== true && isVerified !== "true") return null;
  const address = textOf(email, MAX_EMAIL_CHARS);
  return address !== null && /^[^\s@]+@[^\s@]+$/.test(address) ? address.toLowerCase() : null;
}

function readGroups(claims: Claims, groupsClaim: string): string[] | null {
  if (isOverage(claims, groupsClaim)) return null;
  const groups = at(claims, groupsClaim);
  const named = Array.isArray(groups) ? groups.slice(0, MAX_GROUPS) : [groups];
  return named.flatMap(group => textOf(group, MAX_GROUP_CHARS) ?? []);
}

/** With too many groups, a token names only where to ask for them (OpenID Connect Core 5.6.2). */
function isOverage({ _claim_names: names }: Claims, groupsClaim: string): boolean {
  return typeof names === "object" && names !== null && groupsClaim in names;
}

/** Returns the claim of this name, or at this path. */
function at(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  let value: unknown = claims;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Object.entries(value).find(([own]) => own === name)?.[1];
  }
  return value;
}

function textOf(value: unknown, maxChars: number): string | null {
  if (typeof value !== "string") return null;
  const text = value.replace(/\p{Cc}/gu, "").trim();
  return text === "" ? null : text.slice(0, maxChars).toWellFormed();
}
