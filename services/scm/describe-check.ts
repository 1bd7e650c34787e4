import type { ConfigFault } from "../../shared/project-config/fault.ts";
import { verdictOf } from "../../shared/report/verdict.ts";
import { allIgnoredInWords, count, countsInWords } from "../../shared/report/words.ts";
import type { CheckRun } from "./check-run.entity.ts";
import { type CheckState, conclusionOf } from "./check-state.ts";
import { escapeMarkdown, link } from "./markdown.ts";
import { reportModelOf } from "./report-model.ts";
import type { CheckAnnotation, CheckChange, CheckText } from "./repository-checks.ts";
import { screenshotTables } from "./screenshot-tables.ts";

/** The code host's own bound of a summary. */
const SUMMARY_CHARS = 65_535;
const TITLE_CHARS = 250;

/** The code host takes so many at once. */
const ANNOTATIONS = 50;

export const APPROVE = "approve";

/** What the code host is to show of a check. */
export function describeCheck(check: Pick<CheckRun, "note" | "previewUrl">, state: CheckState): CheckChange {
  const conclusion = conclusionOf(state);
  const note = check.note === null ? "" : `> ${escapeMarkdown(check.note)}\n\n`;
  const { title, summary, annotations } = textOf(state);
  const detailsUrl = detailsOf(state);
  const mayApprove = conclusion === "action_required" && state.kind === "settled";
  return {
    conclusion,
    ...(detailsUrl !== null && { detailsUrl }),
    output: {
      title: title.slice(0, TITLE_CHARS),
      summary: `${note}${summary}`.slice(0, SUMMARY_CHARS),
      ...(annotations && { annotations }),
    },
    actions: mayApprove
      ? [{ label: "Approve", description: "Make these screenshots the baselines", identifier: APPROVE }]
      : [],
  };

  function textOf(of: CheckState): CheckText {
    const preview = `Preview: ${escapeMarkdown(check.previewUrl)}`;
    switch (of.kind) {
      case "waiting":
        return { title: "Waiting to start", summary: preview };
      case "running":
      case "settled":
        return runText(of, SUMMARY_CHARS - note.length);
      case "told":
        return {
          title: countsInWords(of.outcome.counts) || "The run has ended",
          summary: `${link("Open the report", of.outcome.reportUrl)}\n\n${preview}`,
        };
      case "refused":
        return {
          title: "The run could not be started",
          summary: `${escapeMarkdown(of.reason)}\n\n${preview}`,
        };
      case "misconfigured":
        return faultsText(of);
      case "gone":
        return {
          title: "The run is not there any more",
          summary: `It was deleted before it had ended. Run the check again.\n\n${preview}`,
        };
      case "overdue":
        return {
          title: "The run did not end in time",
          summary: `Nothing was heard of its end for too long. Nothing was approved or lost; run the check again.\n\n${preview}`,
        };
    }
  }
}

/** Each fault with its place, in the text and beside the line. */
function faultsText({ path, faults }: Extract<CheckState, { kind: "misconfigured" }>): CheckText {
  const lines = faults
    .slice(0, ANNOTATIONS)
    .map(({ line, column, message }) => `- ${path}:${line}:${column}: ${escapeMarkdown(message)}`);
  return {
    title: `${path} cannot be read`,
    summary: `Nothing was checked. The file is read without running it.\n\n${lines.join("\n")}`,
    annotations: faults.slice(0, ANNOTATIONS).map(fault => annotationOf(path, fault)),
  };
}

function annotationOf(path: string, fault: ConfigFault): CheckAnnotation {
  const { line, column, endLine, endColumn, message } = fault;
  return {
    path,
    start_line: line,
    end_line: endLine,
    ...(line === endLine && { start_column: column, end_column: endColumn }),
    annotation_level: "failure",
    message,
  };
}

function detailsOf(state: CheckState): string | null {
  if (state.kind === "running" || state.kind === "settled") return state.run.links.report;
  return state.kind === "told" ? state.outcome.reportUrl : null;
}

/** @param chars that the summary may have */
function runText(state: Extract<CheckState, { kind: "running" | "settled" }>, chars: number): CheckText {
  const { run } = state;
  const report = run.links.report;
  if (state.kind === "running") {
    const { total, compared } = run.progress;
    const title =
      run.status === "queued" ? "Waiting to start" : `${compared} of ${count(total, "screenshot")} done`;
    return { title, summary: `${link("Follow the run", report)}\n\nPreview: ${escapeMarkdown(run.url)}` };
  }
  const model = reportModelOf(run, state.screenshots);
  const verdict = verdictOf(model);
  const top = `**${escapeMarkdown(verdict.title)}.** ${escapeMarkdown(verdict.detail)} ${link("Open the report", report)}`;
  const hidden = allIgnoredInWords(model.screenshots) ?? "";
  const foot = `Preview: ${escapeMarkdown(run.url)}`;
  const room = chars - top.length - foot.length - 1_000;
  const tables = screenshotTables(model.screenshots, report, room);
  return {
    title: verdict.title,
    summary: [top, tables, hidden, foot].filter(part => part !== "").join("\n\n"),
  };
}
