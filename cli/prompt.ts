import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { Interrupt, type Terminal } from "./terminal.ts";

/** Asks a question, and returns the answer without surrounding whitespace. */
export type AskQuestion = (
  question: string,
  how?: {
    /** Whether the terminal hides what is typed. */
    isSecret?: boolean;
  },
) => Promise<string>;

/**
 * Runs work that asks questions at the terminal. Input that is typed ahead isn't lost between questions.
 * @throws Interrupt after Ctrl-C
 */
export async function withPrompts<T>(terminal: Terminal, work: (ask: AskQuestion) => Promise<T>): Promise<T> {
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
  const ask: AskQuestion = async (question, { isSecret = false } = {}) => {
    const answer = prompt.question(`${question} `, { signal: terminal.signal });
    isMuted = isSecret;
    try {
      return (await Promise.race([answer, ended])).trim();
    } finally {
      isMuted = false;
      if (isSecret) terminal.err("\n");
    }
  };
  try {
    return await work(ask);
  } finally {
    prompt.close();
  }
}
