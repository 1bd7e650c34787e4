import { z } from "zod";
import { describeInvalid, fieldError, fieldPath } from "../../../shared/text/describe-invalid.ts";
import { SCIM_ERRORS } from "../texts.ts";
import { ScimError } from "./scim-error.ts";

/** Attributes and PATCH operations that users and groups have in common. */

export const text = z
  .string()
  .trim()
  .min(1)
  .max(300)
  .regex(/^[^\p{Cc}]*$/u, SCIM_ERRORS.controls);
export const nullable = text.nullish().transform(value => value ?? null);

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
 * Applies operations in order: each with a path, or with an object of attributes and paths, as Okta and Entra ID send
 * it. @throws ScimError
 */
export function applyOperations<Data>(
  before: Data,
  operations: readonly PatchOperation[],
  apply: (data: Data, op: PatchOperation["op"], path: string, value: unknown) => Data,
): Data {
  return operations.reduce((data, { op, path, value }) => {
    if (path !== null && path !== undefined && path !== "") return apply(data, op, path, value);
    const parts = parsed(z.record(z.string(), z.unknown()), value, "invalidSyntax");
    return Object.entries(parts).reduce((each, [own, part]) => apply(each, op, own, part), data);
  }, before);
}
