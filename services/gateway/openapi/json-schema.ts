import { z } from "zod";

/** Returns the JSON schema of what a Zod schema takes or returns. */
export function jsonSchema(schema: z.ZodType, io: "input" | "output") {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}
