import { z } from "zod";
import { describeWarning } from "../../shared/contracts/runs/run-warning.ts";
import { visibleLine } from "../../shared/text/visible-text.ts";
import type { Answer, Item } from "../client/vrs-client.ts";
import { RESULT_FIELDS as FIELDS } from "../texts/mcp.ts";

/** What tools return about runs and screenshots: the part of the API's views that an agent needs, with bounds. */

export type Run = Answer<"GET /v1/runs/{id}">;
export type Screenshot = Item<"GET /v1/screenshots/{runId}">;

const TEXT_CHARS = 300;
const URL_CHARS = 500;
const REGIONS = 10;
const NOTES = 5;
const PROBLEMS = 5;

const short = (text: string) => limited(text, TEXT_CHARS);

/** Returns a foreign text on one line, with at most this many characters. */
export function limited(text: string, chars: number): string {
  const line = visibleLine(text);
  return line.length <= chars ? line : `${line.slice(0, chars - 1)}…`;
}

const text = z.string();
const number = z.number();

export const runSchema = z.object({
  id: text,
  status: text,
  conclusion: text.nullable(),
  project: text,
  url: text,
  branch: text.nullable(),
  pullRequest: number.nullable(),
  counts: z.object({
    unchanged: number,
    minor: number,
    changed: number,
    new: number,
    removed: number,
    failed: number,
  }),
  captured: number.describe(FIELDS.captured),
  total: number.describe(FIELDS.total),
  createdAt: text,
  intended: number.nullable().describe(FIELDS.intendedCount),
  unintended: number.nullable().describe(FIELDS.unintendedCount),
  error: text.nullable(),
  warnings: z.array(text),
  report: text.describe(FIELDS.reportLink),
});

export function viewOfRun({ progress, scm, warnings, links, ...run }: Run): z.input<typeof runSchema> {
  const { id, status, conclusion, project, branch, counts, createdAt } = run;
  return {
    ...{ id, status, conclusion, project, branch, counts, createdAt },
    url: limited(run.url, URL_CHARS),
    pullRequest: scm?.pr ?? null,
    captured: progress.captured,
    total: progress.total,
    intended: run.intent?.intended ?? null,
    unintended: run.intent?.unintended ?? null,
    error: run.error === null ? null : short(run.error),
    warnings: warnings.slice(0, NOTES).map(warning => short(describeWarning(warning))),
    report: links.report,
  };
}

const regionSchema = z.object({ x: number, y: number, width: number, height: number });

const pageSchema = z.object({
  route: text,
  state: text.nullable(),
  environment: text.nullable(),
  viewport: number.describe(FIELDS.viewport),
});

/** What went wrong in the browser. */
const problemsSchema = z.object({
  failedRequests: z.array(text),
  console: z.array(text),
  errors: z.array(text),
  more: number.describe(FIELDS.moreProblems),
});

export const screenshotSchema = pageSchema.extend({
  screenshotId: text,
  status: text,
  review: text.nullable(),
  diffRatio: number.nullable().describe(FIELDS.diffRatio),
  diffPixels: number.nullable(),
  faintPixels: number.describe(FIELDS.faintPixels),
  minor: z.boolean(),
  intended: z.boolean().nullable().describe(FIELDS.intended),
  regions: z.array(regionSchema).describe(FIELDS.regions),
  regionCount: number,
  fingerprint: text.nullable().describe(FIELDS.fingerprint),
  causes: z.array(text).describe(FIELDS.causes),
  accessibility: z.array(text).describe(FIELDS.accessibility),
  unstable: z.array(text).describe(FIELDS.unstable),
  baseline: text.nullable().describe(FIELDS.baseline),
  notes: z.array(text),
  problems: problemsSchema.nullable(),
  error: text.nullable().describe(FIELDS.error),
  picture: text.nullable().describe(FIELDS.noPicture),
});

export type ScreenshotResult = z.input<typeof screenshotSchema>;

export function viewOfScreenshot(shot: Screenshot, picture: string | null): ScreenshotResult {
  const { id, route, state, environment, viewport, status, minor, fingerprint } = shot;
  const { diffRatio, diffPixels, faintPixels } = shot;
  return {
    ...{ route: limited(route, URL_CHARS), state, environment, viewport },
    ...{ screenshotId: id, status, diffRatio, diffPixels, faintPixels, minor, fingerprint, picture },
    intended: shot.intended ?? null,
    review: shot.review?.state ?? null,
    regions: shot.regions.slice(0, REGIONS),
    regionCount: shot.regions.length,
    ...explained(shot.explanation),
    unstable: shot.stable === false ? shot.moving.slice(0, NOTES).map(short) : [],
    baseline: shot.baseline && short(shot.baseline.reason),
    notes: shot.notes.slice(0, NOTES).map(short),
    problems: problemsOf(shot.diagnostics),
    error: shot.error === null ? null : short(shot.error),
  };
}

/** Returns why a screenshot changed, in words. */
function explained(explanation: Screenshot["explanation"] | undefined) {
  const { causes = [], accessibility = [] } = explanation ?? {};
  const first = (entries: { text: string }[]) => entries.slice(0, NOTES).map(entry => short(entry.text));
  return { causes: first(causes), accessibility: first(accessibility) };
}

/** Returns the problems of a page, new ones first. */
export function problemsOf(found: Screenshot["diagnostics"]): z.input<typeof problemsSchema> | null {
  if (found === null) return null;
  const { failedRequests, consoleMessages, pageErrors, dropped } = found;
  const first = <T extends { isNew?: boolean | undefined }>(entries: T[], show: (entry: T) => string) =>
    entries
      .toSorted((one, other) => Number(other.isNew ?? false) - Number(one.isNew ?? false))
      .slice(0, PROBLEMS)
      .map(entry => `${entry.isNew ? "new: " : ""}${short(show(entry))}`);
  const all = [failedRequests, consoleMessages, pageErrors];
  return {
    failedRequests: first(failedRequests, each => `${each.method} ${each.url} ${each.status ?? each.error}`),
    console: first(consoleMessages, each => `${each.level}: ${each.text}`),
    errors: first(pageErrors, each => each.message),
    more:
      all.reduce((sum, entries) => sum + Math.max(0, entries.length - PROBLEMS), 0) +
      dropped.failedRequests +
      dropped.consoleMessages +
      dropped.pageErrors,
  };
}
