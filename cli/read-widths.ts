import { viewportSchema } from "../shared/contracts/capture-options.ts";
import { CommandError } from "./terminal.ts";

/** Widths with commas between them, px, as `--viewports` takes them; each once. @throws CommandError for what is none */
export function readWidths(text: string): number[] {
  const parts = text.split(",").flatMap(part => part.trim() || []);
  const widths = parts.map(part => {
    if (viewportSchema.safeParse(Number(part)).success) return Number(part);
    throw new CommandError("usage", `--viewports: "${part}" is no ${A_WIDTH}.`);
  });
  if (widths.length === 0) throw new CommandError("usage", "--viewports names no width.");
  return [...new Set(widths)];
}

/** What a width is, in words. */
export const A_WIDTH = `width from ${viewportSchema.minValue} to ${viewportSchema.maxValue} px`;
