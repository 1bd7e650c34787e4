import type { InitOptions } from "../init/init-project.ts";
import { EXIT } from "../terminal.ts";
import { INIT_HELP as HELP } from "../texts/help.ts";
import { type AddCommand, examples } from "./command.ts";

export const addInit: AddCommand = (program, run) => {
  program
    .command("init")
    .summary(HELP.summary)
    .description(HELP.description)
    .option("--base-url <url>", HELP.baseUrl)
    .option("--action <owner/repo>", HELP.action)
    .option("--no-workflow", HELP.noWorkflow)
    .option("-y, --yes", HELP.yes, false)
    .option("--force", HELP.force, false)
    .addHelpText("after", examples(...HELP.examples))
    .action(async (initOptions: InitOptions) =>
      run(async ({ terminal, options }) => {
        const { initProject } = await import("../init/init-project.ts");
        const { printInit } = await import("../init/print-init.ts");
        printInit(terminal, options, await initProject(terminal, initOptions));
        return EXIT.ok;
      }),
    );
};
