import type { ApproveOptions } from "../baselines/approve-with-options.ts";
import { EXIT } from "../terminal.ts";
import { APPROVE_HELP as HELP } from "../texts/help.ts";
import { type AddCommand, examples } from "./command.ts";
import { list, texts, wholeNumber } from "./option-values.ts";

/** `vrs approve` */
export const addApprove: AddCommand = (program, run) => {
  program
    .command("approve")
    .summary(HELP.summary)
    .description(HELP.description)
    .argument("[routes...]", HELP.routes)
    .option("-c, --config <file>", HELP.config)
    .option("--width <px>", HELP.width, list(wholeNumber))
    .option("--env <name>", HELP.env, texts)
    .option("--group <fingerprint>", HELP.group)
    .option("--minor", HELP.minor)
    .option("--dry-run", HELP.dryRun)
    .option("--force", HELP.force)
    .addHelpText("after", examples(...HELP.examples))
    .action((routes: string[], options: ApproveOptions) =>
      run(async ({ terminal, options: global }) => {
        const { approveWithOptions } = await import("../baselines/approve-with-options.ts");
        await approveWithOptions(terminal, global, routes, options);
        return EXIT.ok;
      }),
    );
};
