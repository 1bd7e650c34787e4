import { visibleLine } from "../../shared/text/visible-text.ts";
import type { RunFlags } from "../cloud/run-body.ts";
import { EXIT, type ExitCode, toJson } from "../terminal.ts";
import { RUN_TEXTS } from "../texts/cloud.ts";
import { RUN_HELP as HELP } from "../texts/help.ts";
import { type AddCommand, type CommandContext, examples } from "./command.ts";
import { readMinutes, texts } from "./option-values.ts";

interface Flags extends RunFlags {
  config?: string;
  wait: boolean;
  timeout: string;
}

/** A day. No run takes that long. */
const MOST_MINUTES = 1440;

export const addRun: AddCommand = (program, run) => {
  program
    .command("run")
    .summary(HELP.summary)
    .description(HELP.description)
    .option("-u, --url <url>", HELP.url)
    .option("--routes <paths>", HELP.routes, texts)
    .option("--viewports <widths>", HELP.viewports, texts)
    .option("--threshold <fraction>", HELP.threshold)
    .option("--project <name>", HELP.project)
    .option("--branch <name>", HELP.branch)
    .option("--rerun", HELP.rerun, false)
    .option("--no-wait", HELP.noWait)
    .option("--timeout <minutes>", HELP.timeout, "60")
    .option("-c, --config <file>", HELP.config)
    .addHelpText("after", examples(...HELP.examples))
    .action(async (flags: Flags) => run(context => submit(context, flags)));
};

async function submit({ terminal, options }: CommandContext, flags: Flags): Promise<ExitCode> {
  const timeoutMs = readMinutes(flags.timeout, "--timeout", { minutes: MOST_MINUTES }) * 60_000;
  const { loadConfigIfThere } = await import("../config/load-config.ts");
  const { withFileBodies } = await import("../config/rule-files.ts");
  const { readAccess } = await import("../cloud/access.ts");
  const { readCommit } = await import("../cloud/commit.ts");
  const { runBody } = await import("../cloud/run-body.ts");
  const { exitCodeOf, submitRun, waitForRun } = await import("../cloud/submit-and-wait.ts");
  const { showRunProgress, printRun } = await import("../cloud/print-run.ts");
  const loaded = await loadConfigIfThere(terminal, flags.config);
  const config = loaded && (await withFileBodies(loaded));
  const body = runBody(flags, config, await readCommit(terminal));
  const access = await readAccess(terminal);
  const isQuiet = options.quiet || options.json;
  const progress = showRunProgress(terminal, { quiet: isQuiet });
  const { signal } = terminal;
  const submitted = await submitRun(access, body, { signal, ...progress });
  if (!isQuiet) {
    const { id, deduplicated } = submitted;
    terminal.err(`${RUN_TEXTS.submitted(visibleLine(id), visibleLine(body.url), deduplicated === true)}\n`);
  }
  if (!flags.wait) {
    terminal.out(
      options.json ? `${toJson({ run: submitted })}\n` : `${visibleLine(submitted.links.report)}\n`,
    );
    return EXIT.ok;
  }
  const ended = await waitForRun(access, submitted, { signal, timeoutMs, ...progress }).finally(progress.end);
  if (options.json) terminal.out(`${toJson(ended)}\n`);
  else printRun(terminal, ended, options);
  return exitCodeOf(ended.run);
}
