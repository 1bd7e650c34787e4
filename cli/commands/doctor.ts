import { EXIT, toJson } from "../terminal.ts";
import { DOCTOR_HELP as HELP } from "../texts/help.ts";
import { type AddCommand, examples } from "./command.ts";

export const addDoctor: AddCommand = (program, run) => {
  program
    .command("doctor")
    .summary(HELP.summary)
    .description(HELP.description)
    .option("-c, --config <file>", HELP.config)
    .addHelpText("after", examples(...HELP.examples))
    .action(async ({ config }: { config?: string }) =>
      run(async ({ terminal, options }) => {
        const { examine } = await import("../doctor/examine.ts");
        const { findingLines, summarizeFindings } = await import("../doctor/print-findings.ts");
        const shows = !options.json;
        const findings = await examine(terminal, config, finding => {
          if (shows && !(options.quiet && finding.state === "ok"))
            terminal.out(`${findingLines(terminal, finding).join("\n")}\n`);
        });
        if (options.json) terminal.out(`${toJson({ findings })}\n`);
        else if (!options.quiet) terminal.out(`\n${summarizeFindings(terminal, findings)}\n`);
        return findings.some(({ state }) => state === "fault") ? EXIT.error : EXIT.ok;
      }),
    );
};
