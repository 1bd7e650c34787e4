import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import type { Starter } from "../../shared/project-config/starter-config.ts";
import { painter } from "../output/paint.ts";
import { Interrupt, type Terminal } from "../terminal.ts";
import type { Guess } from "./guess-project.ts";

/** Asks for what the configuration says first, with what was found as the answer to no answer. */
export async function askForStarter(
  terminal: Terminal,
  found: Starter,
  { framework }: Guess,
): Promise<Starter> {
  const paint = painter(terminal);
  const output = new Writable({
    write(chunk, _, done) {
      terminal.err(String(chunk));
      done();
    },
  });
  const prompt = createInterface({ input: terminal.input, output, terminal: true });
  prompt.once("SIGINT", () => prompt.close());
  const ended = new Promise<never>((_, reject) =>
    prompt.once("close", () => reject(new Interrupt("SIGINT"))),
  );
  const ask = async (question: string, answer: string): Promise<string> => {
    const line = prompt.question(`${question} ${paint("dim", `(${answer})`)} `, { signal: terminal.signal });
    return (await Promise.race([line, ended])).trim() || answer;
  };
  try {
    if (framework) terminal.err(`Found ${framework}. Enter takes what is in brackets.\n`);
    const baseUrl = await ask("Address while you develop", found.baseUrl);
    const routes = listOf(await ask("Pages, as paths", found.routes.join(", ")));
    const viewports = listOf(await ask("Widths, px", found.viewports.join(", "))).map(Number);
    return { ...found, baseUrl, routes, viewports };
  } finally {
    ended.catch(() => {});
    prompt.close();
  }
}

const listOf = (answer: string) => answer.split(/[\s,]+/).filter(part => part !== "");
