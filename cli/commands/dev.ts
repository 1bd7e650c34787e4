import type { DevFlags } from "../review-server/run-dev.ts";
import { CHECK_HELP, DEV_HELP as HELP } from "../texts/help.ts";
import { type AddCommand, examples } from "./command.ts";

/** `vrs dev` */
export const addDev: AddCommand = (program, run) => {
  program
    .command("dev")
    .summary(HELP.summary)
    .description(HELP.description)
    .option("-c, --config <file>", CHECK_HELP.config)
    .option("--name <name>", HELP.name)
    .option("--branch <name>", CHECK_HELP.branch)
    .option("--threshold <fraction>", HELP.threshold)
    .option("--port <number>", HELP.port)
    .option("--no-open", HELP.noOpen)
    .addHelpText("after", examples(...HELP.examples))
    .action((flags: DevFlags) =>
      run(async context => {
        const { runDev } = await import("../review-server/run-dev.ts");
        return await runDev(context, flags);
      }),
    );
};
