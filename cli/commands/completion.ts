import { Argument, Option } from "commander";
import { CommandError, EXIT, toJson } from "../terminal.ts";
import { OPTION_ERRORS } from "../texts/errors.ts";
import { COMPLETION_HELP as HELP } from "../texts/help.ts";
import { type AddCommand, examples } from "./command.ts";

export const addCompletion: AddCommand = (program, run) => {
  program
    .command("completion")
    .addArgument(new Argument("[shell]", HELP.shell).choices(["bash", "zsh", "fish"]))
    .summary(HELP.summary)
    .description(HELP.description)
    .addOption(new Option("--routes", HELP.routes).hideHelp())
    .addHelpText("after", examples(...HELP.examples))
    .action(async (shell: string | undefined, { routes }: { routes?: boolean }) =>
      run(async ({ terminal, options }) => {
        if (routes) {
          const { lastRoutes } = await import("../output/last-result.ts");
          const last = await lastRoutes(terminal.cwd);
          const lines = last.map(route => `${route}\n`).join("");
          terminal.out(options.json ? `${toJson({ routes: last }, 0)}\n` : lines);
          return EXIT.ok;
        }
        const { SHELLS } = await import("../completion/shells.ts");
        const { wordsOf } = await import("../completion/program-words.ts");
        const name = shell ?? /[^/]*$/.exec(terminal.env.SHELL ?? "")?.[0] ?? "";
        const script = SHELLS.get(name);
        if (!script) throw new CommandError("unknown_shell", OPTION_ERRORS.noShell(name, [...SHELLS.keys()]));
        const text = script(wordsOf(program));
        terminal.out(options.json ? `${toJson({ shell: name, script: text })}\n` : text);
        return EXIT.ok;
      }),
    );
};
