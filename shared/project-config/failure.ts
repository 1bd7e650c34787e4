import { z } from "zod";
import { projectConfigSchema } from "./project-config.ts";
import { SOURCE_FAILURE_CODES, type Span } from "./static-reading/reading.ts";

export const FAILURE_CODES = [...SOURCE_FAILURE_CODES, "unknown-field", "invalid-value"] as const;

const position = z.int().min(1);

/**
 * A problem in a configuration file, with its position. Lines and columns count from 1, columns in UTF-16
 * code units.
 */
const failureSchema = z.object({
  code: z.enum(FAILURE_CODES),
  line: position,
  column: position,
  endLine: position,
  endColumn: position,
  /** Path of the field, such as `perRoute./pricing.viewports[0]`. Null if it is unknown. */
  field: z.string().nullable(),
  /** The problem, and what to write instead. */
  message: z.string(),
});

/** A valid configuration, or the problems of an invalid one, in the order of the file. */
export const readConfigSchema = z.union([
  z.object({ config: projectConfigSchema, failures: z.tuple([]) }),
  z.object({ config: z.null(), failures: z.tuple([failureSchema], failureSchema) }),
]);

export type ConfigFailure = z.infer<typeof failureSchema>;
export type ReadConfig = z.infer<typeof readConfigSchema>;

/** Returns a function from offsets to lines and columns. */
export function lineCounter(source: string): (offset: number) => { line: number; column: number } {
  const starts = [
    0,
    ...[...source.matchAll(/\r\n|[\n\r\u2028\u2029]/g)].map(end => end.index + end[0].length),
  ];
  return offset => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}

/** Returns the start and end of a span as lines and columns. */
export function positionOf({ start, end }: Span, at: ReturnType<typeof lineCounter>) {
  const last = at(Math.max(start, end));
  return { ...at(start), endLine: last.line, endColumn: last.column };
}
