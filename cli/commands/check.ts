import { Option } from "commander";
import type { CheckOptions } from "../check/check-with-options.ts";
import { EXIT } from "../terminal.ts";
import { CHECK_HELP as HELP } from "../texts/help.ts";
import { type AddCommand, examples } from "./command.ts";
import { collected, list, seconds, texts, wholeNumber } from "./option-values.ts";

/** `vrs check` */
export const addCheck: AddCommand = (program, run) => {
  program
    .command("check")
    .summary(HELP.summary)
    .description(HELP.description)
    .argument("[routes...]", HELP.routes)
    .option("-c, --config <file>", HELP.config)
    .addOption(new Option("--url <address>", HELP.url).env("VRS_URL"))
    .option("--start <command>", HELP.start)
    .option("--start-timeout <seconds>", HELP.startTimeout, seconds)
    .option("--screenshots <folder>", HELP.screenshots, collected)
    .option("--name <name>", HELP.name)
    .option("--naming <tool>", HELP.naming)
    .option("--subset", HELP.subset)
    .option("--threshold <fraction>", HELP.threshold)
    .option("--width <px>", HELP.width, list(wholeNumber))
    .option("--env <name>", HELP.env, texts)
    .option("--branch <name>", HELP.branch)
    .option("--concurrency <n>", HELP.concurrency, wholeNumber)
    .option("--record-har", HELP.recordHar)
    .option("--prove", HELP.prove)
    .option("--watch", HELP.watch)
    .option("--no-report", HELP.noReport)
    .option("--junit <file>", HELP.junit)
    .option("-o, --output <file>", HELP.output)
    .addHelpText("after", examples(...HELP.examples))
    .action((routes: string[], options: CheckOptions) =>
      run(async ({ terminal, options: global }) => {
        if (options.watch) {
          const { watchCheck } = await import("../check/watch-check.ts");
          return await watchCheck(terminal, global, routes, options);
        }
        const { checkWithOptions } = await import("../check/check-with-options.ts");
        const result = await checkWithOptions(terminal, global, routes, options);
        return result === "failed" ? EXIT.error : result === "changed" ? EXIT.changed : EXIT.ok;
      }),
    );
};
