import type { GlobalOptions } from "../commands/command.ts";
import { painter } from "../output/paint.ts";
import type { Terminal } from "../terminal.ts";
import type { InitOutcome } from "./init-project.ts";

/** Says what `vrs init` did, and what comes next. */
export function tellInit(terminal: Terminal, { json, quiet }: GlobalOptions, outcome: InitOutcome): void {
  if (json) terminal.out(`${JSON.stringify(outcome, null, 2)}\n`);
  if (json || quiet) return;
  const paint = painter(terminal);
  const { written, skipped, guess, action } = outcome;
  const start = guess.starting === null ? "" : ` --start ${JSON.stringify(guess.starting.start)}`;
  // A dependency of the project is on the path of its scripts only.
  const vrs = guess.hasVrs ? "npx vrs" : "vrs";
  const lines = [
    ...written.map(path => `${paint("green", "✓")} ${path}`),
    ...(action === null
      ? []
      : [paint("dim", `  The workflow runs the action ${action}; another is named with --action.`)]),
    ...skipped.map(
      ({ path, why }) => `${paint("yellow", "−")} ${path} ${paint("dim", `not written: ${why}`)}`,
    ),
    "",
    "Next",
    `  ${vrs} check${start}`,
    `  ${vrs} approve`,
    "Then commit the baselines with the rest.",
  ];
  terminal.out(`${lines.join("\n")}\n`);
}
