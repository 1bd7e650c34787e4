import type { ReportScreenshot } from "../../../shared/report/report-model.ts";
import { thumbnail } from "../../../shared/text/code-host-markdown.ts";
import { PICTURE_TEXTS } from "../texts.ts";

/** The code host shows it smaller, so that text is still sharp on its reader's screen. */
const PAGE_PX = 200;
/** Asked of the gateway: the top of a page, which may be 20,000 px long. */
const TOP = "w=320&band=0";

/**
 * Returns a picture of a screenshot for the code host, which opens the report: the changed part in the baseline, the
 * screenshot, and the difference, else the top of the page.
 * @param changeWidthPx of the picture of a change, which has three parts
 */
export function changeImageOf(shot: ReportScreenshot, reportUrl: string, changeWidthPx: number): string {
  const { images, route } = shot;
  const report = `${reportUrl}#${encodeURIComponent(shot.id)}/side`;
  if (images.change) return thumbnail(images.change, PICTURE_TEXTS.change(route), changeWidthPx, report);
  const page = images.current ?? images.baseline;
  if (page === null) return "";
  const top = `${page}${page.includes("?") ? "&" : "?"}${TOP}`;
  return thumbnail(top, PICTURE_TEXTS.page(route), PAGE_PX, report);
}
