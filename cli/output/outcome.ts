import { isAbsolute, relative } from "node:path";
import { pageName } from "../../shared/contracts/capture/screenshot-key.ts";
import {
  countCausesOfChanged,
  describeRunCause,
  leadingCauses,
  withCause,
} from "../../shared/report/describe-explanation.ts";
import { describeAllIgnored, describeUnchanged } from "../../shared/report/describe-screenshot.ts";
import { plainText } from "../../shared/text/code-spans.ts";
import { visibleLine } from "../../shared/text/visible-text.ts";
import type { CheckedScreenshot, CheckResult } from "../check/check-result.ts";
import type { GlobalOptions } from "../commands/command.ts";
import { type Paint, painter, type Terminal } from "../terminal.ts";
import { PROOF_NOTES, RESULT_TEXTS as TEXTS } from "../texts/check.ts";
import { changesTable } from "./changes-table.ts";
import { duration, tally } from "./format.ts";
import { minorLines } from "./minor-lines.ts";
import { NO_BREAK, wrap } from "./text-width.ts";

/**
 * Prints a result: a table of all screenshots that aren't unchanged, the minor changes, the conclusion, and
 * the next step.
 */
export function printOutcome(
  terminal: Terminal,
  result: CheckResult,
  { quiet }: Pick<GlobalOptions, "quiet">,
): void {
  const paint = painter(terminal);
  const { columns } = terminal;
  const conclusion = conclusionLines(result, columns, paint);
  if (quiet && result.conclusion === "passed") return;
  const elsewhere = result.screenshots.filter(({ otherBrowser }) => otherBrowser);
  const folded = elsewhere.length > ELSEWHERE_SHOWN ? elsewhere.length : 0;
  const table = changesTable(
    result.screenshots
      .filter(({ otherBrowser }) => folded === 0 || !otherBrowser)
      .map(shot => ({ ...shot, note: withCause(shot.explanation, noteOn(shot)) })),
    { columns, paint },
  );
  const unstable = result.screenshots.filter(({ stable, status }) => !stable && status !== "failed");
  const minor = minorLines(
    result.screenshots.filter(shot => shot.minor),
    { columns, paint },
  );
  const differs = [
    ...(table.length > 0 ? ["", ...table, ""] : []),
    ...(folded > 0 ? wrap(TEXTS.otherEnvironment(folded), columns) : []),
    ...(minor.length > 0 ? [...minor, ""] : []),
    ...proofLines(result, columns),
  ];
  const lines = quiet
    ? [...differs, ...conclusion]
    : [
        ...differs,
        ...unstable.slice(0, UNSTABLE_SHOWN).map(shot => unstableLine(shot, paint)),
        ...conclusion,
        ...causeLines(result, columns),
        ...hiddenLines(result, columns),
        ...(result.report ? [`  ${TEXTS.report}  ${pathFrom(terminal.cwd, result.report)}`] : []),
        ...wrap(adviceOn(result), columns - 2).map(line => paint("dim", `  ${line}`)),
      ];
  terminal.out(`${lines.join("\n")}\n`);
}

/** Returns the causes that several changes share. */
function causeLines({ screenshots }: CheckResult, columns: number): string[] {
  const shared = leadingCauses(countCausesOfChanged(screenshots)).filter(
    ({ screenshots: changed }) => changed > 1,
  );
  return shared.flatMap(cause =>
    wrap(visibleLine(plainText(describeRunCause(cause))), columns - 2).map(line => `  ${line}`),
  );
}

/** Returns the proofs of causes, which the user asked for. */
function proofLines({ screenshots }: CheckResult, columns: number): string[] {
  const lines = screenshots.flatMap(shot => {
    if (shot.proof === null) return [];
    const text = PROOF_NOTES.result(pageName(shot), shot.viewport, plainText(shot.proof.text));
    return wrap(visibleLine(text), columns - 2).map(line => `  ${line}`);
  });
  return lines.length > 0 ? [...lines, ""] : [];
}

function noteOn({ error, renamedFrom, notes }: CheckedScreenshot): string | null {
  if (error) return error.message;
  if (renamedFrom !== null) return TEXTS.renamed(renamedFrom);
  return notes.length > 0 ? notes.join(" ") : null;
}

/** Fewer minor changes beside others, so that they don't hide those. */
const ELSEWHERE_SHOWN = 5;

const UNSTABLE_SHOWN = 10;

function unstableLine(shot: CheckedScreenshot, paint: Paint): string {
  const moving = visibleLine(shot.moving.join(", "));
  const where = TEXTS.unstable(visibleLine(pageName(shot)), shot.viewport, moving);
  return `${paint("yellow", TEXTS.unstableLabel)} ${where}`;
}

function hiddenLines({ screenshots }: CheckResult, columns: number): string[] {
  const hidden = describeAllIgnored(screenshots);
  return hidden === null ? [] : wrap(hidden, columns - 2).map(line => `  ${line}`);
}

/** Returns lines such as `✗ 2 changed, 40 unchanged in 3.2 s`, wrapped in a narrow window. */
function conclusionLines(result: CheckResult, columns: number, paint: Paint): string[] {
  const { conclusion, counts, durationMs, screenshots } = result;
  const onlyNew = conclusion === "changed" && counts.changed + counts.removed === 0;
  const [style, mark] = onlyNew ? MARKS.new : MARKS[conclusion];
  const groups = new Set(
    screenshots.flatMap(({ status, fingerprint }) =>
      status === "changed" && fingerprint !== null ? [fingerprint] : [],
    ),
  ).size;
  const same = groups > 0 && groups < counts.changed ? `, ${TEXTS.differentChanges(groups)}` : "";
  const { unchanged, minor } = counts;
  const all = conclusion === "passed" ? describeUnchanged(unchanged - minor, minor) : tally(counts);
  const counted = `${all}${same}`;
  const took = TEXTS.took(duration(durationMs)).replaceAll(" ", NO_BREAK);
  return wrap(`${counted} ${took}`, columns - 2).map(
    (line, index) =>
      `${index === 0 ? paint(style, mark) : " "} ${paint("bold", line.replaceAll(NO_BREAK, " "))}`,
  );
}

const MARKS = {
  passed: ["green", "✓"],
  changed: ["yellow", "±"],
  new: ["blue", "+"],
  failed: ["red", "✗"],
} as const;

/** Returns the next step. */
function adviceOn({ counts, source }: CheckResult): string {
  const compared = counts.unchanged + counts.changed + counts.removed;
  if (counts.new > 0 && compared === 0) return TEXTS.firstCheck;
  const minor = counts.minor > 0 ? TEXTS.approveMinor : "";
  if (counts.changed + counts.new + counts.removed === 0) return minor;
  const approve = source.screenshots === null ? TEXTS.approve : TEXTS.approveFiles;
  return `${approve} ${minor}`.trim();
}

/** Returns a path relative to the user's folder if that is shorter. */
function pathFrom(folder: string, path: string): string {
  const near = relative(folder, path);
  return near === "" ? "." : isAbsolute(near) || near.length > path.length ? path : near;
}
