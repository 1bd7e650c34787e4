import { allIgnoredInWords, difference } from "../../../shared/report/describe-screenshot.ts";
import { groupScreenshots } from "../../../shared/report/group-screenshots.ts";
import type { ReportScreenshot } from "../../../shared/report/report-model.ts";
import { verdictOf } from "../../../shared/report/verdict.ts";
import { code, escapeMarkdown, folded, link } from "../../../shared/text/code-host-markdown.ts";
import {
  cutEscaped,
  fittingLines,
  remainingLimit,
  TEXT_LIMITS,
  type TextLimit,
} from "../../../shared/text/text-limits.ts";
import { changeImageOf } from "../checks/change-image.ts";
import type { CheckState } from "../checks/check-state.rule.ts";
import { reportModelOf } from "../checks/report-model.ts";
import { CHECK_TEXTS, COMMENT_TEXTS, TABLE_TEXTS } from "../texts.ts";

/** By which the app finds its comment again; people do not see it. */
export const COMMENT_MARKER = "<!-- vrs: the result of Service / Preview -->";

const { comment } = TEXT_LIMITS;
/** Of one text from elsewhere, once it is escaped. */
const PART = { max: 4_000, unit: comment.unit };
/** Of what stands between the parts of a comment. */
const FRAME = 200;
const CHANGE_PX = 480;
/** Pages named of a change that is on many. */
const NAMED = 5;
/** Of a folded section without its table. */
const MINOR_FRAME = 200;
const TABLE_HEAD_LINES = 2;
/** Reasons for a baseline named; runs have one or two. */
const REASONS = 5;

const TITLES: Record<string, string> = COMMENT_TEXTS.sections;

/** What a pull request's comment says of the latest run; null while that has not ended. */
export function describeComment(state: CheckState, sha: string): string | null {
  if (state.kind !== "settled") return null;
  const { run } = state;
  const model = reportModelOf(run, state.screenshots);
  const verdict = verdictOf(model);
  const head = [
    COMMENT_MARKER,
    `### ${COMMENT_TEXTS.title(escapeMarkdown(verdict.title))}`,
    `${part(verdict.detail)} ${link(CHECK_TEXTS.openReport, run.links.report)}`,
    ...comparedWith(model.screenshots),
    ...hiddenIn(model.screenshots),
  ].join("\n\n");
  const foot = `<sub>${COMMENT_TEXTS.foot(sha.slice(0, 7), part(run.url))}</sub>`;
  const sections = groupScreenshots(model.screenshots).flatMap(({ name, stacks }) => {
    const title = TITLES[name];
    return title === undefined ? [] : [`#### ${title}\n\n${changesIn(stacks, run.links.report)}`];
  });
  const room = remainingLimit(comment, head, foot, FRAME);
  const { lines, left } = fittingLines(sections.join("\n\n").split("\n"), room);
  const body = lines.join("\n");
  const minor = minorSection(model.screenshots, run.links.report, remainingLimit(room, body));
  const more = left + minor.left > 0 ? COMMENT_TEXTS.more : "";
  const parts = [head, body, minor.text, more, foot].filter(text => text !== "");
  return `${parts.join("\n\n")}\n`;
}

/** Returns the same in the fewest words, all of them our own, for a code host that refuses the whole. */
export function describeCommentBriefly(state: Extract<CheckState, { kind: "settled" }>): string {
  const { run, screenshots } = state;
  const { title } = verdictOf(reportModelOf(run, screenshots));
  const head = `### ${COMMENT_TEXTS.title(escapeMarkdown(title))}`;
  return `${[COMMENT_MARKER, head, link(CHECK_TEXTS.openReport, run.links.report)].join("\n\n")}\n`;
}

/** Returns a text from elsewhere as Markdown. */
function part(text: string): string {
  return cutEscaped(text, PART, escapeMarkdown);
}

/** Returns the minor changes, folded; as many as there is room for, and how many changes are left out. */
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
    remainingLimit(limit, MINOR_FRAME),
  );
  const isEmpty = lines.length <= TABLE_HEAD_LINES;
  return isEmpty ? { text: "", left } : { text: folded(title, lines.join("\n")), left };
}

function hiddenIn(screenshots: ReportScreenshot[]): string[] {
  const hidden = allIgnoredInWords(screenshots);
  return hidden === null ? [] : [hidden];
}

/** Why these baselines: each reason with the number of screenshots that it is of, the most usual first. */
function comparedWith(screenshots: ReportScreenshot[]): string[] {
  const counts = new Map<string, number>();
  for (const { baseline } of screenshots)
    if (baseline) counts.set(baseline.reason, (counts.get(baseline.reason) ?? 0) + 1);
  if (counts.size === 0) return [];
  const all = [...counts].toSorted(([, a], [, b]) => b - a);
  const named = all.slice(0, REASONS).map(([reason, times]) => COMMENT_TEXTS.reason(part(reason), times));
  const more = all.length > REASONS ? [COMMENT_TEXTS.otherReasons(all.length - REASONS)] : [];
  return [COMMENT_TEXTS.baselines([...named, ...more].join(" · "))];
}

/** One line for each change, however many screenshots it is seen on. */
function changesIn(stacks: ReportScreenshot[][], reportUrl: string): string {
  const { change, changeParts, pages } = COMMENT_TEXTS.columns;
  const hasParts = stacks.some(([first]) => first?.images.change);
  const head = `| ${hasParts ? changeParts : change} | ${pages} |`;
  return [head, "|---|---|", ...stacks.map(stack => changeRow(stack, reportUrl))].join("\n");
}

function changeRow(stack: ReportScreenshot[], reportUrl: string): string {
  const [first] = stack;
  if (!first) return "";
  const picture = changeImageOf(first, reportUrl, CHANGE_PX);
  const places = stack
    .slice(0, NAMED)
    .map(({ route, viewport }) => COMMENT_TEXTS.page(code(route), viewport));
  const more = stack.length > NAMED ? [COMMENT_TEXTS.morePages(stack.length - NAMED)] : [];
  return `| ${picture && `${picture}<br>`}${escapeMarkdown(difference(first))} | ${[...places, ...more].join("<br>")} |`;
}
