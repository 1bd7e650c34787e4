import { z } from "zod";
import { comparisonView } from "../../shared/contracts/runs/comparisons.ts";

const { base } = comparisonView.shape;
const side = base.extend({ kind: z.enum([...base.shape.kind.options, "folder"]) });

/** The result of `vrs compare --json`. */
export const comparisonResultSchema = comparisonView.omit({ status: true, nextCursor: true }).extend({
  base: side,
  head: side,
  report: z.string().nullable().describe("Path of the HTML report. Null without --report"),
});

export type ComparisonResult = z.infer<typeof comparisonResultSchema>;
export type ComparedPage = ComparisonResult["data"][number];
