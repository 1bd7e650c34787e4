import { dirname, relative, sep } from "node:path";
import { countCausesOfChanged } from "../../shared/report/describe-explanation.ts";
import type { ReportModel, ReportScreenshot } from "../../shared/report/report-model.ts";
import { fileNameOf } from "../baselines/file-name.ts";
import { NOTE_TEXTS } from "../texts/check.ts";
import type { CheckedScreenshot, CheckResult } from "./check-result.ts";

/**
 * Returns the HTML report of a check. Its images are links relative to the file, so reports of any size open
 * from disk, and can be moved with their folder.
 * @param project the project's name
 * @param file path of the report
 */
export function reportOf(result: CheckResult, project: string, file: string): ReportModel {
  return reportWithLinks(result, project, path => linkTo(path, dirname(file)));
}

/** Returns the HTML report of a check. @param link returns the URL of an image file */
export function reportWithLinks(
  result: CheckResult,
  project: string,
  link: (path: string, hash: string | null) => string,
): ReportModel {
  const { counts, screenshots, conclusion } = result;
  const nothing = screenshots.length > 0 && counts.failed === screenshots.length;
  const isNew = counts.new > 0 && counts.new + counts.unchanged === screenshots.length;
  return {
    run: {
      id: null,
      madeWith: `vrs ${result.vrs}`,
      project,
      url: result.baseUrl,
      branch: null,
      scm: null,
      status: nothing ? "failed" : "completed",
      conclusion: conclusion === "passed" ? "passed" : isNew ? "new" : "changed",
      threshold: Math.max(0, ...screenshots.map(({ threshold }) => threshold)),
      createdAt: result.startedAt,
      completedAt: new Date(Date.parse(result.startedAt) + result.durationMs).toISOString(),
      causes: countCausesOfChanged(screenshots),
      error: nothing ? (screenshots[0]?.error?.message ?? null) : null,
    },
    screenshots: screenshots.map(shot => screenshotOf(shot, result, link)),
    downloadUrl: null,
  };
}

function screenshotOf(
  shot: CheckedScreenshot,
  { baseline }: CheckResult,
  link: (path: string, hash: string | null) => string,
): ReportScreenshot {
  const { files, error, ...facts } = shot;
  return {
    ...facts,
    id: idOf(shot),
    baseline: shot.baseline && {
      runId: shot.baseline.file,
      reason: baseline.ref ?? NOTE_TEXTS.fromRepository,
      width: shot.baseline.width ?? shot.width ?? shot.viewport,
      height: shot.baseline.height ?? shot.height ?? 0,
    },
    images: {
      current: files.current && link(files.current, shot.hash),
      baseline: files.baseline && link(files.baseline, shot.baseline?.hash ?? null),
      diff: files.diff && link(files.diff, null),
      failure: files.failure ? link(files.failure, null) : null,
    },
    error: error?.message ?? null,
    review: null,
    reviews: [],
    carried: null,
  };
}

/** Returns a short id that is unique in the report. It is a part of the report's URL. */
export function idOf(shot: CheckedScreenshot): string {
  if (shot.state === null && shot.environment === null) return `${shot.route}@${shot.viewport}`;
  return fileNameOf(shot).replace(/\.png$/, "");
}

function linkTo(path: string, folder: string): string {
  return relative(folder, path).split(sep).map(encodeURIComponent).join("/");
}
