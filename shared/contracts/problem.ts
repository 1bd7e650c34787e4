import { z } from "zod";

/** Body of every error (RFC 9457, `application/problem+json`). */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  requestId: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  limit: z.number().optional(),
  used: z.number().optional(),
  resetsAt: z.string().optional(),
});

export type Problem = z.infer<typeof problem>;
