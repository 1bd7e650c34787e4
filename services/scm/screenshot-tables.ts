import { groupScreenshots } from "../../shared/report/group-screenshots.ts";
import type { ReportScreenshot } from "../../shared/report/report-model.ts";
import { count, difference, standingOf } from "../../shared/report/words.ts";
import { code, escapeMarkdown, folded, link, thumbnail } from "../../shared/text/code-host-markdown.ts";
import { cut, fittingLines, roomBeside, type TextLimit } from "../../shared/text/text-limits.ts";

const THUMBNAIL_PX = 120;
/** Of the lines around and between the tables. */
const FRAME = 400;
/** Of why a page could not be captured. */
const REASON = { max: 300, unit: "characters" } as const;
/** What a reviewer need not decide on. */
const AT_REST = new Set(["unchanged", "approved", "carried", "pending"]);

/** A run's screenshots for whoever reviews them: what differs in a table, minor changes and the rest folded. */
export function screenshotTables(
  screenshots: ReportScreenshot[],
  reportUrl: string,
  limit: TextLimit,
): string {
  const inNeed = groupScreenshots(screenshots).flatMap(({ stacks }) => stacks.flat());
  const minor = inNeed.filter(shot => standingOf(shot) === "minor");
  const toSee = screenshots.filter(shot => standingOf(shot) !== "minor" && !AT_REST.has(standingOf(shot)));
  const others = screenshots.filter(shot => AT_REST.has(standingOf(shot)));
  const report = link("report", reportUrl);
  const room = roomBeside(limit, report, FRAME);
  const first = table(toSee, room);
  const second = table(minor, roomBeside(room, first.text));
  const rest = table(others, roomBeside(room, first.text, second.text), { pictures: false });
  const left = first.left + second.left + rest.left;
  return [
    first.text,
    second.text && folded(count(minor.length, "minor change"), second.text),
    rest.text && folded(`${count(others.length, "screenshot")} as approved`, rest.text),
    left > 0 && `${count(left, "more screenshot")} in the ${report}.`,
  ]
    .filter(part => part)
    .join("\n\n");
}

function table(
  screenshots: ReportScreenshot[],
  limit: TextLimit,
  { pictures = true } = {},
): { text: string; left: number } {
  if (screenshots.length === 0) return { text: "", left: 0 };
  const head = pictures
    ? "| Page | Width | Difference | | Compared with |\n|---|---:|---|---|---|"
    : "| Page | Width | Difference | Compared with |\n|---|---:|---|---|";
  const rows = screenshots.map(shot => row(shot, pictures));
  const { lines, left } = fittingLines(rows, roomBeside(limit, head));
  return lines.length === 0 ? { text: "", left } : { text: [head, ...lines].join("\n"), left };
}

function row(shot: ReportScreenshot, pictures: boolean): string {
  const cells = [
    code(shot.route),
    `${shot.viewport} px`,
    escapeMarkdown(amountOf(shot)),
    ...(pictures ? [pictureOf(shot)] : []),
    escapeMarkdown(shot.baseline ? shot.baseline.reason : "nothing"),
  ];
  return `| ${cells.join(" | ")} |`;
}

function amountOf(shot: ReportScreenshot): string {
  const moving = shot.stable ? "" : "; the page kept moving";
  const review = reviewInWords(shot);
  const reason = shot.status === "failed" && shot.error !== null ? `: ${cut(shot.error, REASON)}` : "";
  return `${difference(shot)}${reason}${review}${moving}`;
}

function reviewInWords({ review, carried }: ReportScreenshot): string {
  if (review === null) return "";
  if (review.state === "pending") return ` (${review.approvals} of ${review.required} approvals)`;
  return review.state === "approved" && carried !== null ? " (approved before)" : ` (${review.state})`;
}

/** Where it changed, else how it looks, else how it looked. */
function pictureOf({ images, route }: ReportScreenshot): string {
  const url = images.diff ?? images.current ?? images.baseline;
  return url === null ? "" : thumbnail(url, route, THUMBNAIL_PX);
}
