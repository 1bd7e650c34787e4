import { describeWarning } from "../../shared/contracts/runs/run-warning.ts";
import type { RunView } from "../../shared/contracts/runs/runs.ts";
import type { ScreenshotView } from "../../shared/contracts/runs/screenshots.ts";
import { describeRunCause, leadingCauses, withCause } from "../../shared/report/describe-explanation.ts";
import { displayStatusOf } from "../../shared/report/display-status.ts";
import { INTENT_TEXTS, PRODUCTION_TEXTS } from "../../shared/report/texts.ts";
import { plainText } from "../../shared/text/code-spans.ts";
import { timeInWords } from "../../shared/text/dates.ts";
import { visibleLine } from "../../shared/text/visible-text.ts";
import type { GlobalOptions } from "../commands/command.ts";
import { changesTable } from "../output/changes-table.ts";
import { duration, tally } from "../output/format.ts";
import { LiveLines } from "../output/live-lines.ts";
import { minorLines } from "../output/minor-lines.ts";
import { type Paint, painter, type Terminal } from "../terminal.ts";
import { RUN_TEXTS } from "../texts/cloud.ts";
import type { CompletedRun } from "./submit-and-wait.ts";

/** Interval of lines in a log, if there was progress. */
const LINE_INTERVAL_MS = 10_000;

export interface RunProgress {
  /** Shows a line in place of the one before. */
  show(line: string): void;
  onProgress(run: RunView): void;
  onUnreachable(why: string): void;
  end(): void;
}

/** Shows the progress of a run: one updated line on a terminal, or a line now and then in a log. */
export function showRunProgress(terminal: Terminal, { quiet }: Pick<GlobalOptions, "quiet">): RunProgress {
  if (quiet) return { show() {}, onProgress() {}, onUnreachable() {}, end() {} };
  const paint = painter(terminal);
  const lines = new LiveLines(terminal);
  let printed = "";
  let printedAt = Number.NEGATIVE_INFINITY;
  const show = (line: string) => {
    if (terminal.isInteractive) return lines.show([line]);
    if (line === printed || performance.now() - printedAt < LINE_INTERVAL_MS) return;
    printed = line;
    printedAt = performance.now();
    terminal.err(`${line}\n`);
  };
  return {
    show,
    onProgress: run => show(progressLine(run, paint)),
    onUnreachable(why) {
      const line = visibleLine(why);
      if (terminal.isInteractive) lines.print(line);
      else terminal.err(`${line}\n`);
    },
    end: () => lines.clear(),
  };
}

function progressLine({ status, progress: { total, captured, compared } }: RunView, paint: Paint): string {
  return `${paint("dim", `${status} ·`)} ${RUN_TEXTS.progress(captured, total, compared)}`;
}

/**
 * Prints a run: a table of all screenshots that aren't unchanged, the minor changes, the conclusion, and the
 * report.
 */
export function printRun(
  terminal: Terminal,
  { run, screenshots }: CompletedRun,
  { quiet }: GlobalOptions,
): void {
  const paint = painter(terminal);
  const isApproved = run.conclusion === "passed" || run.conclusion === "approved";
  if (quiet && isApproved) return;
  const table = changesTable(
    screenshots.map(shot => ({ ...shot, note: withCause(shot.explanation, noteOn(shot)) })),
    { columns: terminal.columns, paint },
  );
  const minor = minorLines(
    screenshots.filter(shot => displayStatusOf(shot) === "minor"),
    { columns: terminal.columns, paint },
  );
  const lines = [
    ...table,
    ...(table.length > 0 ? [""] : []),
    ...minor,
    ...(minor.length > 0 ? [""] : []),
    conclusionLine(run, paint),
    ...leadingCauses(run.causes).map(cause => `  ${visibleLine(plainText(describeRunCause(cause)))}`),
    ...intentLines(run),
    ...run.warnings.map(warning => paint("yellow", visibleLine(describeWarning(warning)))),
    `${RUN_TEXTS.report}  ${visibleLine(run.links.report)}`,
  ];
  terminal.out(`${lines.join("\n")}\n`);
}

function intentLines({ intent }: RunView): string[] {
  if (intent?.intended == null || intent.unintended === null) return [];
  if (intent.intended + intent.unintended === 0) return [];
  return [INTENT_TEXTS.counts(intent.intended, intent.unintended)];
}

function noteOn({ error, notes, carried, production, intended }: ScreenshotView): string | null {
  if (error !== null) return error;
  if (intended === false) return `${INTENT_TEXTS.unintended}.`;
  if (carried !== null) return RUN_TEXTS.carried;
  if (production) return `${PRODUCTION_TEXTS.since(timeInWords(production.since))}.`;
  return notes.length > 0 ? notes.join(" ") : null;
}

function conclusionLine(run: RunView, paint: Paint): string {
  const took = run.completedAt
    ? ` · ${duration(Date.parse(run.completedAt) - Date.parse(run.createdAt))}`
    : "";
  if (run.status !== "completed")
    return `${paint("red", `✗ ${run.status === "canceled" ? RUN_TEXTS.canceled : RUN_TEXTS.failed}`)} ${visibleLine(run.error ?? "")}`;
  const [style, mark] = MARKS[run.conclusion ?? "changed"];
  return `${paint(style, `${mark} ${run.conclusion}`)}: ${tally(run.counts)}${paint("dim", took)}`;
}

const MARKS = {
  passed: ["green", "✓"],
  approved: ["green", "✓"],
  changed: ["yellow", "±"],
  new: ["blue", "+"],
  rejected: ["red", "✗"],
} as const;
