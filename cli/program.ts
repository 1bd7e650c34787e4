import { type Argument, Command, type Option } from "commander";
import { version } from "../shared/process.ts";
import { addApprove } from "./commands/approve.ts";
import { addCheck } from "./commands/check.ts";
import { type AddCommand, examples, type GlobalOptions, type RunCommand } from "./commands/command.ts";
import { addCompare } from "./commands/compare.ts";
import { addCompletion } from "./commands/completion.ts";
import { addDev } from "./commands/dev.ts";
import { addDoctor } from "./commands/doctor.ts";
import { addExport } from "./commands/export.ts";
import { addImport } from "./commands/import.ts";
import { addInit } from "./commands/init.ts";
import { addLogin, addLogout } from "./commands/login.ts";
import { addMcp } from "./commands/mcp.ts";
import { addMonitor } from "./commands/monitor.ts";
import { addReport } from "./commands/report.ts";
import { addRun } from "./commands/run.ts";
import { addSchema } from "./commands/schema.ts";
import { addStorybook } from "./commands/storybook.ts";
import { addUpload } from "./commands/upload.ts";
import { printFailure } from "./print-failure.ts";
import { EXIT, painter, type Terminal } from "./terminal.ts";
import { PROGRAM_HELP as HELP } from "./texts/help.ts";

/** In the order of the help. */
const COMMANDS: { group: string; add: AddCommand[] }[] = [
  {
    group: HELP.groups.local,
    add: [addInit, addCheck, addDev, addStorybook, addApprove, addReport, addImport],
  },
  { group: HELP.groups.live, add: [addMonitor] },
  {
    group: HELP.groups.service,
    add: [addRun, addUpload, addCompare, addExport, addMcp, addLogin, addLogout],
  },
  { group: HELP.groups.setup, add: [addDoctor, addCompletion, addSchema] },
];

const BEGIN = examples(...HELP.examples);

/**
 * Runs the tool with the arguments after its name, and prints its errors.
 * @returns the exit code of the process
 */
export async function runVrs(args: string[], terminal: Terminal): Promise<number> {
  let code: number = EXIT.ok;
  let called = "vrs";
  const shown = args.includes("--no-color") ? withoutColor(terminal) : terminal;
  const program = makeProgram(shown, async work => {
    code = await work({ terminal: shown, options: program.opts<GlobalOptions>() });
  });
  program.hook("preSubcommand", (_, command) => {
    called = `vrs ${command.name()}`;
  });
  const print = (error: unknown) =>
    printFailure(error, {
      terminal: shown,
      called,
      json: args.includes("--json"),
      verbose: args.some(word => word === "--verbose" || word === "-v"),
    });
  try {
    await program.parseAsync(withoutVainHelp(args, program), { from: "user" });
    return code;
  } catch (error) {
    return print(error);
  }
}

/** Turns `help <unknown>` into `<unknown>`, whose error suggests a similar name. */
function withoutVainHelp(args: string[], { commands }: Command): string[] {
  const [first, name] = args.filter(word => !word.startsWith("-"));
  if (first !== "help" || name === undefined || name === "help") return args;
  if (commands.some(command => command.name() === name)) return args;
  return args.toSpliced(args.indexOf("help"), 1);
}

/** Creates the program: its commands, and the options that they share. */
export function makeProgram(terminal: Terminal, run: RunCommand): Command {
  const paint = painter(terminal);
  const program = new Command("vrs")
    .description(HELP.description)
    .usage("<command> [options]")
    .version(version, "-V, --version", HELP.version)
    .helpOption("-h, --help", HELP.help)
    .option("--json", HELP.json, false)
    .option("-q, --quiet", HELP.quiet, false)
    .option("-v, --verbose", HELP.verbose, false)
    .option("--no-color", HELP.noColor)
    .exitOverride()
    .configureHelp({
      showGlobalOptions: true,
      visibleGlobalOptions: command =>
        (command.parent?.options ?? []).filter(({ long }) => long !== "--version"),
      styleTitle: title => paint("bold", title.replace("Global Options:", HELP.globalOptions)),
      subcommandTerm: command => [command.name(), ...command.registeredArguments.map(shownName)].join(" "),
      subcommandDescription: command => sentence(command.summary() || command.description()),
      argumentDescription: argument => sentence(argument.description),
      optionDescription: option => sentence(describeOption(option)),
    })
    .configureOutput({
      writeOut: terminal.out,
      writeErr: terminal.err,
      // `printFailure` prints all errors.
      outputError: () => {},
      getOutHelpWidth: () => terminal.columns,
      getErrHelpWidth: () => terminal.columns,
      getOutHasColors: () => terminal.hasColor,
      getErrHasColors: () => terminal.hasColor,
    });
  for (const { group, add } of COMMANDS) {
    program.commandsGroup(group);
    for (const addTo of add) addTo(program, run);
  }
  return program.helpCommand("help [command]", HELP.helpCommand).addHelpText("after", BEGIN);
}

function shownName(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

const sentence = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

function describeOption({ description, argChoices, defaultValue }: Option): string {
  const notes = [
    ...(argChoices ? [argChoices.join(", ")] : []),
    ...(defaultValue === undefined || defaultValue === false || defaultValue === true
      ? []
      : [HELP.default(defaultValue)]),
  ];
  return notes.length > 0 ? `${description} ${HELP.choicesAndDefault(notes)}` : description;
}

function withoutColor(terminal: Terminal): Terminal {
  return Object.create(terminal, { hasColor: { value: false } });
}
