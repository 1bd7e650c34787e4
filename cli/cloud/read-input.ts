import { addAbortSignal } from "node:stream";
import { CommandError, type Terminal } from "../terminal.ts";
import { LOGIN_ERRORS } from "../texts/cloud.ts";

/** No key or address is longer. */
const MOST_BYTES = 10_000;

/**
 * Reads all of standard input, for scripts.
 * @throws CommandError for input that is too long; an AbortError once the terminal's signal aborts
 */
export async function readInput({ input, signal }: Pick<Terminal, "input" | "signal">): Promise<string> {
  let text = "";
  for await (const chunk of addAbortSignal(signal, input)) {
    text += String(chunk);
    if (text.length > MOST_BYTES) throw new CommandError("usage", LOGIN_ERRORS.tooLong);
  }
  return text.trim();
}
