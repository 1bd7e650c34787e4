import { type Argument, Command, type Option } from "commander";
import { version } from "../shared/version.ts";
import { addApprove } from "./commands/approve.ts";
import { addCheck } from "./commands/check.ts";
import type { AddCommand, GlobalOptions, RunCommand } from "./commands/command.ts";
import { addCompletion } from "./commands/completion.ts";
import { addDoctor } from "./commands/doctor.ts";
import { examples } from "./commands/examples.ts";
import { addInit } from "./commands/init.ts";
import { addLogin, addLogout } from "./commands/login.ts";
import { addMonitor } from "./commands/monitor.ts";
import { addReport } from "./commands/report.ts";
import { addRun } from "./commands/run.ts";
import { painter } from "./output/paint.ts";
import { tellFault } from "./tell-fault.ts";
import { EXIT, type Terminal } from "./terminal.ts";

/** In the order of the help. */
const COMMANDS: { group: string; add: AddCommand[] }[] = [
  { group: "Checks, with baselines in your repository:", add: [addInit, addCheck, addApprove, addReport] },
  { group: "Live pages:", add: [addMonitor] },
  { group: "With a service:", add: [addRun, addLogin, addLogout] },
  { group: "The tool itself:", add: [addDoctor, addCompletion] },
];

const BEGIN = examples(
  ["vrs init", "writes the configuration"],
  ['vrs check --start "npm run dev"', "renders the pages, compares them"],
  ["vrs approve", "makes what is there the baseline"],
);

/**
 * Runs the tool with the arguments after its name, and tells what goes wrong.
 * @returns the exit code of the process
 */
export async function runVrs(args: string[], terminal: Terminal): Promise<number> {
  let code: number = EXIT.ok;
  let called = "vrs";
  const shown = args.includes("--no-color") ? withoutColour(terminal) : terminal;
  const program = makeProgram(shown, async work => {
    code = await work({ terminal: shown, options: program.opts<GlobalOptions>() });
  });
  program.hook("preSubcommand", (_, command) => {
    called = `vrs ${command.name()}`;
  });
  const tell = (error: unknown) =>
    tellFault(error, {
      terminal: shown,
      called,
      json: args.includes("--json"),
      verbose: args.some(word => word === "--verbose" || word === "-v"),
    });
  try {
    await program.parseAsync(withoutVainHelp(args, program), { from: "user" });
    return code;
  } catch (error) {
    return tell(error);
  }
}

/** Help of a command that there is none of is told as that command is: with the name that was probably meant. */
function withoutVainHelp(args: string[], { commands }: Command): string[] {
  const [first, name] = args.filter(word => !word.startsWith("-"));
  if (first !== "help" || name === undefined || name === "help") return args;
  if (commands.some(command => command.name() === name)) return args;
  return args.toSpliced(args.indexOf("help"), 1);
}

/** The whole tool: options that stand before or after a command's name, and the commands. */
export function makeProgram(terminal: Terminal, run: RunCommand): Command {
  const paint = painter(terminal);
  const program = new Command("vrs")
    .description(
      "Visual regression checks: renders pages, compares them with approved baselines, says what changed.",
    )
    .usage("<command> [options]")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print the help of vrs or of a command")
    .option("--json", "print the outcome as JSON, and nothing else, on standard output", false)
    .option("-q, --quiet", "print only what differs or went wrong", false)
    .option("-v, --verbose", "say in detail what is done", false)
    .option("--no-color", "print without colours, as with NO_COLOR=1")
    .exitOverride()
    .configureHelp({
      showGlobalOptions: true,
      visibleGlobalOptions: command =>
        (command.parent?.options ?? []).filter(({ long }) => long !== "--version"),
      styleTitle: title => paint("bold", title.replace("Global Options:", "Options of every command:")),
      subcommandTerm: command => [command.name(), ...command.registeredArguments.map(shownName)].join(" "),
      subcommandDescription: command => sentence(command.summary() || command.description()),
      argumentDescription: argument => sentence(argument.description),
      optionDescription: option => sentence(describeOption(option)),
    })
    .configureOutput({
      writeOut: terminal.out,
      writeErr: terminal.err,
      // Faults are told in one place.
      outputError: () => {},
      getOutHelpWidth: () => terminal.columns,
      getErrHelpWidth: () => terminal.columns,
      getOutHasColors: () => terminal.hasColour,
      getErrHasColors: () => terminal.hasColour,
    });
  for (const { group, add } of COMMANDS) {
    program.commandsGroup(group);
    for (const addTo of add) addTo(program, run);
  }
  return program.helpCommand("help [command]", "Print the help of a command").addHelpText("after", BEGIN);
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
      : [`default: ${defaultValue}`]),
  ];
  return notes.length > 0 ? `${description} (${notes.join("; ")})` : description;
}

function withoutColour(terminal: Terminal): Terminal {
  return Object.create(terminal, { hasColour: { value: false } });
}
