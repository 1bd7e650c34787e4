import { z } from "zod";

/** Name of a project's secret. */
export const secretName = z
  .string()
  .max(60)
  .regex(
    /^[A-Z][A-Z0-9_]*$/,
    "must be a name of capital letters, digits and underscores, such as EDITOR_PASSWORD",
  );

/** A reference to a secret, or to the current one-time code of one. */
export const SECRET_REFERENCE = /\$\{(secret|totp)\.([^}]*)\}/g;

/** Returns the names of all secrets that a value refers to, at any depth. */
export function secretNamesIn(value: unknown): string[] {
  if (typeof value === "string") return [...value.matchAll(SECRET_REFERENCE)].map(([, , name = ""]) => name);
  if (typeof value !== "object" || value === null) return [];
  return [...new Set(Object.values(value).flatMap(secretNamesIn))];
}
