import { EXIT } from "../terminal.ts";
import type { AddCommand } from "./command.ts";
import { examples } from "./examples.ts";

export const addDoctor: AddCommand = (program, run) => {
  program
    .command("doctor")
    .summary("Look for what may be wrong here")
    .description(
      "Looks at the browser, fonts, configuration, application, baselines and service, and says how to mend what is wrong. Exits with 2 when a check could not be done here.",
    )
    .option("-c, --config <file>", "configuration; default the nearest service.config.ts")
    .addHelpText(
      "after",
      examples(["vrs doctor", "looks at everything"], ["vrs doctor --json", "the same for a script"]),
    )
    .action(async ({ config }: { config?: string }) =>
      run(async ({ terminal, options }) => {
        const { examine } = await import("../doctor/examine.ts");
        const { findingLines, verdictOf } = await import("../doctor/tell-findings.ts");
        const shows = !options.json;
        const findings = await examine(terminal, config, finding => {
          if (shows && !(options.quiet && finding.state === "ok"))
            terminal.out(`${findingLines(terminal, finding).join("\n")}\n`);
        });
        if (options.json) terminal.out(`${JSON.stringify({ findings }, null, 2)}\n`);
        else if (!options.quiet) terminal.out(`\n${verdictOf(terminal, findings)}\n`);
        return findings.some(({ state }) => state === "fault") ? EXIT.error : EXIT.ok;
      }),
    );
};
