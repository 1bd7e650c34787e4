import { isArchiveUrl } from "../../../shared/contracts/builds/archive-url.ts";
import { describeWarning, type RunWarning } from "../../../shared/contracts/runs/run-warning.ts";
import type { RunView } from "../../../shared/contracts/runs/runs.ts";
import type { ConfigFailure } from "../../../shared/project-config/failure.ts";
import { describeConclusion } from "../../../shared/report/conclusion.ts";
import { describeRunCause, leadingCauses } from "../../../shared/report/describe-explanation.ts";
import { describeAllIgnored, formatCounts } from "../../../shared/report/describe-screenshot.ts";
import type { ReportScreenshot } from "../../../shared/report/report-model.ts";
import { INTENT_TEXTS, PRODUCTION_TEXTS } from "../../../shared/report/texts.ts";
import { escapeMarkdown, link } from "../../../shared/text/code-host-markdown.ts";
import { asMarkdown } from "../../../shared/text/code-spans.ts";
import {
  cut,
  cutEscaped,
  fittingLines,
  remainingLimit,
  TEXT_LIMITS,
  type TextLimit,
} from "../../../shared/text/text-limits.ts";
import { visible, visibleLine } from "../../../shared/text/visible-text.ts";
import type { CheckAnnotation, CheckChange, CheckText } from "../code-host/code-host.ts";
import { CHECK_TEXTS } from "../texts/comments.ts";
import type { CheckRun } from "./check-run.entity.ts";
import { type CheckState, conclusionOf } from "./check-state.rule.ts";
import { screenshotTables } from "./describe-screenshots.ts";
import { reportModelOf } from "./report-model.ts";

const { checkSummary, checkTitle, checkAnnotation } = TEXT_LIMITS;
/** The limit of one escaped external text. */
const TEXT_LIMIT = { max: 4_000, unit: checkSummary.unit };
/** The room for the separators of a summary. */
const SEPARATOR_CHARS = 100;

/** The code host's limit per request. */
const MAX_ANNOTATIONS = 50;
/** Causes in a summary. The report has all. */
const CAUSES = 5;

export const APPROVE = "approve";

/** Returns the check run that the code host shows. */
export function describeCheck(check: Pick<CheckRun, "note" | "previewUrl">, state: CheckState): CheckChange {
  const conclusion = conclusionOf(state);
  const note = check.note === null ? "" : `> ${part(check.note)}\n\n`;
  const room = remainingLimit(checkSummary, note);
  const { title, summary, annotations } = textOf(state);
  const detailsUrl = detailsOf(state);
  const mayApprove = conclusion === "action_required" && state.kind === "ended";
  return {
    conclusion,
    ...(detailsUrl !== null && { detailsUrl }),
    output: {
      title: cut(visibleLine(title), checkTitle),
      summary: cut(`${note}${summary}`, checkSummary),
      ...(annotations && { annotations }),
    },
    actions: mayApprove
      ? [{ label: CHECK_TEXTS.approve, description: CHECK_TEXTS.approveAbout, identifier: APPROVE }]
      : [],
  };

  function textOf(of: CheckState): CheckText {
    const preview = previewLine(check.previewUrl);
    switch (of.kind) {
      case "waiting":
        return { title: CHECK_TEXTS.queued, summary: preview };
      case "running":
      case "ended":
        return runText(of, room);
      case "reported":
        return {
          title: formatCounts(of.outcome.counts) || CHECK_TEXTS.ended,
          summary: `${link(CHECK_TEXTS.openReport, of.outcome.reportUrl)}\n\n${preview}`,
        };
      case "refused":
        return {
          title: CHECK_TEXTS.notStarted,
          summary: `${part(of.reason)}\n\n${preview}`,
        };
      case "misconfigured":
        return failuresText(of, room);
      case "grouped":
        return {
          title: CHECK_TEXTS.grouped,
          summary: CHECK_TEXTS.groupedAbout,
        };
      case "gone":
        return {
          title: CHECK_TEXTS.gone,
          summary: `${CHECK_TEXTS.goneAbout}\n\n${preview}`,
        };
      case "overdue":
        return {
          title: CHECK_TEXTS.overdue,
          summary: `${CHECK_TEXTS.overdueAbout}\n\n${preview}`,
        };
    }
  }
}

/** Returns an external text as Markdown. */
function part(text: string): string {
  return cutEscaped(text, TEXT_LIMIT, escapeMarkdown);
}

/** Returns a line with the URL of the preview. Builds of uploaded screenshots may have none. */
function previewLine(url: string): string {
  if (url === "") return "";
  if (isArchiveUrl(url)) return CHECK_TEXTS.archive;
  return CHECK_TEXTS.preview(part(url));
}

