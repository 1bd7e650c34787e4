import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { CommandError, Interrupt, type Terminal } from "../terminal.ts";

/** Longer is no key, and no address. */
const MOST_BYTES = 10_000;

/** Asks a question on the terminal. @param isSecret what is typed is not shown */
export async function ask(terminal: Terminal, question: string, isSecret = false): Promise<string> {
  let isMuted = false;
  const output = new Writable({
    write(chunk, _, done) {
      if (!isMuted) terminal.err(String(chunk));
      done();
    },
  });
  const prompt = createInterface({ input: terminal.input, output, terminal: true, historySize: 0 });
  prompt.once("SIGINT", () => prompt.close());
  const ended = new Promise<never>((_, reject) =>
    prompt.once("close", () => reject(new Interrupt("SIGINT"))),
  );
  ended.catch(() => {});
  try {
    const answer = prompt.question(`${question} `, { signal: terminal.signal });
    isMuted = isSecret;
    return (await Promise.race([answer, ended])).trim();
  } finally {
    prompt.close();
    if (isSecret) terminal.err("\n");
  }
}

/** All of standard input, for scripts. @throws CommandError for what is too long to be meant */
export async function readInput({ input }: Pick<Terminal, "input">): Promise<string> {
  let text = "";
  for await (const chunk of input) {
    text += String(chunk);
    if (text.length > MOST_BYTES)
      throw new CommandError("usage", "Standard input is too long to be an API key.");
  }
  return text.trim();
}
