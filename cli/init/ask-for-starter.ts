import type { Guess } from "../../shared/project-config/starter/guess-project.ts";
import type { Starter } from "../../shared/project-config/starter/starter-config.ts";
import { formatThreshold } from "../../shared/text/format.ts";
import { withPrompts } from "../prompt.ts";
import { CommandError, painter, type Terminal } from "../terminal.ts";
import { INIT_ERRORS, INIT_TEXTS as TEXTS } from "../texts/init.ts";

/**
 * Asks for the first settings of the configuration, with detected values as the defaults.
 * @throws CommandError `invalid_answer` for a threshold that isn't a percentage
 */
export async function askForStarter(
  terminal: Terminal,
  found: Starter,
  { framework }: Guess,
): Promise<Starter> {
  const paint = painter(terminal);
  return await withPrompts(terminal, async ask => {
    const askOr = async (question: string, answer: string) =>
      (await ask(`${question} ${paint("dim", `(${answer})`)}`)) || answer;
    if (framework) terminal.err(`${TEXTS.found(framework)}\n`);
    const baseUrl = await askOr(TEXTS.askBaseUrl, found.baseUrl);
    const routes = listOf(await askOr(TEXTS.askRoutes, found.routes.join(", ")));
    const viewports = listOf(await askOr(TEXTS.askViewports, found.viewports.join(", "))).map(Number);
    terminal.err(`${TEXTS.aboutThreshold}\n`);
    const threshold = ratioOf(await askOr(TEXTS.askThreshold, formatThreshold(found.threshold)));
    return { ...found, baseUrl, routes, viewports, threshold };
  });
}

const listOf = (answer: string) => answer.split(/[\s,]+/).filter(part => part !== "");

/** Returns a percentage, such as `0.5%` or `0.5`, as a ratio of 0–1. */
function ratioOf(answer: string): number {
  const text = answer.replace(/\s*%$/, "");
  const percentage = Number(text);
  if (text === "" || !(percentage >= 0 && percentage <= 100))
    throw new CommandError("invalid_answer", INIT_ERRORS.threshold(answer));
  // Division adds digits: 0.7 / 100 is 0.006999999999999999.
  return Number((percentage / 100).toPrecision(6));
}
