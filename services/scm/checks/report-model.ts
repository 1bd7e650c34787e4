import type { RunView, ScreenshotView } from "../../../shared/contracts/runs/runs.ts";
import type { ReportModel, ReportScreenshot } from "../../../shared/report/report-model.ts";

/** A run as reports know it, made of what the API tells of it. */
export function reportModelOf(run: RunView, screenshots: ScreenshotView[]): ReportModel {
  const { scm } = run;
  return {
    run: { ...run, scm: scm && { owner: scm.owner, repo: scm.repo, sha: scm.sha, pr: scm.pr ?? null } },
    screenshots: screenshots.map(reportScreenshot),
    downloadUrl: null,
  };
}

/** The baseline's size is not told, and not shown here. */
function reportScreenshot({ baseline, stable, ...screenshot }: ScreenshotView): ReportScreenshot {
  return {
    ...screenshot,
    stable: stable ?? true,
    baseline: baseline && { ...baseline, width: 0, height: 0 },
  };
}
