import { z } from "zod";
import { comparisonView } from "../../shared/contracts/runs/comparisons.ts";
import { COMPARE_TEXTS } from "../texts/compare.ts";

const { base } = comparisonView.shape;
const side = base.extend({ kind: z.enum([...base.shape.kind.options, "folder"]) });

/** The result of `vrs compare --json`. */
export const comparisonResultSchema = comparisonView.omit({ status: true, nextCursor: true }).extend({
  base: side,
  head: side,
  report: z.string().nullable().describe(COMPARE_TEXTS.reportField),
});

export type ComparisonResult = z.infer<typeof comparisonResultSchema>;
export type ComparedPage = ComparisonResult["data"][number];
