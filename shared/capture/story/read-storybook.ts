import { INDEX_FILES, type IndexedStory, readIndexedStories } from "../../storybook/indexed-story.ts";
import { StorybookError } from "../../storybook/storybook-error.ts";
import { STORYBOOK_ERRORS as INDEX_ERRORS } from "../../storybook/texts.ts";
import type { BrowserPool } from "../browser/browser-pool.ts";
import type { Lease } from "../browser/lease.ts";
import { audienceOf } from "../browser/page-environment.ts";
import { CaptureError, type VisitRequest } from "../capture-types.ts";
import { checkArchive, checkTunnel, openPage } from "../page/open-page.ts";
import { withPageRules } from "../page/page-rules.ts";
import { withinBounds } from "../page/within-bounds.ts";
import { SecretValues } from "../sessions/secret-values.ts";
import { StepTimeout, withMovingClock } from "../steps/moving-clock.ts";
import { STORYBOOK_ERRORS as ERRORS } from "../texts.ts";
import type { ExtractedStories } from "./in-page/extract-stories.ts";
import { fetchIndex } from "./in-page/fetch-index.ts";
import { extractIn } from "./read-stories.ts";

/** Large Storybooks load hundreds of modules. */
const READ_MS = 60_000;
const MAX_INDEX_MIB = 16;
/** On a machine that is busy or was paused for a while, one may take too long. */
const MAX_READS = 2;

/** The stories of a Storybook, in the order of its list, with what its preview says about them. */
export interface ReadStorybook extends ExtractedStories {
  indexed: IndexedStory[];
  /** Rendering fingerprint of the browser; null if it could not be measured. */
  rendering: string | null;
}

/** A page of the Storybook, which is its preview without a story, and the settings of its captures. */
type StorybookRequest = Omit<VisitRequest, "states" | "story">;

/**
 * Reads the stories of a Storybook in a page of its preview.
 * @throws StorybookError `storybook_invalid` that its user can act on; CaptureError `browser_lost`; NoBrowserError; the
 * signal's reason
 */
export async function readStorybook(
  browsers: BrowserPool,
  isolationKey: string,
  request: StorybookRequest,
  signal: AbortSignal,
): Promise<ReadStorybook> {
  const secrets = new SecretValues(request.secrets, signal);
  for (let reads = 1; ; reads++) {
    try {
      return await readOnce(browsers, isolationKey, { request, secrets, signal });
    } catch (error) {
      if (signal.aborted) throw error;
      if (!isTimeout(error) || reads === MAX_READS) throw shownError(error, secrets);
    }
  }
}

interface Reading {
  request: StorybookRequest;
  secrets: SecretValues;
  signal: AbortSignal;
}

async function readOnce(
  browsers: BrowserPool,
  isolationKey: string,
  { request, secrets, signal }: Reading,
): Promise<ReadStorybook> {
  const { tunnel, archive } = request;
  const audience = audienceOf(request.options);
  const lease = await browsers.lease(isolationKey, { audience, tunnel, archive, signal });
  try {
    const visit = { ...request, states: [] };
    const read = async () => {
      await lease.prepare(request);
      return await withPageRules(lease, visit, secrets, () => readIn(lease, request.url));
    };
    const found = await withinBounds(lease, read, signal).catch(async (error: unknown) => {
      // Without its files, a Storybook fails in other ways, too.
      if (!signal.aborted) await checkSource(lease, request.url);
      throw error;
    });
    return { ...found, rendering: await browsers.renderingOf(lease) };
  } finally {
    await lease.release();
  }
}

/** @throws Error of the store, CaptureError of the tunnel: what kept files of the Storybook away */
async function checkSource(lease: Lease, url: string): Promise<void> {
  try {
    checkArchive(lease);
    await checkTunnel(lease, url);
  } catch (cause) {
    // A warm context keeps what its archive could not read.
    lease.isUsable = false;
    throw cause;
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof StepTimeout || (error instanceof CaptureError && error.code === "timeout");
}

async function readIn(lease: Lease, url: string): Promise<Omit<ReadStorybook, "rendering">> {
  await openPage(lease, url);
  const wanted = { files: INDEX_FILES, maxBytes: MAX_INDEX_MIB * 1024 * 1024 };
  const { value: index } = await withMovingClock(lease, READ_MS, () =>
    lease.page.evaluate(fetchIndex, wanted),
  );
  if (index === "too_large")
    throw new StorybookError("storybook_invalid", ERRORS.preview(ERRORS.largeIndex(MAX_INDEX_MIB)));
  const shown = new URL(".", url).href;
  if ("status" in index)
    throw new StorybookError("storybook_invalid", INDEX_ERRORS.noIndex(shown, index.status));
  const indexed = readIndexedStories(index.text, new URL(index.file, shown).href);
  const ids = indexed.map(({ id }) => id);
  const { value } = await extractIn(lease, ids, READ_MS);
  checkArchive(lease);
  return { indexed, ...value };
}

/** Returns an error that the owner of the Storybook can act on. Errors of the browser or the store stay as they are. */
function shownError(error: unknown, secrets: SecretValues): unknown {
  if (error instanceof StorybookError)
    return new StorybookError(error.code, secrets.mask(error.message), error);
  if (error instanceof StepTimeout)
    return new StorybookError("storybook_invalid", ERRORS.preview(ERRORS.slow(READ_MS / 1000)), error);
  if (!(error instanceof CaptureError) || error.retryable) return error;
  return new StorybookError("storybook_invalid", ERRORS.preview(secrets.mask(error.message)), error);
}
