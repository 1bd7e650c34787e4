import type { Guess } from "../../shared/project-config/starter/guess-project.ts";
import type { Starter } from "../../shared/project-config/starter/starter-config.ts";
import { asking } from "../ask.ts";
import { painter } from "../output/paint.ts";
import type { Terminal } from "../terminal.ts";
import { INIT_TEXTS as TEXTS } from "../texts/init.ts";

/** Asks for what the configuration says first, with what was found as the answer to no answer. */
export async function askForStarter(
  terminal: Terminal,
  found: Starter,
  { framework }: Guess,
): Promise<Starter> {
  const paint = painter(terminal);
  return await asking(terminal, async ask => {
    const askOr = async (question: string, answer: string) =>
      (await ask(`${question} ${paint("dim", `(${answer})`)}`)) || answer;
    if (framework) terminal.err(`${TEXTS.found(framework)}\n`);
    const baseUrl = await askOr(TEXTS.askBaseUrl, found.baseUrl);
    const routes = listOf(await askOr(TEXTS.askRoutes, found.routes.join(", ")));
    const viewports = listOf(await askOr(TEXTS.askViewports, found.viewports.join(", "))).map(Number);
    return { ...found, baseUrl, routes, viewports };
  });
}

const listOf = (answer: string) => answer.split(/[\s,]+/).filter(part => part !== "");
