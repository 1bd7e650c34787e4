import type { ImportFlags } from "../cloud/transfer-team.ts";
import { EXIT } from "../terminal.ts";
import { CHECK_HELP, IMPORT_HELP as HELP } from "../texts/help.ts";
import { type AddCommand, examples } from "./command.ts";

/** Of another tool's baselines, or of a team. */
type Flags = ImportFlags & { from: string; name?: string; dryRun: boolean; config?: string };

/** `vrs import` */
export const addImport: AddCommand = (program, run) => {
  program
    .command("import")
    .summary(HELP.summary)
    .description(HELP.description)
    .argument("<folder>", HELP.folder)
    .requiredOption("--from <tool>", HELP.from)
    .option("--name <name>", HELP.name)
    .option("--existing <choice>", HELP.existing)
    .option("--settings", HELP.settings)
    .option("--members", HELP.members)
    .option("--team <id>", HELP.team)
    .option("--dry-run", HELP.dryRun, false)
    .option("-c, --config <file>", CHECK_HELP.config)
    .addHelpText("after", examples(...HELP.examples))
    .action((folder: string, flags: Flags) =>
      run(async context => {
        if (flags.from === "vrs") {
          const { importTeam } = await import("../cloud/transfer-team.ts");
          return await importTeam(context, folder, flags);
        }
        const { importBaselines } = await import("../screenshots/import-baselines.ts");
        const { failed } = await importBaselines(context, folder, flags);
        return failed.length > 0 ? EXIT.error : EXIT.ok;
      }),
    );
};
