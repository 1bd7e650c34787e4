import { viewportSchema } from "../shared/contracts/capture-options.ts";
import { CommandError } from "./terminal.ts";

/** The widths of `--viewports`, px; each once. @throws CommandError for what is none */
export function readWidths(texts: readonly string[]): number[] {
  const widths = texts.map(text => {
    if (viewportSchema.safeParse(Number(text)).success) return Number(text);
    throw new CommandError("usage", `--viewports: "${text}" is no ${A_WIDTH}.`);
  });
  if (widths.length === 0) throw new CommandError("usage", "--viewports names no width.");
  return [...new Set(widths)];
}

/** What a width is, in words. */
export const A_WIDTH = `width from ${viewportSchema.minValue} to ${viewportSchema.maxValue} px`;
