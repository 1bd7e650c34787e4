import { Option } from "commander";
import type { CheckOptions } from "../check/check-with-options.ts";
import { EXIT } from "../terminal.ts";
import type { AddCommand } from "./command.ts";
import { examples } from "./examples.ts";
import { list, seconds, wholeNumber } from "./option-values.ts";

const EXAMPLES = examples(
  ["vrs check", "all pages of service.config.ts"],
  ['vrs check /pricing "/blog/**"', "these routes only"],
  ["vrs check --width 375,1440", "these widths only"],
  ['vrs check --start "npm run dev"', "starts the application, and ends it after"],
  ["vrs check --url https://staging.example", "the pages at another address"],
);

/** `vrs check` */
export const addCheck: AddCommand = (program, run) => {
  program
    .command("check")
    .summary("Compare the pages with their baselines")
    .description(
      "Captures the pages of the configuration and compares them with the baselines in the repository. " +
        "Baselines are not touched: see `vrs approve`. Exits with 0 when nothing differs, 1 when something is changed, new or " +
        "removed, 2 when it could not be done.",
    )
    .argument("[routes...]", "routes, or globs of them; all by default")
    .option("-c, --config <file>", "configuration; default the nearest service.config.ts")
    .addOption(
      new Option("--url <address>", "address of the application instead of baseUrl, as with VRS_URL").env(
        "VRS_URL",
      ),
    )
    .option("--start <command>", "command that starts the application")
    .option("--start-timeout <seconds>", "how long it may take to answer; default 60", seconds)
    .option("--width <px>", "these widths only", list(wholeNumber))
    .option("--branch <name>", "compare with the baselines of a branch, tag or commit")
    .option("--concurrency <n>", "pages at once; default the number of cores", wholeNumber)
    .option("--no-report", "write no HTML report")
    .option("--junit <file>", "write the result as a JUnit file, too")
    .option("-o, --output <file>", "write the result as JSON, too")
    .addHelpText("after", EXAMPLES)
    .action((routes: string[], options: CheckOptions) =>
      run(async ({ terminal, options: global }) => {
        const { checkWithOptions } = await import("../check/check-with-options.ts");
        const result = await checkWithOptions(terminal, global, routes, options);
        return result === "failed" ? EXIT.error : result === "changed" ? EXIT.changed : EXIT.ok;
      }),
    );
};
