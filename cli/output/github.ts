import { appendFile } from "node:fs/promises";
import { allIgnoredInWords, count, differenceInFull, unchangedInWords } from "../../shared/report/words.ts";
import { escapeMarkdown } from "../../shared/text/code-host-markdown.ts";
import { cut, fittingLines, roomBeside, TEXT_LIMITS, type TextLimit } from "../../shared/text/text-limits.ts";
import { visible, visibleLine } from "../../shared/text/visible-text.ts";
import type { CheckedShot, CheckResult } from "../check/check-result.ts";
import type { Terminal } from "../terminal.ts";
import { differsInWords, duration, shareOf, tally } from "./words.ts";

/** The code host shows ten errors and ten warnings of a step. */
const SHOWN = 10;

/** More rows are for the report, even where the summary has room for them. */
const ROWS = 200;
const CELL = { max: 300, unit: "characters" } as const;
/** Of what stands around the tables, and of the minor changes beside the others. */
const FRAME_BYTES = 8_192;
const MINOR_BYTES = TEXT_LIMITS.jobSummary.max / 4;

/** Tells a workflow of the code host what was found: annotations beside the check, a summary of the job. */
export async function tellGithub(terminal: Terminal, result: CheckResult, json: boolean): Promise<void> {
  const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY } = terminal.env;
  if (GITHUB_ACTIONS !== "true") return;
  const lines = annotations(result).map(line => `${line}\n`);
  // The code host reads both streams. With --json one of them is taken.
  for (const line of lines) (json ? terminal.err : terminal.out)(line);
  if (!GITHUB_STEP_SUMMARY) return;
  try {
    await appendFile(GITHUB_STEP_SUMMARY, summary(result));
  } catch (error) {
    terminal.err(`Warning: The job's summary could not be written: ${visibleLine(String(error))}\n`);
  }
}

/**
 * Workflow commands, one a line: an error for what is not unchanged, a warning for what never came to rest, a notice of
 * all minor changes.
 */
export function annotations({ screenshots, warnings }: CheckResult): string[] {
  const errors = screenshots.filter(({ status }) => status !== "unchanged");
  const restless = screenshots.filter(({ stable, status }) => !stable && status !== "failed");
  return [
    ...bounded(
      errors.map(shot => command("error", titleOf(shot), textOf(shot))),
      "error",
    ),
    ...bounded(
      [
        ...warnings.map(message => command("warning", "vrs", message)),
        ...restless.map(shot =>
          command("warning", `${shot.route} at ${shot.viewport} px is not stable`, movingText(shot)),
        ),
      ],
      "warning",
    ),
    ...minorNotice(screenshots.filter(({ minor }) => minor)),
  ];
}

function minorNotice(minor: CheckedShot[]): string[] {
  if (minor.length === 0) return [];
  const named = bySize(minor)
    .slice(0, SHOWN)
    .map(shot => `${shot.route} at ${shot.viewport} px: ${amountOf(shot)}`);
  const more = minor.length > named.length ? [`${minor.length - named.length} more, in the report`] : [];
  return [command("notice", `${count(minor.length, "minor change")}`, [...named, ...more].join("\n"))];
}

const bySize = (shots: CheckedShot[]) =>
  shots.toSorted((one, other) => (other.diffRatio ?? 0) - (one.diffRatio ?? 0));

const amountOf = ({ diffRatio, diffPixels }: CheckedShot) => differenceInFull(diffRatio ?? 0, diffPixels);

function bounded(lines: string[], level: "error" | "warning"): string[] {
  if (lines.length <= SHOWN) return lines;
  const more = lines.length - (SHOWN - 1);
  return [...lines.slice(0, SHOWN - 1), command(level, `${more} more`, "The report has them all.")];
}

const titleOf = ({ route, viewport, status }: CheckedShot) =>
  status === "failed"
    ? `${route} at ${viewport} px could not be checked`
    : `${route} at ${viewport} px is ${status}`;

