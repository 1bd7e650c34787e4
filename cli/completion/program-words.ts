import type { Command } from "commander";

/** What can follow a command's name. */
export interface CommandWords {
  name: string;
  about: string;
  options: OptionWords[];
  /** Values of its first argument, where they are few. */
  choices: readonly string[];
  /** Whether its arguments are routes. */
  takesRoutes: boolean;
}

export interface OptionWords {
  /** As `-q` and `--quiet`. */
  flags: string[];
  about: string;
  /** Whether a value follows. */
  takesValue: boolean;
  choices: readonly string[];
}

export interface ProgramWords {
  options: OptionWords[];
  commands: CommandWords[];
}

/** The words of the tool, as the tool itself declares them. */
export function wordsOf(program: Command): ProgramWords {
  const help = program.createHelp();
  return {
    options: optionsOf(program),
    commands: help.visibleCommands(program).map(command => ({
      name: command.name(),
      about: help.subcommandDescription(command),
      options: optionsOf(command),
      choices:
        command.name() === "help"
          ? program.commands.map(each => each.name())
          : (command.registeredArguments[0]?.argChoices ?? []),
      takesRoutes: command.registeredArguments.some(argument => argument.name() === "routes"),
    })),
  };
}

function optionsOf(command: Command): OptionWords[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .map(option => ({
      flags: [option.short, option.long].filter(flag => flag !== undefined && flag !== null),
      about: option.description,
      takesValue: option.required || option.optional,
      choices: option.argChoices ?? [],
    }));
}
