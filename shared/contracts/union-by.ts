import { z } from "zod";

/**
 * Returns a union of two schemas whose errors are those of the chosen one. Zod's own union names no field. Call no other
 * method on it: the copy would have Zod's errors.
 * @param choose returns the schema that a value is meant for
 */
export function unionBy<A extends z.ZodType, B extends z.ZodType>(
  one: A,
  other: B,
  choose: (value: unknown) => A | B,
): z.ZodUnion<readonly [A, B]> {
  const union = z.union([one, other]);
  union._zod.run = (payload, context) => choose(payload.value)._zod.run(payload, context);
  return union;
}
