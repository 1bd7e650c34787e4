import type { ApproveOptions } from "../baselines/approve-with-options.ts";
import { EXIT } from "../terminal.ts";
import type { AddCommand } from "./command.ts";
import { examples } from "./examples.ts";
import { list, wholeNumber } from "./option-values.ts";

const EXAMPLES = examples(
  ["vrs approve", "all that the last check found"],
  ['vrs approve /pricing "/blog/**"', "these routes only"],
  ["vrs approve --width 375", "this width only"],
  ["vrs approve --group 4be1", "one change, on all pages that have it"],
  ["vrs approve --minor", "the minor changes too"],
  ["vrs approve --dry-run", "says what would be done"],
);

/** `vrs approve` */
export const addApprove: AddCommand = (program, run) => {
  program
    .command("approve")
    .summary("Make the last check's screenshots the baselines")
    .description(
      "Makes the last check's screenshots the baselines: those that are changed, new or removed, and with --minor the minor changes. Commit what it wrote.",
    )
    .argument("[routes...]", "routes, or globs of them; all by default")
    .option("-c, --config <file>", "configuration; default the nearest service.config.ts")
    .option("--width <px>", "these widths only", list(wholeNumber))
    .option("--group <fingerprint>", "this change only, by its fingerprint or the beginning of it")
    .option("--minor", "also approve minor changes, which are within the threshold")
    .option("--dry-run", "say what would be done, and do nothing")
    .option(
      "--force",
      "although the check was of another commit or configuration, or a baseline has moved since",
    )
    .addHelpText("after", EXAMPLES)
    .action((routes: string[], options: ApproveOptions) =>
      run(async ({ terminal, options: global }) => {
        const { approveWithOptions } = await import("../baselines/approve-with-options.ts");
        await approveWithOptions(terminal, global, routes, options);
        return EXIT.ok;
      }),
    );
};