const movingText = ({ moving }: CheckedShot) =>
  moving.length > 0 ? `${moving.join(", ")} kept moving.` : "Two takes of it never were the same.";

function textOf(shot: CheckedShot): string {
  return [whatOf(shot), ...shot.notes].join(" ");
}

function whatOf(shot: CheckedShot): string {
  const { status, error } = shot;
  if (error) return error.message;
  if (status === "new") return "It has no baseline yet. Approve it with `vrs approve`.";
  if (status === "removed")
    return "It has a baseline, and is no longer among the routes. `vrs approve` removes it.";
  return differsInWords(shot);
}

function command(level: "error" | "warning" | "notice", title: string, message: string): string {
  const text = cut(visible(message), TEXT_LIMITS.checkAnnotation);
  return `::${level} title=${escapeProperty(cut(visibleLine(title), TEXT_LIMITS.checkTitle))}::${escapeData(text)}`;
}

const escapeData = (text: string) =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const escapeProperty = (text: string) => escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

/** The job's summary, in Markdown. */
export function summary(result: CheckResult): string {
  const { screenshots, counts, durationMs, browser, platform } = result;
  const { jobSummary } = TEXT_LIMITS;
  const shown = screenshots.filter(({ status }) => status !== "unchanged");
  const all = shown.slice(0, ROWS).map(shot => {
    const note = [...(shot.error ? [shot.error.message] : []), ...shot.notes].join(" ");
    return row([shot.route, String(shot.viewport), shot.status, shareOf(shot.diffRatio), note]);
  });
  const { lines: rows } = fittingLines(all, roomBeside(jobSummary, FRAME_BYTES, MINOR_BYTES));
  const more = shown.length - rows.length;
  return [
    `### ${headingOf(result)}`,
    "",
    ...(rows.length === 0
      ? []
      : ["| Route | Width | Status | Differs | |", "|---|---:|---|---:|---|", ...rows, ""]),
    ...(more > 0 ? [`And ${more} more, which the report has.`, ""] : []),
    ...minorTable(
      screenshots.filter(({ minor }) => minor),
      { max: MINOR_BYTES, unit: jobSummary.unit },
    ),
    ...hiddenLines(screenshots),
    `${tally(counts)} in ${duration(durationMs)}, with ${cell(browser ?? "no browser")} on ${cell(platform)}.`,
    "",
    "",
  ].join("\n");
}

function hiddenLines(screenshots: CheckedShot[]): string[] {
  const hidden = allIgnoredInWords(screenshots);
  return hidden === null ? [] : [hidden, ""];
}

function headingOf({ conclusion, counts }: CheckResult): string {
  if (conclusion !== "passed") return `❌ ${tally(counts)}`;
  const { unchanged, minor } = counts;
  return `✅ ${minor === 0 ? "Nothing changed" : unchangedInWords(unchanged - minor, minor)}`;
}

/** Returns the minor changes, folded and the largest first. */
function minorTable(minor: CheckedShot[], limit: TextLimit): string[] {
  if (minor.length === 0) return [];
  const all = bySize(minor)
    .slice(0, ROWS)
    .map(shot => row([shot.route, String(shot.viewport), amountOf(shot)]));
  const { lines: rows } = fittingLines(all, limit);
  const more = minor.length - rows.length;
  return [
    `<details><summary>${count(minor.length, "minor change")}</summary>`,
    "",
    "| Route | Width | Differs |",
    "|---|---:|---:|",
    ...rows,
    "",
    ...(more > 0 ? [`And ${more} more, which the report has.`, ""] : []),
    "</details>",
    "",
  ];
}

function row(cells: string[]): string {
  return `| ${cells.map(cell).join(" | ")} |`;
}

/** Returns a text as Markdown, in one cell of a table. */
function cell(text: string): string {
  return escapeMarkdown(cut(text, CELL));
}
