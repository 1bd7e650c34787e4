import { rm } from "node:fs/promises";
import { type ApprovalOutcome, approve } from "../baselines/approve.ts";
import { describeApproval } from "../baselines/approve-with-options.ts";
import { CheckFolder } from "../check/check-folder.ts";
import type { CommandContext } from "../commands/command.ts";
import { loadConfigOrDefault } from "../config/load-config.ts";
import { toJson } from "../terminal.ts";
import { readNaming } from "./read-naming.ts";
import { runScreenshotCheck } from "./run-screenshot-check.ts";
import { requireSetName } from "./set-name.ts";

/**
 * Makes the image files of another tool the baselines: checks them, and approves everything that the check finds. Other
 * baselines stay.
 * @throws CommandError as `runScreenshotCheck` and `approve`
 */
export async function importBaselines(
  { terminal, options }: CommandContext,
  folder: string,
  flags: { from: string; name?: string; dryRun: boolean; config?: string },
): Promise<ApprovalOutcome> {
  const naming = readNaming(flags.from);
  const name = requireSetName(flags.name);
  const loaded = await loadConfigOrDefault(terminal, flags.config);
  // The files in the folder are replaced, whatever branch the checks compare with.
  const baselines = { directory: loaded.config.baselines.directory };
  const configuration = { ...loaded, config: { ...loaded.config, baselines } };
  // The last check stays, and `vrs approve` approves that one.
  const checked = new CheckFolder(loaded.root, `import-${process.pid}`);
  try {
    const result = await runScreenshotCheck({
      ...{ ...configuration, terminal, folder: checked, report: false },
      screenshots: { patterns: [folder], name, naming, subset: true },
    });
    const { signal } = terminal;
    const filter = { minor: true };
    const outcome = await approve({ ...configuration, filter, result, dryRun: flags.dryRun, signal });
    if (options.json) terminal.out(`${toJson(outcome)}\n`);
    else if (!options.quiet) terminal.out(describeApproval(outcome));
    return outcome;
  } finally {
    // A scanner may hold a new file for a moment. The import is done all the same.
    await rm(checked.path, { recursive: true, force: true, maxRetries: 5 }).catch(() => {});
  }
}
