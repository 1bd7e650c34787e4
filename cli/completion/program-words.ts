import type { Command } from "commander";

/** Completions for a command. */
export interface CommandWords {
  name: string;
  about: string;
  options: OptionWords[];
  /** Values of the first argument, if there are few. */
  choices: readonly string[];
  /** Whether its arguments are routes. */
  takesRoutes: boolean;
}

export interface OptionWords {
  /** Such as `-q` and `--quiet`. */
  flags: string[];
  about: string;
  /** Whether the flag takes a value. */
  takesValue: boolean;
  choices: readonly string[];
}

export interface ProgramWords {
  options: OptionWords[];
  commands: CommandWords[];
}

/** Returns the words of the tool, from its own declarations. */
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
