import { readStorybook } from "../../shared/capture/story/read-storybook.ts";
import type { CaptureJob, ListedStories } from "../../shared/contracts/runs/jobs.ts";
import { listScreenshots } from "../../shared/storybook/list-screenshots.rule.ts";
import { StorybookError } from "../../shared/storybook/storybook-error.ts";
import type { ArchiveSites } from "./archive-sites.ts";
import type { RendererContext } from "./capture-route.ts";
import { listBuildFiles } from "./list-build-files.ts";

/** The dependencies of listing stories. */
export interface ListingContext extends RendererContext {
  archives: Pick<ArchiveSites, "of" | "files">;
}

/**
 * Lists the screenshots of a run's Storybook, stores the list, and reports it. A Storybook that can't be read ends its
 * run with the reason. Other errors are thrown, so that the job is retried.
 * @throws NoBrowserError; CaptureError if the browser was lost
 */
export async function listStories(
  context: ListingContext,
  job: CaptureJob,
  listing: NonNullable<CaptureJob["listing"]>,
  signal: AbortSignal,
): Promise<void> {
  const outcome = await outcomeOf(context, job, listing, signal).catch((error: unknown) => {
    if (error instanceof StorybookError) return { reason: error.message };
    // A canceled run needs no list.
    if (signal.aborted) return null;
    throw error;
  });
  if (outcome) await context.report(listedResult(job, listing, outcome));
}

/** Returns the result of a job that lists stories. */
export function listedResult(
  { runId }: Pick<CaptureJob, "runId">,
  { token }: NonNullable<CaptureJob["listing"]>,
  outcome: ListedStories["outcome"],
): { kind: "listed" } & ListedStories & { token: string } {
  return { kind: "listed", runId, screenshotId: "", outcome, token };
}

async function outcomeOf(
  { browsers, tunnels, archives, images }: ListingContext,
  job: CaptureJob,
  { tags, viewports, onlyChanged }: NonNullable<CaptureJob["listing"]>,
  signal: AbortSignal,
): Promise<ListedStories["outcome"]> {
  const { url, site, options, secrets, teamId, runId } = job;
  const tunnel = tunnels.of(job);
  const archive = await archives.of(job);
  const request = {
    ...{ url, options, viewport: 1280 },
    ...(site !== undefined && { site }),
    ...(secrets && { secrets }),
    ...(tunnel && { tunnel }),
    ...(archive && { archive }),
  };
  const read = await readStorybook(browsers, `${teamId} ${runId}`, request, signal);
  const list = listScreenshots(read, { tags, viewports });
  const { rendering } = read;
  const { archive: id } = job;
  // Without a fingerprint of the browser, nothing says whether it draws as the one of the baselines.
  if (onlyChanged && id !== undefined && rendering !== null)
    list.build = { rendering, files: await listBuildFiles(archives.files, id, signal) };
  return { hash: await images.put(Buffer.from(JSON.stringify(list))) };
}
