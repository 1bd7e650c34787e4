import type { UploadView } from "../../shared/contracts/builds/uploaded-screenshot.ts";
import { DEFAULT_ENVIRONMENT } from "../../shared/contracts/capture/environment.ts";
import { environmentLabel } from "../../shared/contracts/capture/screenshot-key.ts";
import type { ReviewView } from "../../shared/contracts/reviews/review-view.ts";
import type { ScreenshotView } from "../../shared/contracts/runs/screenshots.ts";
import type { ReportScreenshot } from "../../shared/report/report-model.ts";

/** A screenshot as in the report, with the reader's own decision. */
export interface Screenshot extends ReportScreenshot {
  /** Metadata of an uploaded screenshot. */
  upload?: UploadView | undefined;
  /** Set if an ignore rule raised the page's threshold. */
  raised?: ScreenshotView["raised"];
  ownDecision: OwnDecision | null;
}

/** The reader's current decision. */
export interface OwnDecision {
  verdict: "approved" | "rejected";
  /** Reason of a rejection, or note of an approval. */
  reason: string | null;
  /** Whether it was rejected as a false alarm. */
  noise?: boolean;
}

/**
 * Converts a screenshot from the API. @param reader the reviewer that the reader counts as; null if unknown
 */
export function toScreenshot(screenshot: ScreenshotView, reader: string | null): Screenshot {
  const { baseline, images } = screenshot;
  return {
    ...screenshot,
    // A page without a capture has no stability.
    stable: screenshot.stable ?? true,
    baseline: baseline && { ...baseline, width: baseline.width ?? 0, height: baseline.height ?? 0 },
    ownDecision: findOwnDecision(screenshot.reviews, reader),
    upload: screenshot.upload && ownUpload(screenshot.upload),
    images: {
      current: ownLink(images.current),
      baseline: ownLink(images.baseline),
      diff: ownLink(images.diff),
      failure: ownLink(images.failure ?? null),
    },
  };
}

/** Returns a reviewer's current decision, if it counts. */
export function findOwnDecision(reviews: readonly ReviewView[], reader: string | null): OwnDecision | null {
  const decided = reviews.findLast(({ countsAs, stands }) => stands && countsAs === reader);
  if (!decided || decided.verdict === "dismissed") return null;
  const { verdict, reason, noise } = decided;
  return { verdict, reason, ...(noise && { noise }) };
}

/**
 * Returns an image's URL relative to the page, which may have been opened under another name of the service.
 */
export function ownLink(link: string | null): string | null {
  return link === null ? null : ownPath(link);
}

function ownPath(link: string): string {
  return link.slice(link.search(/\/v1\/(images|attachments)\//) + 1);
}

function ownUpload({ attachments, ...upload }: UploadView): UploadView {
  if (!attachments) return upload;
  return {
    ...upload,
    attachments: attachments.map(each => (each.kind === "link" ? each : { ...each, url: ownPath(each.url) })),
  };
}

/** Returns the names of the environments, the default one first. */
export function uniqueEnvironments(pages: readonly { environment: string | null }[]): string[] {
  return [...new Set(pages.map(({ environment }) => environmentLabel(environment)))].sort(
    (one, other) =>
      Number(other === DEFAULT_ENVIRONMENT) - Number(one === DEFAULT_ENVIRONMENT) || (one < other ? -1 : 1),
  );
}

/** Returns the widths, the narrowest first. */
export function uniqueWidths(pages: readonly { viewport: number }[]): number[] {
  return [...new Set(pages.map(({ viewport }) => viewport))].sort((one, other) => one - other);
}
