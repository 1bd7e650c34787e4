import { EXIT, toJson } from "../terminal.ts";
import { REPORT_HELP as HELP } from "../texts/help.ts";
import { type AddCommand, examples } from "./command.ts";

export const addReport: AddCommand = (program, run) => {
  program
    .command("report")
    .summary(HELP.summary)
    .description(HELP.description)
    .option("--path", HELP.path, false)
    .addHelpText("after", examples(...HELP.examples))
    .action(async ({ path }: { path: boolean }) =>
      run(async ({ terminal, options }) => {
        const { lastReport } = await import("../output/last-result.ts");
        const { openFile } = await import("../output/open-file.ts");
        const { result, report } = await lastReport(terminal.cwd);
        if (options.json) {
          const { conclusion, counts, startedAt } = result;
          terminal.out(`${toJson({ report, conclusion, counts, startedAt })}\n`);
        } else if (path || !terminal.isInteractive || !(await openFile(report, terminal.env))) {
          terminal.out(`${report}\n`);
        } else if (!options.quiet) terminal.out(`${HELP.opened(report)}\n`);
        return EXIT.ok;
      }),
    );
};
