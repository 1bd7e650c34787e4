import type { ConfigFault } from "../../shared/project-config/fault.ts";
import { verdictOf } from "../../shared/report/verdict.ts";
import { allIgnoredInWords, count, countsInWords } from "../../shared/report/words.ts";
import { escapeMarkdown, link } from "../../shared/text/code-host-markdown.ts";
import {
  cut,
  cutEscaped,
  fittingLines,
  roomBeside,
  TEXT_LIMITS,
  type TextLimit,
} from "../../shared/text/text-limits.ts";
import { visible, visibleLine } from "../../shared/text/visible-text.ts";
import type { CheckRun } from "./check-run.entity.ts";
import { type CheckState, conclusionOf } from "./check-state.ts";
import { reportModelOf } from "./report-model.ts";
import type { CheckAnnotation, CheckChange, CheckConclusion, CheckText } from "./repository-checks.ts";
import { screenshotTables } from "./screenshot-tables.ts";

const { checkSummary, checkTitle, checkAnnotation } = TEXT_LIMITS;
/** Of one text from elsewhere, once it is escaped. */
const PART = { max: 4_000, unit: checkSummary.unit };
/** Of what stands between the parts of a summary. */
const FRAME = 100;

/** The code host takes so many at once. */
const ANNOTATIONS = 50;

export const APPROVE = "approve";

/** What the code host is to show of a check. */
export function describeCheck(check: Pick<CheckRun, "note" | "previewUrl">, state: CheckState): CheckChange {
  const conclusion = conclusionOf(state);
  const note = check.note === null ? "" : `> ${part(check.note)}\n\n`;
  const room = roomBeside(checkSummary, note);
  const { title, summary, annotations } = textOf(state);
  const detailsUrl = detailsOf(state);
  const mayApprove = conclusion === "action_required" && state.kind === "settled";
  return {
    conclusion,
    ...(detailsUrl !== null && { detailsUrl }),
    output: {
      title: cut(visibleLine(title), checkTitle),
      summary: cut(`${note}${summary}`, checkSummary),
      ...(annotations && { annotations }),
    },
    actions: mayApprove
      ? [{ label: "Approve", description: "Make these screenshots the baselines", identifier: APPROVE }]
      : [],
  };

  function textOf(of: CheckState): CheckText {
    const preview = previewLine(check.previewUrl);
    switch (of.kind) {
      case "waiting":
        return { title: "Waiting to start", summary: preview };
      case "running":
      case "settled":
        return runText(of, room);
      case "told":
        return {
          title: countsInWords(of.outcome.counts) || "The run has ended",
          summary: `${link("Open the report", of.outcome.reportUrl)}\n\n${preview}`,
        };
      case "refused":
        return {
          title: "The run could not be started",
          summary: `${part(of.reason)}\n\n${preview}`,
        };
      case "misconfigured":
        return faultsText(of, room);
      case "grouped":
        return {
          title: "Checked in its pull requests",
          summary:
            "Each pull request of this group was checked by itself. What they look like together is not deployed anywhere.",
        };
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

/** Returns a text from elsewhere as Markdown. */
function part(text: string): string {
  return cutEscaped(text, PART, escapeMarkdown);
}

function previewLine(url: string): string {
  return `Preview: ${part(url)}`;
}

/** Returns the same in the fewest words, all of them our own, for a code host that refuses the whole. */
export function describeCheckBriefly({ conclusion, actions }: CheckChange, state: CheckState): CheckChange {
  const report = detailsOf(state);
  const where = report === null ? "" : ` ${link("Open the report", report)}`;
  return {
    conclusion,
    output: {
      title: conclusion === null ? "In progress" : BRIEFLY[conclusion],
      summary: `The code host refused the details of this check.${where}`,
    },
    actions,
  };
}

const BRIEFLY: Record<CheckConclusion, string> = {
  success: "Passed",
  action_required: "Needs review",
  neutral: "Done",
  failure: "Failed",
  cancelled: "Canceled",
  timed_out: "Timed out",
};

/** Each fault with its place, in the text and beside the line. */
function faultsText(
  { path, faults }: Extract<CheckState, { kind: "misconfigured" }>,
  limit: TextLimit,
): CheckText {
  const first = faults.slice(0, ANNOTATIONS);
  const head = "Nothing was checked. The file is read without running it.\n\n";
  const all = first.map(
    ({ line, column, message }) => `- ${escapeMarkdown(path)}:${line}:${column}: ${part(message)}`,
  );
  const { lines } = fittingLines(all, roomBeside(limit, head));
  return {
    title: `${path} cannot be read`,
    summary: `${head}${lines.join("\n")}`,
    annotations: first.map(fault => annotationOf(path, fault)),
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
    message: cut(visible(message), checkAnnotation),
  };
}

function detailsOf(state: CheckState): string | null {
  if (state.kind === "running" || state.kind === "settled") return state.run.links.report;
  return state.kind === "told" ? state.outcome.reportUrl : null;
}

function runText(state: Extract<CheckState, { kind: "running" | "settled" }>, limit: TextLimit): CheckText {
  const { run } = state;
  const report = run.links.report;
  if (state.kind === "running") {
    const { total, compared } = run.progress;
    const title =
      run.status === "queued" ? "Waiting to start" : `${compared} of ${count(total, "screenshot")} done`;
    return { title, summary: `${link("Follow the run", report)}\n\n${previewLine(run.url)}` };
  }
  const model = reportModelOf(run, state.screenshots);
  const verdict = verdictOf(model);
  const top = `**${escapeMarkdown(verdict.title)}.** ${part(verdict.detail)} ${link("Open the report", report)}`;
  const hidden = allIgnoredInWords(model.screenshots) ?? "";
  const foot = previewLine(run.url);
  const room = roomBeside(limit, top, hidden, foot, FRAME);
  const tables = screenshotTables(model.screenshots, report, room);
  return {
    title: verdict.title,
    summary: [top, tables, hidden, foot].filter(text => text !== "").join("\n\n"),
  };
}
