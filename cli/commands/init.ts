import type { InitOptions } from "../init/init-project.ts";
import { EXIT } from "../terminal.ts";
import type { AddCommand } from "./command.ts";
import { examples } from "./examples.ts";

export const addInit: AddCommand = (program, run) => {
  program
    .command("init")
    .summary("Write service.config.ts and a workflow")
    .description(
      "Writes service.config.ts and a workflow for pull requests, with what package.json tells of the project. On a terminal it asks before; elsewhere it takes what it found.",
    )
    .option("--base-url <url>", "address of the application where you develop")
    .option("--action <owner/repo>", "repository of the action that the workflow runs")
    .option("--no-workflow", "write no workflow")
    .option("-y, --yes", "ask nothing", false)
    .option("--force", "write over files that are there", false)
    .addHelpText(
      "after",
      examples(
        ["vrs init", "asks for address, routes and widths"],
        ["vrs init --yes --no-workflow", "only the configuration, as found"],
      ),
    )
    .action(async (asked: InitOptions) =>
      run(async ({ terminal, options }) => {
        const { initProject } = await import("../init/init-project.ts");
        const { tellInit } = await import("../init/tell-init.ts");
        tellInit(terminal, options, await initProject(terminal, asked));
        return EXIT.ok;
      }),
    );
};
