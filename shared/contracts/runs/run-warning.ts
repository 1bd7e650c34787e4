import { z } from "zod";

const position = z.int().min(1);

/** A note for reviewers on a run that continued. */
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

/** Describes a warning in one line that starts with its place. */
export function describeWarning({ message, place }: RunWarning): string {
  return place === null ? message : `${place.path}:${place.line}:${place.column}: ${message}`;
}
