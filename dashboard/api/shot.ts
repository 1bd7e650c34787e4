import type { RunView, ScreenshotView } from "../../shared/contracts/http.ts";
import type { ReportModel, ReportScreenshot } from "../../shared/report/report-model.ts";

/** A screenshot as the pages show it: as the report does, with the reviewer's words. */
export interface Shot extends ReportScreenshot {
  reviewReason: string | null;
}

/** @param screenshot as the service answers it */
export function shotOf(screenshot: ScreenshotView): Shot {
  const { baseline, images } = screenshot;
  return {
    ...screenshot,
    // Of what has not been photographed there is nothing to say.
    stable: screenshot.stable ?? true,
    baseline: baseline && { ...baseline, width: baseline.width ?? 0, height: baseline.height ?? 0 },
    images: { current: own(images.current), baseline: own(images.baseline), diff: own(images.diff) },
  };
}

/** An image's link as seen from the page, which may have been opened under another name of the service. */
function own(link: string | null): string | null {
  return link === null ? null : link.slice(link.indexOf("/v1/images/") + 1);
}

/** What the words about a run are made from. */
export function modelOf(run: RunView, screenshots: readonly ReportScreenshot[]): ReportModel {
  const { scm } = run;
  return {
    run: { ...run, scm: scm && { owner: scm.owner, repo: scm.repo, sha: scm.sha, pr: scm.pr ?? null } },
    screenshots: [...screenshots],
    downloadUrl: null,
  };
}
