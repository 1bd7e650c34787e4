import type { MonitorFlags } from "../monitor/monitor-plan.ts";
import { CommandError, EXIT, type ExitCode } from "../terminal.ts";
import { OPTION_ERRORS } from "../texts/errors.ts";
import { MONITOR_HELP as HELP } from "../texts/help.ts";
import { MONITOR_ERRORS } from "../texts/monitor.ts";
import { type AddCommand, type CommandContext, examples } from "./command.ts";
import { readMinutes, texts, wholeNumber } from "./option-values.ts";

interface Flags extends MonitorFlags {
  config?: string;
  interval?: string;
  watch: boolean;
  history: boolean;
  historyChangesOnly: boolean;
  limit: number;
  accept: boolean;
  prune?: string;
}

/** A week, as for monitors of the service. */
const MOST_MINUTES = 10_080;

export const addMonitor: AddCommand = (program, run) => {
  program
    .command("monitor")
    .summary(HELP.summary)
    .description(HELP.description)
    .option("-u, --url <urls>", HELP.url, texts)
    .option("-t, --threshold <n>", HELP.threshold)
    .option("--webhook <url>", HELP.webhook)
    .option("--interval <minutes>", HELP.interval)
    .option("--watch", HELP.watch, false)
    .option("--history", HELP.history, false)
    .option("--limit <n>", HELP.limit, wholeNumber, 20)
    .option("--history-dir <dir>", HELP.historyDir)
    .option("--history-changes-only", HELP.historyChangesOnly, false)
    .option("--viewports <widths>", HELP.viewports, texts)
    .option("--accept", HELP.accept, false)
    .option("--prune <keep>", HELP.prune)
    .option("-c, --config <file>", HELP.config)
    .addHelpText("after", examples(...HELP.examples))
    .action(async (flags: Flags) => run(context => monitor(context, flags)));
};

async function monitor(context: CommandContext, flags: Flags): Promise<ExitCode> {
  const { terminal } = context;
  refuseMixtures(flags);
  const { loadConfigIfThere } = await import("../config/load-config.ts");
  const { pruneRule } = await import("../monitor/prune-rule.ts");
  const loaded = await loadConfigIfThere(terminal, flags.config);
  const prune = flags.prune === undefined ? null : pruneRule(flags.prune);
  const repeats = flags.watch || flags.interval !== undefined;
  if (flags.history || (prune && !repeats)) {
    const { printHistory, pruneOnce } = await import("../monitor/history-modes.ts");
    if (flags.history) return printHistory(context, flags, loaded, flags.limit);
    return prune ? pruneOnce(context, flags, loaded, prune(new Date())) : EXIT.ok;
  }
  const { planMonitor } = await import("../monitor/monitor-plan.ts");
  const plan = planMonitor(flags, loaded, terminal.cwd);
  const minutes =
    flags.interval === undefined
      ? null
      : readMinutes(flags.interval, "--interval", { minutes: MOST_MINUTES, words: OPTION_ERRORS.aWeek });
  const { monitorAlways, monitorOnce } = await import("../monitor/monitor-modes.ts");
  const { readLogins } = await import("../check/read-logins.ts");
  const root = loaded?.root ?? terminal.cwd;
  const visits = plan.targets.flatMap(target => target.visits);
  const logins = await readLogins(visits, { sessions: loaded?.config.sessions, root, env: terminal.env });
  const { browserLocation } = await import("../browser-location.ts");
  const browser = browserLocation(terminal.env, root, loaded?.config.browser.path);
  const keepsChangesOnly = flags.historyChangesOnly;
  const concurrency = loaded?.config.concurrency ?? null;
  const options = { plan, logins, browser, concurrency, accepts: flags.accept, keepsChangesOnly, prune };
  if (flags.watch) return monitorAlways(context, options, "watch");
  if (minutes !== null) return monitorAlways(context, options, { intervalMinutes: minutes });
  return monitorOnce(context, options);
}

function refuseMixtures({
  watch,
  history,
  interval,
  prune,
  accept,
  historyChangesOnly,
  webhook,
  threshold,
}: Flags): void {
  const modes = [watch && "--watch", interval !== undefined && "--interval", history && "--history"].filter(
    mode => mode !== false,
  );
  if (modes.length > 1) throw new CommandError("usage", MONITOR_ERRORS.oneMode(modes));
  if (history && prune !== undefined) throw new CommandError("usage", MONITOR_ERRORS.historyAndPrune);
  const ofChecks = [
    accept && "--accept",
    historyChangesOnly && "--history-changes-only",
    webhook !== undefined && "--webhook",
    threshold !== undefined && "--threshold",
  ].find(option => option !== false);
  if (prune !== undefined && !watch && interval === undefined && ofChecks !== undefined)
    throw new CommandError("usage", MONITOR_ERRORS.pruneAlone(ofChecks));
  const stored = [accept && "--accept", historyChangesOnly && "--history-changes-only"].find(
    option => option !== false,
  );
  if (history && stored !== undefined) throw new CommandError("usage", MONITOR_ERRORS.historyOnly(stored));
}
