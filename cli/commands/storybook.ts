import type { StorybookOptions } from "../storybook/storybook-with-options.ts";
import { EXIT } from "../terminal.ts";
import { STORYBOOK_HELP as HELP } from "../texts/help.ts";
import { type AddCommand, examples } from "./command.ts";
import { collected, list, texts, wholeNumber } from "./option-values.ts";

/** `vrs storybook` */
export const addStorybook: AddCommand = (program, run) => {
  program
    .command("storybook")
    .summary(HELP.summary)
    .description(HELP.description)
    .argument("[folder-or-url]", HELP.where)
    .option("--build [script]", HELP.build)
    .option("--story <name>", HELP.story, collected)
    .option("--tags <tags>", HELP.tags, texts)
    .option("--only-changed", HELP.onlyChanged)
    .option("--no-only-changed", HELP.notOnlyChanged)
    .option("-c, --config <file>", HELP.config)
    .option("--name <name>", HELP.name)
    .option("--viewports <widths>", HELP.viewports, texts)
    .option("--threshold <fraction>", HELP.threshold)
    .option("--width <px>", HELP.width, list(wholeNumber))
    .option("--env <name>", HELP.env, texts)
    .option("--branch <name>", HELP.branch)
    .option("--concurrency <n>", HELP.concurrency, wholeNumber)
    .option("--no-report", HELP.noReport)
    .option("--junit <file>", HELP.junit)
    .option("-o, --output <file>", HELP.output)
    .addHelpText("after", examples(...HELP.examples))
    .action((where: string | undefined, options: StorybookOptions) =>
      run(async ({ terminal, options: global }) => {
        const { storybookWithOptions } = await import("../storybook/storybook-with-options.ts");
        const result = await storybookWithOptions(terminal, global, where, options);
        return result === "failed" ? EXIT.error : result === "changed" ? EXIT.changed : EXIT.ok;
      }),
    );
};
