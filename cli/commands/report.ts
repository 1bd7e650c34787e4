import { EXIT } from "../terminal.ts";
import type { AddCommand } from "./command.ts";
import { examples } from "./examples.ts";

export const addReport: AddCommand = (program, run) => {
  program
    .command("report")
    .summary("Open the report of the last check")
    .description(
      "Opens the report of the last check in the browser. Without a terminal, or with --path, prints where it is.",
    )
    .option("--path", "print the path, and open nothing", false)
    .addHelpText(
      "after",
      examples(
        ["vrs report", "opens it"],
        ["tar czf report.tgz .service", "takes it elsewhere, with the images of its pages"],
      ),
    )
    .action(async ({ path }: { path: boolean }) =>
      run(async ({ terminal, options }) => {
        const { lastReport } = await import("../output/last-result.ts");
        const { openFile } = await import("../output/open-file.ts");
        const { result, report } = await lastReport(terminal.cwd);
        if (options.json) {
          const { conclusion, counts, startedAt } = result;
          terminal.out(`${JSON.stringify({ report, conclusion, counts, startedAt }, null, 2)}\n`);
        } else if (path || !terminal.isInteractive || !(await openFile(report, terminal.env))) {
          terminal.out(`${report}\n`);
        } else if (!options.quiet) terminal.out(`Opened ${report}\n`);
        return EXIT.ok;
      }),
    );
};
