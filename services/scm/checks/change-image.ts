import { pageName } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { ReportScreenshot } from "../../../shared/report/report-model.ts";
import { code, link, thumbnail } from "../../../shared/text/code-host-markdown.ts";
import { IMAGE_TEXTS } from "../texts/comments.ts";

/** The code host shows it smaller, so that its text is sharp on high-density displays. */
const PAGE_PX = 200;
/** The gateway's parameters for the top of a page, which may be 20,000 px long. */
const TOP = "w=320&band=0";

/**
 * Returns an image of a screenshot that links to the report. It shows the changed part in the baseline, the screenshot,
 * and the difference. Without a change, it shows the top of the page.
 * @param changeWidthPx the width of a change's image, which has three parts
 */
export function changeImageOf(shot: ReportScreenshot, reportUrl: string, changeWidthPx: number): string {
  const { images } = shot;
  const name = pageName(shot);
  const report = `${reportUrl}#${encodeURIComponent(shot.id)}/side`;
  if (images.change) return thumbnail(images.change, IMAGE_TEXTS.change(name), changeWidthPx, report);
  const page = images.current ?? images.baseline;
  if (page === null) return "";
  const top = `${page}${page.includes("?") ? "&" : "?"}${TOP}`;
  return thumbnail(top, IMAGE_TEXTS.page(name), PAGE_PX, report);
}

/** Returns a page of the dashboard's review of a run. @param reportUrl link to the report of the run */
function reviewUrlOf(query: Record<string, string>, reportUrl: string): string | null {
  const [, base, runId] = /^(.*)\/v1\/reports\/([^/?#]+)/.exec(reportUrl) ?? [];
  return base === undefined || runId === undefined
    ? null
    : `${base}/review/${runId}?${new URLSearchParams(query)}`;
}

/**
 * Returns the page of the dashboard that shows a thread at its spot.
 * @param screenshotId null for a thread on the run
 * @param reportUrl link to the report of its run
 */
export function threadUrlOf(screenshotId: string | null, threadId: string, reportUrl: string): string | null {
  return reviewUrlOf({ ...(screenshotId !== null && { shot: screenshotId }), comment: threadId }, reportUrl);
}

/** Returns the name of a screenshot's page as code, with a link to its review. */
export function reviewLink(shot: ReportScreenshot, reportUrl: string): string {
  const url = reviewUrlOf({ shot: shot.id }, reportUrl);
  const name = code(pageName(shot));
  return url === null ? name : link(name, url);
}
