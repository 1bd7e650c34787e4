import { CommandError } from "../terminal.ts";
import { SCREENSHOT_ERRORS } from "../texts/screenshots.ts";
import { NAMINGS, type Naming } from "./naming.ts";

/** Reads the name of a test tool. Null if it is omitted. @throws CommandError for an unknown one */
export function readNaming(text: string | undefined): Naming | null {
  if (text === undefined) return null;
  const found = NAMINGS.find(naming => naming === text);
  if (found === undefined) throw new CommandError("usage", SCREENSHOT_ERRORS.noNaming(text, NAMINGS));
  return found;
}