/** Returns a minimal check run for a code host that refuses the full one. It has no external text. */
export function describeCheckBriefly({ conclusion, actions }: CheckChange, state: CheckState): CheckChange {
  const report = detailsOf(state);
  const where = report === null ? "" : ` ${link(CHECK_TEXTS.openReport, report)}`;
  return {
    conclusion,
    // The approve button is for the run that is linked here.
    ...(report !== null && { detailsUrl: report }),
    output: {
      title: conclusion === null ? CHECK_TEXTS.inProgress : CHECK_TEXTS.conclusions[conclusion],
      summary: `${CHECK_TEXTS.rejectedByHost}${where}`,
    },
    actions,
  };
}

/** Returns each failure with its position, in the summary and as annotations. */
function failuresText(
  { path, faults }: Extract<CheckState, { kind: "misconfigured" }>,
  limit: TextLimit,
): CheckText {
  const first = faults.slice(0, MAX_ANNOTATIONS);
  const head = `${CHECK_TEXTS.readStatically}\n\n`;
  const all = first.map(
    ({ line, column, message }) => `- ${escapeMarkdown(path)}:${line}:${column}: ${part(message)}`,
  );
  const { lines } = fittingLines(all, remainingLimit(limit, head));
  return {
    title: CHECK_TEXTS.unreadable(path),
    summary: `${head}${lines.join("\n")}`,
    annotations: first.map(fault => annotationOf(path, fault, "failure")),
  };
}

function annotationOf(
  path: string,
  fault: Omit<ConfigFailure, "code" | "field">,
  level: CheckAnnotation["annotation_level"],
): CheckAnnotation {
  const { line, column, endLine, endColumn, message } = fault;
  return {
    path,
    start_line: line,
    end_line: endLine,
    ...(line === endLine && { start_column: column, end_column: endColumn }),
    annotation_level: level,
    message: cut(visible(message), checkAnnotation),
  };
}

function detailsOf(state: CheckState): string | null {
  if (state.kind === "running" || state.kind === "ended") return state.run.links.report;
  return state.kind === "reported" ? state.outcome.reportUrl : null;
}

function runText(state: Extract<CheckState, { kind: "running" | "ended" }>, limit: TextLimit): CheckText {
  const { run } = state;
  const report = run.links.report;
  if (state.kind === "running") {
    const { total, compared } = run.progress;
    const title = run.status === "queued" ? CHECK_TEXTS.queued : CHECK_TEXTS.done(compared, total);
    return { title, summary: `${link(CHECK_TEXTS.followRun, report)}\n\n${previewLine(run.url)}` };
  }
  const model = reportModelOf(run, state.screenshots);
  const verdict = describeConclusion(model);
  const top = `**${escapeMarkdown(verdict.title)}.** ${part(verdict.detail)} ${link(CHECK_TEXTS.openReport, report)}`;
  const causes = causeLines(run, model.screenshots);
  const warnings = warningLines(run);
  const hidden = describeAllIgnored(model.screenshots) ?? "";
  const foot = previewLine(run.url);
  const room = remainingLimit(limit, top, causes, warnings, hidden, foot, SEPARATOR_CHARS);
  const tables = screenshotTables(model.screenshots, report, room);
  return {
    title: verdict.title,
    summary: [top, causes, warnings, tables, hidden, foot].filter(text => text !== "").join("\n\n"),
    ...annotated(run.warnings),
  };
}

/** Returns why screenshots changed, as a list. */
function causeLines({ causes, intent }: RunView, screenshots: ReportScreenshot[]): string {
  const lines = leadingCauses(causes, CAUSES).map(cause => `- ${asMarkdown(describeRunCause(cause))}`);
  return [...lines, ...productionLines(screenshots), ...intentLines(intent)].join("\n");
}

/** Returns how many changes production already has, if any. */
function productionLines(screenshots: ReportScreenshot[]): string[] {
  const changed = screenshots.filter(({ status }) => status === "changed");
  const known = changed.filter(({ production }) => production).length;
  return known === 0 ? [] : [`- ${PRODUCTION_TEXTS.several(known, changed.length)}`];
}

/** Returns how many changes were not intended, if the run had an intent. */
function intentLines(intent: RunView["intent"]): string[] {
  if (intent?.intended == null || intent.unintended === null) return [];
  return intent.intended + intent.unintended === 0
    ? []
    : [`- ${INTENT_TEXTS.counts(intent.intended, intent.unintended)}`];
}

/** Returns each warning as a list item, as many as a fifth of the summary holds. */
function warningLines({ warnings }: RunView): string {
  const all = warnings.map(warning => `- ${part(describeWarning(warning))}`);
  const room = { ...checkSummary, max: checkSummary.max / 5 };
  return all.length === 0 ? "" : `${CHECK_TEXTS.warnings}\n\n${fittingLines(all, room).lines.join("\n")}`;
}

/** Returns each warning with a position as an annotation. */
function annotated(warnings: RunWarning[]): Pick<CheckText, "annotations"> {
  const annotations = warnings.flatMap(({ message, place }) =>
    place === null ? [] : [annotationOf(place.path, { ...place, message }, "warning")],
  );
  return annotations.length === 0 ? {} : { annotations: annotations.slice(0, MAX_ANNOTATIONS) };
}
