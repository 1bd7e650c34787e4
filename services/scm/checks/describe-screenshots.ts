import { pageName } from "../../../shared/contracts/capture/screenshot-key.ts";
import { describeDifference } from "../../../shared/report/describe-screenshot.ts";
import { displayStatusOf } from "../../../shared/report/display-status.ts";
import { groupScreenshots } from "../../../shared/report/group-screenshots.ts";
import type { ReportScreenshot } from "../../../shared/report/report-model.ts";
import { code, escapeMarkdown, folded, link } from "../../../shared/text/code-host-markdown.ts";
import { cut, fittingLines, remainingLimit, type TextLimit } from "../../../shared/text/text-limits.ts";
import { TABLE_TEXTS } from "../texts/comments.ts";
import { changeImageOf, reviewLink } from "./change-image.ts";
import { causeOf, productionOf } from "./describe-cause.ts";

/** Leaves room for the other columns. */
const CHANGE_PX = 360;
/** The room for the lines around and between the tables. */
const SEPARATOR_CHARS = 400;
/** The limit of the reason why a page could not be captured. */
const REASON_LIMIT = { max: 300, unit: "characters" } as const;
/** The states that need no decision. */
const DECIDED = new Set(["unchanged", "approved", "carried", "pending"]);

/** Returns tables of a run's screenshots for reviewers. Minor changes and the rest are folded. */
export function screenshotTables(
  screenshots: ReportScreenshot[],
  reportUrl: string,
  limit: TextLimit,
): string {
  const toReview = groupScreenshots(screenshots).flatMap(({ stacks }) => stacks.flat());
  const minor = toReview.filter(shot => displayStatusOf(shot) === "minor");
  const changed = screenshots.filter(
    shot => displayStatusOf(shot) !== "minor" && !DECIDED.has(displayStatusOf(shot)),
  );
  const others = screenshots.filter(shot => DECIDED.has(displayStatusOf(shot)));
  const report = link(TABLE_TEXTS.report, reportUrl);
  const room = remainingLimit(limit, report, SEPARATOR_CHARS);
  const first = table(changed, room, reportUrl);
  const second = table(minor, remainingLimit(room, first.text), reportUrl);
  const rest = table(others, remainingLimit(room, first.text, second.text), null);
  const left = first.left + second.left + rest.left;
  return [
    first.text,
    second.text && folded(TABLE_TEXTS.minorChanges(minor.length), second.text),
    rest.text && folded(TABLE_TEXTS.unchanged(others.length), rest.text),
    left > 0 && TABLE_TEXTS.more(left, report),
  ]
    .filter(part => part)
    .join("\n\n");
}

function table(
  screenshots: ReportScreenshot[],
  limit: TextLimit,
  /** Null for a table without images. */
  reportUrl: string | null,
): { text: string; left: number } {
  if (screenshots.length === 0) return { text: "", left: 0 };
  const { page, width, difference: amount, picture, baseline } = TABLE_TEXTS.columns;
  const head =
    reportUrl !== null
      ? `| ${page} | ${width} | ${amount} | ${picture} | ${baseline} |\n|---|---:|---|---|---|`
      : `| ${page} | ${width} | ${amount} | ${baseline} |\n|---|---:|---|---|`;
  const rows = screenshots.map(shot => row(shot, reportUrl));
  const { lines, left } = fittingLines(rows, remainingLimit(limit, head));
  return lines.length === 0 ? { text: "", left } : { text: [head, ...lines].join("\n"), left };
}

function row(shot: ReportScreenshot, reportUrl: string | null): string {
  const cells = [
    reportUrl === null ? code(pageName(shot)) : reviewLink(shot, reportUrl),
    TABLE_TEXTS.width(shot.viewport),
    escapeMarkdown(amountOf(shot)) + causeOf(shot) + productionOf(shot),
    ...(reportUrl === null ? [] : [changeImageOf(shot, reportUrl, CHANGE_PX)]),
    escapeMarkdown(shot.baseline ? shot.baseline.reason : TABLE_TEXTS.noBaseline),
  ];
  return `| ${cells.join(" | ")} |`;
}

function amountOf(shot: ReportScreenshot): string {
  const moving = shot.stable ? "" : TABLE_TEXTS.unstable;
  const review = describeReview(shot);
  const reason = shot.status === "failed" && shot.error !== null ? `: ${cut(shot.error, REASON_LIMIT)}` : "";
  return `${describeDifference(shot)}${reason}${review}${moving}`;
}

function describeReview({ review, carried }: ReportScreenshot): string {
  if (review === null) return "";
  if (review.state === "pending") return TABLE_TEXTS.pending(review.approvals, review.required);
  return review.state === "approved" && carried !== null
    ? TABLE_TEXTS.carried
    : TABLE_TEXTS.reviewed(review.state);
}
