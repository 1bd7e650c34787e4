/** A reference to a secret, or to the current one-time code of one. */
export const SECRET_REFERENCE = /\$\{(secret|totp)\.([^}]*)\}/g;

/** Returns whether a value is nothing but a reference. */
export function isSecretReference(value: string): boolean {
  return value.replace(SECRET_REFERENCE, "") === "" && value !== "";
}

/** Returns the names of all secrets that a value refers to, at any depth. */
export function secretNamesIn(value: unknown): string[] {
  if (typeof value === "string") return [...value.matchAll(SECRET_REFERENCE)].map(([, , name = ""]) => name);
  if (typeof value !== "object" || value === null) return [];
  return [...new Set(Object.values(value).flatMap(secretNamesIn))];
}

/** Returns the names of the secrets whose one-time codes a value refers to, at any depth. */
export function codeNamesIn(value: unknown): string[] {
  const references = JSON.stringify(value ?? null).matchAll(SECRET_REFERENCE);
  return [...new Set([...references].flatMap(([, kind, name = ""]) => (kind === "totp" ? [name] : [])))];
}
