import type { GlobalOptions } from "../commands/command.ts";
import { painter, type Terminal, toJson } from "../terminal.ts";
import { INIT_TEXTS as TEXTS } from "../texts/init.ts";
import type { InitOutcome } from "./init-project.ts";

/** Prints what `vrs init` did, and the next steps. */
export function printInit(terminal: Terminal, { json, quiet }: GlobalOptions, outcome: InitOutcome): void {
  if (json) terminal.out(`${toJson(outcome)}\n`);
  if (json || quiet) return;
  const paint = painter(terminal);
  const { written, skipped, guess, action } = outcome;
  const start = guess.starting === null ? "" : ` --start ${JSON.stringify(guess.starting.start)}`;
  // A dependency of the project is only on the path of its scripts.
  const vrs = guess.hasVrs ? "npx vrs" : "vrs";
  const lines = [
    ...written.map(path => `${paint("green", "✓")} ${path}`),
    ...(action === null ? [] : [paint("dim", TEXTS.action(action))]),
    ...skipped.map(({ path, why }) => `${paint("yellow", "−")} ${path} ${paint("dim", TEXTS.skipped(why))}`),
    "",
    TEXTS.next,
    `  ${vrs} check${start}`,
    `  ${vrs} approve`,
    TEXTS.commit,
  ];
  terminal.out(`${lines.join("\n")}\n`);
}
