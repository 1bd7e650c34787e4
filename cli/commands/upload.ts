import { CHECK_HELP } from "../texts/help.ts";
import { UPLOAD_HELP as HELP, RUN_HELP } from "../texts/help-service.ts";
import type { UploadFlags } from "../upload/upload-with-options.ts";
import { type AddCommand, examples } from "./command.ts";

/** `vrs upload` */
export const addUpload: AddCommand = (program, run) => {
  program
    .command("upload")
    .summary(HELP.summary)
    .description(HELP.description)
    .argument("<files...>", HELP.files)
    .option("--name <name>", HELP.name)
    .option("--naming <tool>", CHECK_HELP.naming)
    .option("--subset", HELP.subset, false)
    .option("--parallel <position>", HELP.parallel)
    .option("--nonce <text>", HELP.nonce)
    .option("--threshold <fraction>", RUN_HELP.threshold)
    .option("--project <name>", RUN_HELP.project)
    .option("--branch <name>", RUN_HELP.branch)
    .option("-u, --url <url>", HELP.url)
    .option("--dry-run", HELP.dryRun, false)
    .option("--no-wait", HELP.noWait)
    .option("--timeout <minutes>", RUN_HELP.timeout, "60")
    .option("-c, --config <file>", RUN_HELP.config)
    .addHelpText("after", examples(...HELP.examples))
    .action((files: string[], flags: UploadFlags) =>
      run(async context => {
        const { uploadWithOptions } = await import("../upload/upload-with-options.ts");
        return await uploadWithOptions(context, files, flags);
      }),
    );
};
