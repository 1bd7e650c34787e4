import { z } from "zod";

const position = z.int().min(1);

/** Something that a reviewer should know of a run, which did not stop it. */
export const runWarning = z.object({
  message: z.string(),
  place: z
    .object({
      path: z.string(),
      line: position,
      column: position,
      endLine: position,
      endColumn: position,
    })
    .nullable()
    .describe("Where in the repository it is; lines and columns count from 1"),
});
export type RunWarning = z.infer<typeof runWarning>;

/** Returns a warning as one line, with its place first. */
export function describeWarning({ message, place }: RunWarning): string {
  return place === null ? message : `${place.path}:${place.line}:${place.column}: ${message}`;
}
