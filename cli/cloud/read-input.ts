import { addAbortSignal } from "node:stream";
import { CommandError, type Terminal } from "../terminal.ts";
import { LOGIN_ERRORS } from "../texts/cloud.ts";

/** Longer is no key, and no address. */
const MOST_BYTES = 10_000;

/**
 * All of standard input, for scripts.
 * @throws CommandError for what is too long to be meant; an AbortError once the terminal's signal aborts
 */
export async function readInput({ input, signal }: Pick<Terminal, "input" | "signal">): Promise<string> {
  let text = "";
  for await (const chunk of addAbortSignal(signal, input)) {
    text += String(chunk);
    if (text.length > MOST_BYTES) throw new CommandError("usage", LOGIN_ERRORS.tooLong);
  }
  return text.trim();
}
