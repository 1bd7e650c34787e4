import { appendFile } from "node:fs/promises";
import { pageName } from "../../shared/contracts/capture/screenshot-key.ts";
import {
  describeAllIgnored,
  describeUnchanged,
  formatDifference,
} from "../../shared/report/describe-screenshot.ts";
import { escapeMarkdown } from "../../shared/text/code-host-markdown.ts";
import {
  cut,
  fittingLines,
  remainingLimit,
  TEXT_LIMITS,
  type TextLimit,
} from "../../shared/text/text-limits.ts";
import { visible, visibleLine } from "../../shared/text/visible-text.ts";
import type { CheckedScreenshot, CheckResult } from "../check/check-result.ts";
import type { Terminal } from "../terminal.ts";
import { RESULT_TEXTS } from "../texts/check.ts";
import { CI_TEXTS } from "../texts/ci.ts";
import { TOOL_ERRORS } from "../texts/errors.ts";
import { describeChange, duration, shareOf, tally } from "./format.ts";

/** The code host shows at most ten errors and ten warnings of a step. */
const SHOWN = 10;

/** The report has more rows, even if the summary has room. */
const ROWS = 200;
const CELL = { max: 300, unit: "characters" } as const;
/** Space for text around the tables, and for minor changes beside the others. */
const FRAME_BYTES = 8_192;
const MINOR_BYTES = TEXT_LIMITS.jobSummary.max / 4;

/** Reports the result to a workflow of the code host: annotations, and a job summary. */
export async function reportToGithub(terminal: Terminal, result: CheckResult, json: boolean): Promise<void> {
  const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY } = terminal.env;
  if (GITHUB_ACTIONS !== "true") return;
  const lines = annotations(result).map(line => `${line}\n`);
  // The code host reads both streams. With --json, standard output is in use.
  for (const line of lines) (json ? terminal.err : terminal.out)(line);
  if (!GITHUB_STEP_SUMMARY) return;
  try {
    await appendFile(GITHUB_STEP_SUMMARY, summary(result));
  } catch (error) {
    terminal.err(`${TOOL_ERRORS.warningLabel} ${CI_TEXTS.summaryFailed(visibleLine(String(error)))}\n`);
  }
}

/**
 * Returns workflow commands, one per line: an error for each screenshot that is not unchanged, a warning for each unstable
 * one, and one notice of all minor changes.
 */
export function annotations({ screenshots, warnings }: CheckResult): string[] {
  const errors = screenshots.filter(({ status }) => status !== "unchanged");
  const unstable = screenshots.filter(({ stable, status }) => !stable && status !== "failed");
  return [
    ...bounded(
      errors.map(shot => command("error", titleOf(shot), textOf(shot))),
      "error",
    ),
    ...bounded(
      [
        ...warnings.map(message => command("warning", CI_TEXTS.source, message)),
        ...unstable.map(shot =>
          command("warning", CI_TEXTS.unstable(pageName(shot), shot.viewport), movingText(shot)),
        ),
      ],
      "warning",
    ),
    ...minorNotice(screenshots.filter(({ minor }) => minor)),
  ];
}

function minorNotice(minor: CheckedScreenshot[]): string[] {
  if (minor.length === 0) return [];
  const named = bySize(minor)
    .slice(0, SHOWN)
    .map(shot => CI_TEXTS.minorChange(CI_TEXTS.place(pageName(shot), shot.viewport), amountOf(shot)));
  const more = minor.length > named.length ? [CI_TEXTS.moreInReport(minor.length - named.length)] : [];
  return [command("notice", CI_TEXTS.minorChanges(minor.length), [...named, ...more].join("\n"))];
}

const bySize = (shots: CheckedScreenshot[]) =>
  shots.toSorted((one, other) => (other.diffRatio ?? 0) - (one.diffRatio ?? 0));

const amountOf = (shot: CheckedScreenshot) => formatDifference(shot);

function bounded(lines: string[], level: "error" | "warning"): string[] {
  if (lines.length <= SHOWN) return lines;
  const more = lines.length - (SHOWN - 1);
  return [...lines.slice(0, SHOWN - 1), command(level, CI_TEXTS.more(more), CI_TEXTS.reportHasAll)];
}

const titleOf = (shot: CheckedScreenshot) =>
  shot.status === "failed"
    ? CI_TEXTS.failed(pageName(shot), shot.viewport)
    : CI_TEXTS.status(pageName(shot), shot.viewport, shot.status);

