import { isArchiveUrl } from "../../../shared/contracts/builds/archive-url.ts";
import { describeConclusion } from "../../../shared/report/conclusion.ts";
import { describeAllIgnored, describeDifference } from "../../../shared/report/describe-screenshot.ts";
import { groupScreenshots } from "../../../shared/report/group-screenshots.ts";
import type { ReportScreenshot } from "../../../shared/report/report-model.ts";
import { escapeMarkdown, folded, link } from "../../../shared/text/code-host-markdown.ts";
import {
  cutEscaped,
  fittingLines,
  remainingLimit,
  TEXT_LIMITS,
  type TextLimit,
} from "../../../shared/text/text-limits.ts";
import { changeImageOf, reviewLink } from "../checks/change-image.ts";
import { checkNameOf, commentMarkerOf } from "../checks/check-name.rule.ts";
import type { CheckRun } from "../checks/check-run.entity.ts";
import type { CheckState } from "../checks/check-state.rule.ts";
import { causeOf, productionOf } from "../checks/describe-cause.ts";
import { reportModelOf } from "../checks/report-model.ts";
import { CHECK_TEXTS, COMMENT_TEXTS, TABLE_TEXTS } from "../texts/comments.ts";

const { comment } = TEXT_LIMITS;
/** The limit of one escaped external text. */
const PART_LIMIT = { max: 4_000, unit: comment.unit };
/** The room for the separators of a comment. */
const SEPARATOR_CHARS = 200;
const CHANGE_PX = 480;
/** The number of named pages of a change. */
const MAX_NAMED_PAGES = 5;
/** The room for a folded section without its table. */
const MINOR_SECTION_CHARS = 200;
const TABLE_HEAD_LINES = 2;
/** The number of named reasons. Runs usually have one or two. */
const MAX_REASONS = 5;

const TITLES: Record<string, string> = COMMENT_TEXTS.sections;

/** Returns the comment about the latest run of a check, or null before the run has ended. */
export function describeComment(state: CheckState, sha: string, name = ""): string | null {
  if (state.kind !== "ended") return null;
  const { run } = state;
  const model = reportModelOf(run, state.screenshots);
  const verdict = describeConclusion(model);
  const head = [
    commentMarkerOf({ name }),
    titleOf({ name }, verdict.title),
    `${part(verdict.detail)} ${link(CHECK_TEXTS.openReport, run.links.report)}`,
    ...comparedWith(model.screenshots),
    ...hiddenIn(model.screenshots),
  ].join("\n\n");
  const foot = `<sub>${COMMENT_TEXTS.foot(sha.slice(0, 7), isArchiveUrl(run.url) ? CHECK_TEXTS.archiveName : part(run.url))}</sub>`;
  const sections = groupScreenshots(model.screenshots).flatMap(({ name, stacks }) => {
    const title = TITLES[name];
    return title === undefined ? [] : [`#### ${title}\n\n${changesIn(stacks, run.links.report)}`];
  });
  const room = remainingLimit(comment, head, foot, SEPARATOR_CHARS);
  const { lines, left } = fittingLines(sections.join("\n\n").split("\n"), room);
  const body = lines.join("\n");
  const minor = minorSection(model.screenshots, run.links.report, remainingLimit(room, body));
  const more = left + minor.left > 0 ? COMMENT_TEXTS.more : "";
  const parts = [head, body, minor.text, more, foot].filter(text => text !== "");
  return `${parts.join("\n\n")}\n`;
}

/** Returns a minimal comment for a code host that refuses the full one. It has no external text. */
export function describeCommentBriefly(state: Extract<CheckState, { kind: "ended" }>, name = ""): string {
  const { run, screenshots } = state;
  const { title } = describeConclusion(reportModelOf(run, screenshots));
  const head = titleOf({ name: name === "" ? "" : CHECK_TEXTS.unnamedBuild }, title);
  return `${[commentMarkerOf({ name }), head, link(CHECK_TEXTS.openReport, run.links.report)].join("\n\n")}\n`;
}

function titleOf(check: Pick<CheckRun, "name">, title: string): string {
  return `### ${COMMENT_TEXTS.title(escapeMarkdown(checkNameOf(check)), escapeMarkdown(title))}`;
}

/** Returns an external text as Markdown. */
function part(text: string): string {
  return cutEscaped(text, PART_LIMIT, escapeMarkdown);
}

/** Returns the folded minor changes that fit, and the number of omitted ones. */
function minorSection(
  screenshots: ReportScreenshot[],
  reportUrl: string,
  limit: TextLimit,
): { text: string; left: number } {
  const group = groupScreenshots(screenshots).find(({ name }) => name === "minor");
  if (!group) return { text: "", left: 0 };
  const title = TABLE_TEXTS.minorChanges(group.stacks.flat().length);
  const { lines, left } = fittingLines(
    changesIn(group.stacks, reportUrl).split("\n"),
    remainingLimit(limit, MINOR_SECTION_CHARS),
  );
  const isEmpty = lines.length <= TABLE_HEAD_LINES;
  return isEmpty ? { text: "", left } : { text: folded(title, lines.join("\n")), left };
}

function hiddenIn(screenshots: ReportScreenshot[]): string[] {
  const hidden = describeAllIgnored(screenshots);
  return hidden === null ? [] : [hidden];
}

/** Returns the reasons for the baselines with their number of screenshots, the most common first. */
function comparedWith(screenshots: ReportScreenshot[]): string[] {
  const counts = new Map<string, number>();
  for (const { baseline } of screenshots)
    if (baseline) counts.set(baseline.reason, (counts.get(baseline.reason) ?? 0) + 1);
  if (counts.size === 0) return [];
  const all = [...counts].toSorted(([, a], [, b]) => b - a);
  const named = all.slice(0, MAX_REASONS).map(([reason, times]) => COMMENT_TEXTS.reason(part(reason), times));
  const more = all.length > MAX_REASONS ? [COMMENT_TEXTS.otherReasons(all.length - MAX_REASONS)] : [];
  return [COMMENT_TEXTS.baselines([...named, ...more].join(" · "))];
}

/** Returns one row per change, with all its screenshots. */
function changesIn(stacks: ReportScreenshot[][], reportUrl: string): string {
  const { change, changeParts, pages } = COMMENT_TEXTS.columns;
  const hasParts = stacks.some(([first]) => first?.images.change);
  const head = `| ${hasParts ? changeParts : change} | ${pages} |`;
  return [head, "|---|---|", ...stacks.map(stack => changeRow(stack, reportUrl))].join("\n");
}

function changeRow(stack: ReportScreenshot[], reportUrl: string): string {
  const [first] = stack;
  if (!first) return "";
  const image = changeImageOf(first, reportUrl, CHANGE_PX);
  const named = stack
    .slice(0, MAX_NAMED_PAGES)
    .map(shot => COMMENT_TEXTS.page(reviewLink(shot, reportUrl), shot.viewport));
  const more =
    stack.length > MAX_NAMED_PAGES ? [COMMENT_TEXTS.morePages(stack.length - MAX_NAMED_PAGES)] : [];
  const difference = escapeMarkdown(describeDifference(first)) + causeOf(first) + productionOf(first);
  return `| ${image && `${image}<br>`}${difference} | ${[...named, ...more].join("<br>")} |`;
}
