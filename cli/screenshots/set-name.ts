import { CommandError } from "../terminal.ts";
import { SCREENSHOT_ERRORS } from "../texts/screenshots.ts";

/** A name of a folder on every file system. */
const SET_NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;

/** Reads the name of a set of baselines. Null if it is omitted. @throws CommandError for an invalid one */
export function requireSetName(name: string | undefined): string | null {
  if (name === undefined) return null;
  if (!SET_NAME.test(name)) throw new CommandError("usage", SCREENSHOT_ERRORS.setName(name));
  return name;
}