const movingText = ({ moving }: CheckedScreenshot) =>
  moving.length > 0 ? CI_TEXTS.keptChanging(moving) : CI_TEXTS.neverStable;

function textOf(shot: CheckedScreenshot): string {
  return [whatOf(shot), ...shot.notes].join(" ");
}

function whatOf(shot: CheckedScreenshot): string {
  const { route, status, error } = shot;
  if (error) return error.message;
  if (status === "new") return `${RESULT_TEXTS.new(route)} ${CI_TEXTS.approveNew}`;
  if (status === "removed") return `${RESULT_TEXTS.removed(route)} ${CI_TEXTS.approveRemoved}`;
  return describeChange(shot);
}

function command(level: "error" | "warning" | "notice", title: string, message: string): string {
  const text = cut(visible(message), TEXT_LIMITS.checkAnnotation);
  return `::${level} title=${escapeProperty(cut(visibleLine(title), TEXT_LIMITS.checkTitle))}::${escapeData(text)}`;
}

const escapeData = (text: string) =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const escapeProperty = (text: string) => escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

/** Returns the job summary in Markdown. */
export function summary(result: CheckResult): string {
  const { screenshots, source, counts, durationMs, browser, platform } = result;
  const { jobSummary } = TEXT_LIMITS;
  const isOfPages = source.screenshots === null;
  const shown = screenshots.filter(({ status }) => status !== "unchanged");
  const all = shown.slice(0, ROWS).map(shot => {
    const note = [...(shot.error ? [shot.error.message] : []), ...shot.notes].join(" ");
    return row([pageName(shot), String(shot.viewport), shot.status, shareOf(shot.diffRatio), note]);
  });
  const { lines: rows } = fittingLines(all, remainingLimit(jobSummary, FRAME_BYTES, MINOR_BYTES));
  const more = shown.length - rows.length;
  return [
    `### ${headingOf(result)}`,
    "",
    ...(rows.length === 0 ? [] : [head(CI_TEXTS.columns(isOfPages)), "|---|---:|---|---:|---|", ...rows, ""]),
    ...(more > 0 ? [CI_TEXTS.moreRows(more), ""] : []),
    ...minorTable(
      screenshots.filter(({ minor }) => minor),
      isOfPages,
      { max: MINOR_BYTES, unit: jobSummary.unit },
    ),
    ...hiddenLines(screenshots),
    CI_TEXTS.environment(
      tally(counts),
      duration(durationMs),
      cell(browser ?? CI_TEXTS.noBrowser),
      cell(platform),
    ),
    "",
    "",
  ].join("\n");
}

function hiddenLines(screenshots: CheckedScreenshot[]): string[] {
  const hidden = describeAllIgnored(screenshots);
  return hidden === null ? [] : [hidden, ""];
}

function headingOf({ conclusion, counts }: CheckResult): string {
  if (conclusion !== "passed") return `❌ ${tally(counts)}`;
  const { unchanged, minor } = counts;
  return `✅ ${minor === 0 ? CI_TEXTS.nothingChanged : describeUnchanged(unchanged - minor, minor)}`;
}

/** Returns the minor changes as a folded table, the largest first. */
function minorTable(minor: CheckedScreenshot[], isOfPages: boolean, limit: TextLimit): string[] {
  if (minor.length === 0) return [];
  const all = bySize(minor)
    .slice(0, ROWS)
    .map(shot => row([pageName(shot), String(shot.viewport), amountOf(shot)]));
  const { lines: rows } = fittingLines(all, limit);
  const more = minor.length - rows.length;
  return [
    `<details><summary>${CI_TEXTS.minorChanges(minor.length)}</summary>`,
    "",
    head(CI_TEXTS.minorColumns(isOfPages)),
    "|---|---:|---:|",
    ...rows,
    "",
    ...(more > 0 ? [CI_TEXTS.moreRows(more), ""] : []),
    "</details>",
    "",
  ];
}

const head = (names: readonly string[]) => `| ${names.join(" | ")} |`;

function row(cells: string[]): string {
  return `| ${cells.map(cell).join(" | ")} |`;
}

/** Escapes a text for a table cell in Markdown. */
function cell(text: string): string {
  return escapeMarkdown(cut(text, CELL));
}
