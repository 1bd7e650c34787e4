import { createHash } from "node:crypto";
import { pageUrl } from "../../../shared/capture/network/page-url.ts";
import { ignoreSelectorsAt } from "../../../shared/contracts/capture/ignore-region.ts";
import { optionsOf } from "../../../shared/contracts/capture/plan-pages.ts";
import { environmentOutside } from "../../../shared/contracts/capture/region.ts";
import type { ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import { VIEWPORT_HEIGHT_PX } from "../../../shared/contracts/capture/viewport.ts";
import type { CaptureJob, JobScreenshot } from "../../../shared/contracts/runs/jobs.ts";
import type { RunWithOptions } from "../run.entity.ts";
import type { RunsContext } from "../runs-context.ts";
import { storySettings } from "../stories/story-settings.ts";
import { jobOf } from "../submission/plan-screenshots.rule.ts";
import type { DispatchedScreenshot } from "./dispatch.store.ts";

type CapturedPage = Pick<DispatchedScreenshot, "route" | "environment" | "region" | "story">;

/** Returns how a run captures a route or a story in an environment, and from where. */
export function captureSettings(
  run: Pick<RunWithOptions, "url" | "options">,
  { route, environment: named, region, story }: CapturedPage,
): Pick<CaptureJob, "url" | "site" | "options" | "environment" | "session" | "story" | "region"> {
  if (story) return storySettings(run, story);
  const { url, options } = run;
  const name = environmentOutside(named, region);
  const { capture } = optionsOf(options, route);
  const environment = name === null ? undefined : options.environments?.[name];
  const session = capture.session === undefined ? undefined : options.sessions?.[capture.session];
  return {
    url: pageUrl(url, route),
    site: url,
    options: capture,
    ...(environment && { environment }),
    ...(session && { session }),
    ...(region !== null && { region }),
  };
}

/**
 * Returns a screenshot of a job, with the token that its result needs.
 * @param baselineCapsule hash of its baseline's capsule. Undefined if there is none
 */
export function jobScreenshot(
  { tokens }: RunsContext,
  { options }: RunWithOptions,
  screenshot: DispatchedScreenshot,
  baselineCapsule: string | undefined,
): JobScreenshot {
  const { id, runId, state, viewport, viewportHeight: height, baselineHash } = screenshot;
  const environment = environmentOutside(screenshot.environment, screenshot.region);
  const ignoreSelectors =
    screenshot.story?.ignoreSelectors ??
    ignoreSelectorsAt(optionsOf(options, screenshot.route).ignoreRegions, { viewport, environment });
  return {
    ...{ id, viewport, baselineHash },
    ...(baselineCapsule === undefined
      ? baselineHash !== null && { needsCapsule: true as const }
      : { baselineCapsule }),
    ...(state !== null && { state }),
    ...(height !== VIEWPORT_HEIGHT_PX && { height }),
    ...(ignoreSelectors.length > 0 && { ignoreSelectors }),
    token: tokens.issue("capture", runId, id),
  };
}

/** Returns how the pages of a run's jobs reach its site. */
export function siteFields({
  tunnel,
  archive,
  options,
}: Pick<RunWithOptions, "tunnel" | "archive" | "options">): Pick<
  CaptureJob,
  "tunnel" | "archive" | "allowHosts"
> {
  return {
    ...(tunnel !== null && { tunnel }),
    ...(archive !== null && {
      archive,
      ...(options.allowHosts && { allowHosts: options.allowHosts }),
    }),
  };
}

/** Returns the id of the job that captures this page. Names can contain any character. */
export function captureJobId({ route, environment }: Pick<ScreenshotKey, "route" | "environment">): string {
  return createHash("sha256").update(jobOf(route, environment)).digest("hex").slice(0, 32);
}
