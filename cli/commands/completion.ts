import { Argument, Option } from "commander";
import { CommandError, EXIT } from "../terminal.ts";
import type { AddCommand } from "./command.ts";
import { examples } from "./examples.ts";

export const addCompletion: AddCommand = (program, run) => {
  program
    .command("completion")
    .addArgument(
      new Argument("[shell]", "the one in use when it is left out").choices(["bash", "zsh", "fish"]),
    )
    .summary("Print what completes vrs in your shell")
    .description(
      "Prints a script that lets your shell complete commands, options and the routes last checked.",
    )
    .addOption(new Option("--routes", "print the routes last checked").hideHelp())
    .addHelpText(
      "after",
      examples(
        ["vrs completion bash > ~/.local/share/bash-completion/completions/vrs", ""],
        ["vrs completion zsh > ~/.zfunc/_vrs", "in a folder of $fpath"],
        ["vrs completion fish > ~/.config/fish/completions/vrs.fish", ""],
      ),
    )
    .action(async (shell: string | undefined, { routes }: { routes?: boolean }) =>
      run(async ({ terminal, options }) => {
        if (routes) {
          const { lastRoutes } = await import("../completion/last-routes.ts");
          const last = await lastRoutes(terminal.cwd);
          const lines = last.map(route => `${route}\n`).join("");
          terminal.out(options.json ? `${JSON.stringify({ routes: last })}\n` : lines);
          return EXIT.ok;
        }
        const { SHELLS } = await import("../completion/shells.ts");
        const { wordsOf } = await import("../completion/program-words.ts");
        const name = shell ?? /[^/]*$/.exec(terminal.env.SHELL ?? "")?.[0] ?? "";
        const script = SHELLS.get(name);
        if (!script) {
          const known = `Name one of ${[...SHELLS.keys()].join(", ")}.`;
          throw new CommandError(
            "unknown_shell",
            `There is no completion for ${name || "this shell"}. ${known}`,
          );
        }
        const text = script(wordsOf(program));
        terminal.out(options.json ? `${JSON.stringify({ shell: name, script: text }, null, 2)}\n` : text);
        return EXIT.ok;
      }),
    );
};
