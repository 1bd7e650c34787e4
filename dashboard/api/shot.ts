import type { ReviewView } from "../../shared/contracts/runs/review-view.ts";
import type { ScreenshotView } from "../../shared/contracts/runs/runs.ts";
import type { ReportScreenshot } from "../../shared/report/report-model.ts";

/** A screenshot as the pages show it: as the report does, with what the reader says of it. */
export interface Shot extends ReportScreenshot {
  mine: Mine | null;
}

/** What the reader says that counts. */
export interface Mine {
  verdict: "approved" | "rejected";
  /** Why it is rejected. */
  reason: string | null;
  /** Whether it is rejected as a false alarm. */
  noise?: boolean;
}

/** @param screenshot as the service answers it @param reader whom the reader counts as; null where that is not known */
export function shotOf(screenshot: ScreenshotView, reader: string | null): Shot {
  const { baseline, images } = screenshot;
  return {
    ...screenshot,
    // A page without a capture has no stability.
    stable: screenshot.stable ?? true,
    baseline: baseline && { ...baseline, width: baseline.width ?? 0, height: baseline.height ?? 0 },
    mine: mineIn(screenshot.reviews, reader),
    images: {
      current: ownLink(images.current),
      baseline: ownLink(images.baseline),
      diff: ownLink(images.diff),
    },
  };
}

/** Returns a reviewer's current decision, if it counts. */
export function mineIn(reviews: readonly ReviewView[], reader: string | null): Mine | null {
  const said = reviews.findLast(({ countsAs, stands }) => stands && countsAs === reader);
  if (!said || said.verdict === "dismissed") return null;
  const { verdict, reason, noise } = said;
  return { verdict, reason, ...(noise && { noise }) };
}

/** An image's link as seen from the page, which may have been opened under another name of the service. */
export function ownLink(link: string | null): string | null {
  return link === null ? null : link.slice(link.indexOf("/v1/images/") + 1);
}
