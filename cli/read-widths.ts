import { viewportSchema } from "../shared/contracts/runs/capture-options.ts";
import { CommandError } from "./terminal.ts";
import { OPTION_ERRORS } from "./texts/errors.ts";

/** Parses the widths of `--viewports`, px, without duplicates. @throws CommandError for anything else */
export function readWidths(texts: readonly string[]): number[] {
  const widths = texts.map(text => {
    if (viewportSchema.safeParse(Number(text)).success) return Number(text);
    throw new CommandError("usage", OPTION_ERRORS.notAWidth(text, A_WIDTH));
  });
  if (widths.length === 0) throw new CommandError("usage", OPTION_ERRORS.noWidths);
  return [...new Set(widths)];
}

/** Describes a valid width in errors. */
export const A_WIDTH = OPTION_ERRORS.width(
  viewportSchema.minValue ?? 1,
  viewportSchema.maxValue ?? Number.MAX_SAFE_INTEGER,
);
