import { isPageUrl } from "../../shared/contracts/http.ts";
import type { GlobalOptions } from "../commands/command.ts";
import { loadConfig } from "../config/load-config.ts";
import { CommandError, type Terminal } from "../terminal.ts";
import type { CheckConclusion, CheckEvent, CheckedShot, CheckResult } from "./check-result.ts";
import { runCheck } from "./run-check.ts";

/** What the command's options say. */
export interface CheckOptions {
  config?: string;
  url?: string;
  start?: string;
  /** ms */
  startTimeout?: number;
  width?: number[];
  branch?: string;
  concurrency?: number;
  report: boolean;
}

/** Runs a check as the command line asks for it, and says what it does and finds. @throws CommandError */
export async function checkWithOptions(
  terminal: Terminal,
  { json, quiet, verbose }: GlobalOptions,
  routes: string[],
  options: CheckOptions,
): Promise<CheckConclusion> {
  const { url, start, startTimeout: timeoutMs, width: widths, branch, concurrency, report } = options;
  if (url !== undefined && !isPageUrl(url)) {
    throw new CommandError("invalid_url", `${url} is no address. Give one such as http://localhost:3000.`);
  }
  const configuration = await loadConfig(terminal, options.config);
  const result = await runCheck({
    ...configuration,
    ...{ terminal, url, branch, concurrency, report },
    selection: { routes, ...(widths && { widths }) },
    ...(start && { start: { command: start, timeoutMs, ...(verbose && { hear: terminal.err }) } }),
    onEvent: quiet ? () => {} : event => tell(terminal, event),
  });
  if (json) terminal.out(`${JSON.stringify(result)}\n`);
  else terminal.out(summary(result));
  return result.conclusion;
}

function tell(terminal: Terminal, event: CheckEvent): void {
  if (event.type === "warning") terminal.err(`${event.message}\n`);
  if (event.type === "done" && event.shot.status !== "unchanged") terminal.err(`${line(event.shot)}\n`);
}

function line({ status, route, viewport, diffRatio, error, renamedFrom }: CheckedShot): string {
  const amount = status === "changed" && diffRatio !== null ? ` ${(diffRatio * 100).toPrecision(2)} %` : "";
  const why = error ? `: ${error.message}` : renamedFrom ? `: renamed from ${renamedFrom}` : "";
  return `${status}${amount}  ${route} at ${viewport} px${why}`;
}

function summary({ counts, report }: CheckResult): string {
  const said = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${status}`)
    .join(", ");
  return `${said}\n${report ? `Report: ${report}\n` : ""}`;
}
