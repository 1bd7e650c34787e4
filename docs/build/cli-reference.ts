import { Readable } from "node:stream";
import type { Command, Option } from "commander";
import { makeProgram } from "../../cli/program.ts";
import { EXIT } from "../../cli/terminal.ts";

/** Returns the reference of the command line, from the program that parses its arguments. */
export function cliReference(): string {
  const program = makeProgram(
    {
      out: () => {},
      err: () => {},
      input: Readable.from([]),
      isInteractive: false,
      canPrompt: false,
      hasColor: false,
      columns: 100,
      cwd: "",
      env: {},
      signal: new AbortController().signal,
    },
    async () => {},
  );
  const commands = program.commands.filter(({ commands: nested }) => nested.length === 0);
  return `${[
    "# Command line",
    "",
    "This page lists every command and option of `vrs`.",
    "",
    `Start with the [tutorial](../tutorials/command-line.md). [Results](check-results.md) lists exit codes and files: ${EXIT.ok} is success, ${EXIT.changed} a change, ${EXIT.error} an error.`,
    "",
    "| Command | Purpose |",
    "|---|---|",
    ...commands.map(
      command =>
        `| [\`vrs ${command.name()}\`](#vrs-${command.name()}) | ${ended(command.summary() || command.description())} |`,
    ),
    "",
    "## Options of every command",
    "",
    ...optionTable(program),
    ...commands.flatMap(commandReference),
  ].join("\n")}`;
}

function commandReference(command: Command): string[] {
  const help = command.createHelp();
  const args = help.visibleArguments(command);
  return [
    `## vrs ${command.name()}`,
    "",
    ended(command.description() || command.summary()),
    "",
    "```text",
    `vrs ${command.name()} ${command.usage()}`.trimEnd(),
    "```",
    "",
    ...(args.length > 0
      ? [
          "| Argument | Meaning |",
          "|---|---|",
          ...args.map(argument => `| \`${argument.name()}\` | ${cell(ended(argument.description))} |`),
          "",
        ]
      : []),
    ...(command.options.length > 0 ? optionTable(command) : []),
  ];
}

function optionTable(command: Command): string[] {
  return [
    "| Option | Meaning |",
    "|---|---|",
    ...command.options
      .filter(({ hidden }) => !hidden)
      .map(option => `| \`${option.flags}\` | ${cell(meaningOf(option))} |`),
    "",
  ];
}

function meaningOf({ description, argChoices, defaultValue, envVar }: Option): string {
  const isShown = defaultValue !== undefined && typeof defaultValue !== "boolean";
  return [
    ended(description),
    ...(argChoices ? [`One of ${argChoices.map(code).join(", ")}.`] : []),
    ...(isShown ? [`Default: ${code(String(defaultValue))}.`] : []),
    ...(envVar ? [`Also ${code(envVar)}.`] : []),
  ].join(" ");
}

const code = (text: string) => `\`${text}\``;
const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
const ended = (text: string) => {
  const sentence = text.slice(0, 1).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
};
