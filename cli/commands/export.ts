import { EXPORT_HELP as HELP } from "../texts/help-service.ts";
import { type AddCommand, examples } from "./command.ts";

/** `vrs export` */
export const addExport: AddCommand = (program, run) => {
  program
    .command("export")
    .summary(HELP.summary)
    .description(HELP.description)
    .argument("<file>", HELP.file)
    .option("--team <id>", HELP.team)
    .option("--force", HELP.force, false)
    .addHelpText("after", examples(...HELP.examples))
    .action((file: string, flags: { team?: string; force: boolean }) =>
      run(async context => {
        const { exportTeam } = await import("../cloud/transfer-team.ts");
        return await exportTeam(context, file, flags);
      }),
    );
};
