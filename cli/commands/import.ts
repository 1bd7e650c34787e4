import { EXIT } from "../terminal.ts";
import { CHECK_HELP, IMPORT_HELP as HELP } from "../texts/help.ts";
import { type AddCommand, examples } from "./command.ts";

/** `vrs import` */
export const addImport: AddCommand = (program, run) => {
  program
    .command("import")
    .summary(HELP.summary)
    .description(HELP.description)
    .argument("<folder>", HELP.folder)
    .requiredOption("--from <tool>", HELP.from)
    .option("--name <name>", HELP.name)
    .option("--dry-run", HELP.dryRun, false)
    .option("-c, --config <file>", CHECK_HELP.config)
    .addHelpText("after", examples(...HELP.examples))
    .action((folder: string, flags: { from: string; name?: string; dryRun: boolean; config?: string }) =>
      run(async context => {
        const { importBaselines } = await import("../screenshots/import-baselines.ts");
        const { failed } = await importBaselines(context, folder, flags);
        return failed.length > 0 ? EXIT.error : EXIT.ok;
      }),
    );
};
