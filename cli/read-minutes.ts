import { CommandError } from "./terminal.ts";
import { OPTION_ERRORS } from "./texts/errors.ts";

/** Parses minutes, with fractions. @param name the option's name @throws CommandError for anything else */
export function readMinutes(text: string, name: string, most: { minutes: number; words?: string }): number {
  const minutes = /^\s*(\d+(\.\d*)?|\.\d+)\s*$/.test(text) ? Number.parseFloat(text) : Number.NaN;
  if (minutes > 0 && minutes <= most.minutes) return minutes;
  throw new CommandError("usage", OPTION_ERRORS.minutes(name, most.minutes, most.words, text));
}
