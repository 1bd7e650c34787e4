import { appendFile } from "node:fs/promises";
import { allIgnoredInWords, count, differenceInFull, unchangedInWords } from "../../shared/report/words.ts";
import type { CheckedShot, CheckResult } from "../check/check-result.ts";
import type { Terminal } from "../terminal.ts";
import { visibleLine } from "./visible-text.ts";
import { differsInWords, duration, shareOf, tally } from "./words.ts";

/** The code host shows ten errors and ten warnings of a step. */
const SHOWN = 10;

/** A step's summary may be 1 MiB, with what other commands of the step wrote; so many rows stay far below it. */
const ROWS = 200;
const CELL_CHARACTERS = 300;

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
    terminal.err(`Warning: The job's summary could not be written: ${String(error)}\n`);
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
  return `::${level} title=${escapeProperty(visibleLine(title))}::${escapeData(message)}`;
}

const escapeData = (text: string) =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const escapeProperty = (text: string) => escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

/** The job's summary, in Markdown. */
export function summary(result: CheckResult): string {
  const { screenshots, counts, durationMs, browser, platform } = result;
  const shown = screenshots.filter(({ status }) => status !== "unchanged");
  const rows = shown.slice(0, ROWS).map(shot => {
    const note = [...(shot.error ? [shot.error.message] : []), ...shot.notes].join(" ");
    return [shot.route, String(shot.viewport), shot.status, shareOf(shot.diffRatio), note]
      .map(cell)
      .join(" | ");
  });
  const more = shown.length - rows.length;
  return [
    `### ${headingOf(result)}`,
    "",
    ...(rows.length === 0
      ? []
      : [
          "| Route | Width | Status | Differs | |",
          "|---|---:|---|---:|---|",
          ...rows.map(row => `| ${row} |`),
          "",
        ]),
    ...(more > 0 ? [`And ${more} more, which the report has.`, ""] : []),
    ...minorTable(screenshots.filter(({ minor }) => minor)),
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
function minorTable(minor: CheckedShot[]): string[] {
  if (minor.length === 0) return [];
  const rows = bySize(minor)
    .slice(0, ROWS)
    .map(shot => [shot.route, String(shot.viewport), amountOf(shot)].map(cell).join(" | "));
  const more = minor.length - rows.length;
  return [
    `<details><summary>${count(minor.length, "minor change")}</summary>`,
    "",
    "| Route | Width | Differs |",
    "|---|---:|---:|",
    ...rows.map(row => `| ${row} |`),
    "",
    ...(more > 0 ? [`And ${more} more, which the report has.`, ""] : []),
    "</details>",
    "",
  ];
}

/** A text that Markdown reads as text, in one cell of a table. */
function cell(text: string): string {
  const short = text.length > CELL_CHARACTERS ? `${text.slice(0, CELL_CHARACTERS)}…` : text;
  return visibleLine(short).replace(
    /[\\`*_{}[\]<>()#+!|~@&$:]/g,
    character => `&#${character.codePointAt(0)};`,
  );
}
