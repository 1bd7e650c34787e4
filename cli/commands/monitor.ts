import { Option } from "commander";
import type { MonitorFlags } from "../monitor/monitor-plan.ts";
import { readMinutes } from "../read-minutes.ts";
import { CommandError, EXIT, type ExitCode } from "../terminal.ts";
import type { AddCommand, CommandContext } from "./command.ts";
import { examples } from "./examples.ts";
import { texts, wholeNumber } from "./option-values.ts";

interface Flags extends MonitorFlags {
  config?: string;
  interval?: string;
  watch: boolean;
  history: boolean;
  limit: number;
  accept: boolean;
  prune?: string;
}

/** A week: the bound of the service's monitors. */
const MOST_MINUTES = 10_080;

export const addMonitor: AddCommand = (program, run) => {
  program
    .command("monitor")
    .summary("Watch live pages, and be told when they drift")
    .description(
      "Looks at live pages and compares each with how it was when it was first looked at. Exits with 1 when one differs by more than the threshold, with 2 when one is down. No server is needed: the history is a folder.",
    )
    .option(
      "-u, --url <urls>",
      "comma-separated URLs to watch (default: those of the config's monitor plugin)",
      texts,
    )
    .option(
      "-t, --threshold <n>",
      "alert when more than this percentage of a page differs, 0 to 100 (default: the plugin's, else 5)",
    )
    .option(
      "--webhook <url>",
      "tell this address: Slack, Discord, Teams, Google Chat, or any that takes JSON (default: the plugin's)",
    )
    .option("--interval <minutes>", "daemon: look every so many minutes until stopped")
    .option("--watch", "look in a loop while you work, every two seconds", false)
    .option("--history", "print what earlier looks found, and exit", false)
    .option("--limit <n>", "entries of the history that are printed", wholeNumber, 20)
    .option(
      "--history-dir <dir>",
      "folder of the history (default: the plugin's, else .service/monitor-history)",
    )
    .option("--viewports <widths>", "comma-separated widths, px (default: the config's, else 1280)", texts)
    .option("--accept", "take what the pages look like now as the baseline", false)
    .option(
      "--prune <keep>",
      "drop older history: keep 30d (or 12h, 4w), or the newest 500 of each URL; without --interval or --watch nothing is looked at",
    )
    .addOption(
      new Option("-c, --config <file>", "the configuration (default: the nearest service.config.ts)"),
    )
    .addHelpText(
      "after",
      examples(
        ["vrs monitor -u https://example.com/", "first establishes the baseline, then compares"],
        ["vrs monitor -u https://example.com/ --interval 15 --webhook $HOOK", "watches and tells a chat"],
        ["vrs monitor -u http://localhost:3000/ --watch -t 0", "says at once what a change of yours moves"],
        ["vrs monitor --history --limit 50", "prints what was found"],
        ["vrs monitor --accept", "makes a new look the baseline"],
      ),
    )
    .action(async (flags: Flags) => run(context => monitor(context, flags)));
};

async function monitor(context: CommandContext, flags: Flags): Promise<ExitCode> {
  const { terminal } = context;
  refuseMixtures(flags);
  const { loadConfigIfThere } = await import("../config/load-if-there.ts");
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
      : readMinutes(flags.interval, "--interval", { minutes: MOST_MINUTES, words: "a week" });
  const { monitorAlways, monitorOnce } = await import("../monitor/monitor-modes.ts");
  const { browserPlace } = await import("../browser-place.ts");
  const browser = browserPlace(terminal.env, loaded?.root ?? terminal.cwd, loaded?.config.browser.path);
  const concurrency = loaded?.config.concurrency ?? null;
  const options = { plan, browser, concurrency, accepts: flags.accept, prune };
  if (flags.watch) return monitorAlways(context, options, "watch");
  if (minutes !== null) return monitorAlways(context, options, { intervalMinutes: minutes });
  return monitorOnce(context, options);
}

function refuseMixtures({ watch, history, interval, prune, accept, webhook, threshold }: Flags): void {
  const modes = [watch && "--watch", interval !== undefined && "--interval", history && "--history"].filter(
    mode => mode !== false,
  );
  if (modes.length > 1)
    throw new CommandError("usage", `${modes.join(" and ")} do not go together: choose one.`);
  if (history && prune !== undefined)
    throw new CommandError("usage", "--history and --prune do not go together: prune first.");
  const ofLooks = [
    accept && "--accept",
    webhook !== undefined && "--webhook",
    threshold !== undefined && "--threshold",
  ].find(option => option !== false);
  if (prune !== undefined && !watch && interval === undefined && ofLooks !== undefined)
    throw new CommandError(
      "usage",
      `--prune without --interval or --watch looks at nothing, which ${ofLooks} is for: leave one of them out.`,
    );
  if (history && accept) throw new CommandError("usage", "--history only prints; leave out --accept.");
}
