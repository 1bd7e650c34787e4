import { visibleLine } from "../../shared/text/visible-text.ts";
import type { RunFlags } from "../cloud/run-body.ts";
import { readMinutes } from "../read-minutes.ts";
import { EXIT, type ExitCode } from "../terminal.ts";
import type { AddCommand, CommandContext } from "./command.ts";
import { examples } from "./examples.ts";
import { texts } from "./option-values.ts";

interface Flags extends RunFlags {
  config?: string;
  wait: boolean;
  timeout: string;
}

/** A day: no run lasts that long. */
const MOST_MINUTES = 1440;

export const addRun: AddCommand = (program, run) => {
  program
    .command("run")
    .summary("Have a deployment checked by the service")
    .description(
      "Asks the service to check a deployment, and waits for the outcome. Exits with 1 when something changed, is new or was rejected, with 2 when the run failed. The same commit at the same address is the same run, however often it is asked for.",
    )
    .option("-u, --url <url>", "address of the deployment (default: the config's baseUrl)")
    .option("--routes <paths>", "comma-separated pages (default: the config's, else /)", texts)
    .option("--viewports <widths>", "comma-separated widths, px (default: the config's, else 1280)", texts)
    .option(
      "--threshold <fraction>",
      "share of a page's pixels that may differ, 0 to 1 (default: the config's, else 0.01)",
    )
    .option("--project <name>", "namespace of the baselines (default: the config's, else owner/repo)")
    .option("--branch <name>", "branch (default: that of CI or git)")
    .option("--rerun", "run again, although this commit was run before", false)
    .option("--no-wait", "ask for the run, and exit")
    .option("--timeout <minutes>", "wait that long at most", "60")
    .option("-c, --config <file>", "the configuration (default: the nearest service.config.ts)")
    .addHelpText(
      "after",
      examples(
        ["vrs run --url https://preview.example.com", "checks a preview, and waits"],
        ["vrs run --url $PREVIEW --routes /,/pricing --no-wait", "asks for it, and goes on"],
        ["SERVICE_API_URL=… SERVICE_API_KEY=… vrs run", "as CI does, without vrs login"],
      ),
    )
    .action(async (flags: Flags) => run(context => submit(context, flags)));
};

async function submit({ terminal, options }: CommandContext, flags: Flags): Promise<ExitCode> {
  const timeoutMs = readMinutes(flags.timeout, "--timeout", { minutes: MOST_MINUTES }) * 60_000;
  const { loadConfigIfThere } = await import("../config/load-if-there.ts");
  const { readAccess } = await import("../cloud/access.ts");
  const { readCommit } = await import("../cloud/commit.ts");
  const { runBody } = await import("../cloud/run-body.ts");
  const { exitCodeOf, submitRun, waitForRun } = await import("../cloud/submit-and-wait.ts");
  const { showRunProgress, tellRun } = await import("../cloud/tell-cloud-run.ts");
  const loaded = await loadConfigIfThere(terminal, flags.config);
  const body = runBody(flags, loaded?.config ?? null, await readCommit(terminal));
  const access = await readAccess(terminal);
  const isSilent = options.quiet || options.json;
  const progress = showRunProgress(terminal, { quiet: isSilent });
  const { signal } = terminal;
  const submitted = await submitRun(access, body, { signal, ...progress });
  if (!isSilent) {
    const known = submitted.deduplicated ? " (this commit was asked for before)" : "";
    terminal.err(`Run ${visibleLine(submitted.id)} of ${visibleLine(body.url)}${known}\n`);
  }
  if (!flags.wait) {
    terminal.out(
      options.json
        ? `${JSON.stringify({ run: submitted }, null, 2)}\n`
        : `${visibleLine(submitted.links.report)}\n`,
    );
    return EXIT.ok;
  }
  const ended = await waitForRun(access, submitted, { signal, timeoutMs, ...progress }).finally(progress.end);
  if (options.json) terminal.out(`${JSON.stringify(ended, null, 2)}\n`);
  else tellRun(terminal, ended, options);
  return exitCodeOf(ended.run);
}
