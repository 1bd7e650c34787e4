import { InvalidArgumentError } from "commander";
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

/** Returns a parser for an option that may be repeated or hold commas. */
export function list<T>(read: (text: string) => T): (text: string, before?: T[]) => T[] {
  return (text, before = []) => [...before, ...text.split(",").map(part => read(part.trim()))];
}
