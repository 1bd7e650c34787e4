import type { RunView } from "../../../shared/contracts/runs/runs.ts";
import type { ScreenshotView } from "../../../shared/contracts/runs/screenshots.ts";
import type { ReportModel, ReportScreenshot } from "../../../shared/report/report-model.ts";

/** Returns a run of the API as the report's model. */
export function reportModelOf(run: RunView, screenshots: ScreenshotView[]): ReportModel {
  const { scm } = run;
  return {
    run: { ...run, scm: scm && { owner: scm.owner, repo: scm.repo, sha: scm.sha, pr: scm.pr ?? null } },
    screenshots: screenshots.map(reportScreenshot),
    downloadUrl: null,
  };
}

/** The API has no size of the baseline. Check runs and comments do not show it. */
function reportScreenshot({ baseline, stable, ...screenshot }: ScreenshotView): ReportScreenshot {
  return {
    ...screenshot,
    stable: stable ?? true,
    baseline: baseline && { ...baseline, width: 0, height: 0 },
  };
}
