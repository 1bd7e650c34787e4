import { InvalidArgumentError } from "commander";
import { viewportSchema } from "../../shared/contracts/capture/viewport.ts";
import { CommandError } from "../terminal.ts";
import { OPTION_ERRORS } from "../texts/errors.ts";

/** Parses a positive whole number. @throws InvalidArgumentError */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError(OPTION_ERRORS.wholeNumber);
  return Number(text);
}

/** Parses seconds, and returns milliseconds. @throws InvalidArgumentError */
export function seconds(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 3600)) throw new InvalidArgumentError(OPTION_ERRORS.seconds);
  return value * 1000;
}

/** Collects the texts of an option that may be repeated or hold commas. Leaves out blank ones. */
export function texts(text: string, before: string[] = []): string[] {
  return [...before, ...text.split(",").flatMap(part => part.trim() || [])];
}

/** Collects the values of an option that may be repeated. */
export function collected(text: string, before: string[] = []): string[] {
  return [...before, text];
}

/** Returns a parser for an option that may be repeated or hold commas. */
export function list<T>(read: (text: string) => T): (text: string, before?: T[]) => T[] {
  return (text, before = []) => [...before, ...text.split(",").map(part => read(part.trim()))];
}

/** Parses minutes, with fractions. @param name the option's name @throws CommandError for anything else */
export function readMinutes(text: string, name: string, most: { minutes: number; words?: string }): number {
  const minutes = /^\s*(\d+(\.\d*)?|\.\d+)\s*$/.test(text) ? Number.parseFloat(text) : Number.NaN;
  if (minutes > 0 && minutes <= most.minutes) return minutes;
  throw new CommandError("usage", OPTION_ERRORS.minutes(name, most.minutes, most.words, text));
}

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
