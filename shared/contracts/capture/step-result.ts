import { z } from "zod";

/** A step as it ran before a screenshot. */
export const stepResult = z.object({
  name: z
    .string()
    .describe('Number, action and element of the step, such as `Step 3 (click role=button[name="Menu"])`'),
  ms: z.int().describe("How long it took, in ms"),
  outcome: z.enum(["done", "failed"]),
});

export type StepResult = z.infer<typeof stepResult>;
