import { CommandError } from "./terminal.ts";

/** An option's minutes, of which there may be parts. @param name the option's @throws CommandError for what is none */
export function readMinutes(text: string, name: string, most: { minutes: number; words?: string }): number {
  const minutes = /^\s*(\d+(\.\d*)?|\.\d+)\s*$/.test(text) ? Number.parseFloat(text) : Number.NaN;
  if (minutes > 0 && minutes <= most.minutes) return minutes;
  const bound = most.words === undefined ? most.minutes : `${most.minutes} (${most.words})`;
  throw new CommandError("usage", `${name} is a number of minutes, up to ${bound}; "${text}" is none.`);
}
