import { BrowserPool } from "../../shared/capture/browser/browser-pool.ts";
import { captureVisit, PooledVisit } from "../../shared/capture/capture-in-pool.ts";
import {
  type Capture,
  type CaptureError,
  NoBrowserError,
  type VisitRequest,
} from "../../shared/capture/capture-types.ts";
import { ANY_ADDRESS } from "../../shared/capture/network/address-guard.ts";
import type { ExtractedStories } from "../../shared/capture/story/in-page/extract-stories.ts";
import type { PreviewRequest } from "../../shared/capture/story/kept-preview.ts";
import { openPreviews, readStories } from "../../shared/capture/story/read-stories.ts";
import type { Comparison, Region } from "../../shared/compare/comparison.ts";
import type { Explanation } from "../../shared/contracts/runs/explanation.ts";
import type { BrowserLocation } from "../browser-location.ts";
import { CommandError } from "../terminal.ts";
import { CHECK_ERRORS } from "../texts/check.ts";
import { STORYBOOK_ERRORS } from "../texts/storybook.ts";
import { CompareEngine, type CompareOptions, type ImageToCompare } from "./compare-engine.ts";

/** A visit to a story. Each part is captured at most once, the preview first. */
export type StoryVisit = Pick<PooledVisit, "captureInPreview" | "captureOwnPage">;

/** A comparison takes a fraction of a capture's time, which is less than a thread takes to start. */
const PAGES_PER_THREAD = 4;
/** All pages belong to the user. Each screenshot starts without the state of the one before. */
const ISOLATION_KEY = "check";

/**
 * Captures pages and compares them with images, for `check` and `monitor`. Pages may have any address: the
 * machine is the user's own.
 */
export class CaptureEngine {
  readonly #browsers: BrowserPool;
  readonly #comparisons: CompareEngine;
  #closing: Promise<unknown> | null = null;

  /** @param pages how many pages callers capture at the same time */
  constructor({ pages, ...location }: BrowserLocation & { pages: number }) {
    this.#comparisons = new CompareEngine({ threads: Math.ceil(pages / PAGES_PER_THREAD) });
    this.#browsers = new BrowserPool({ ...location, policy: ANY_ADDRESS, direct: true });
  }

  /** Starts the browser if it isn't running. @returns it, such as `chromium 153.0.8010.0` @throws CommandError `no_browser` that says what to do */
  async start(): Promise<string> {
    return await this.#browsers.start().catch(asCommandError);
  }

  /**
   * Captures the screenshots of one visit to a page, in the order of its states. Returns an error for each one that
   * can't be captured; null once the signal is aborted.
   * @throws CommandError `no_browser`
   */
  async capture(request: VisitRequest, signal: AbortSignal): Promise<(Capture | CaptureError)[] | null> {
    return await captureVisit(this.#browsers, ISOLATION_KEY, request, signal).catch(asCommandError);
  }

  /**
   * Opens previews, and keeps them for the stories that are captured next. Never throws: a capture reports what is
   * wrong.
   */
  async openPreviews(preview: PreviewRequest, pages: number, signal: AbortSignal): Promise<void> {
    const request = { ...preview, keepsBodies: true };
    await openPreviews(this.#browsers, ISOLATION_KEY, { preview: request, pages }, signal).catch(() => {});
  }

  /** Returns a visit to a story that is captured in two parts, which throw CommandError `no_browser`. */
  visit(request: VisitRequest, signal: AbortSignal): StoryVisit {
    const visit = new PooledVisit(this.#browsers, ISOLATION_KEY, request, signal);
    return {
      captureInPreview: () => visit.captureInPreview().catch(asCommandError),
      captureOwnPage: () => visit.captureOwnPage().catch(asCommandError),
    };
  }

  /**
   * Reads the parameters of stories from a Storybook's preview.
   * @throws CommandError `storybook_invalid`, `no_browser`; the signal's reason
   */
  async stories(
    preview: { url: string; ids: readonly string[] },
    signal: AbortSignal,
  ): Promise<ExtractedStories> {
    return await readStories(this.#browsers, ISOLATION_KEY, preview, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      if (error instanceof NoBrowserError) return asCommandError(error);
      const why = error instanceof Error ? error.message : String(error);
      throw new CommandError("storybook_invalid", STORYBOOK_ERRORS.preview(why), error);
    });
  }

  /**
   * Compares a capture with an image. Equal hashes need no image data.
   * @throws UnreadableImageError, and errors of `read`
   */
  async compare(
    image: ImageToCompare,
    captured: Capture,
    options: CompareOptions & { signal: AbortSignal },
  ): Promise<Comparison> {
    return await this.#comparisons.compare(image, captured, options);
  }

  /** Explains why two images differ, from their packed capsules. @throws Error if one is damaged */
  async explain(baseline: Buffer, current: Buffer, regions: readonly Region[]): Promise<Explanation | null> {
    return await this.#comparisons.explain(baseline, current, regions);
  }

  /** Closes the browser and the threads, once. */
  async close(): Promise<void> {
    this.#closing ??= Promise.all([this.#browsers.close(), this.#comparisons.close()]);
    await this.#closing;
  }
}

function asCommandError(error: unknown): never {
  if (!(error instanceof NoBrowserError)) throw error;
  throw new CommandError("no_browser", CHECK_ERRORS.noBrowser(error.message.replace(/\.?$/, ".")), error);
}
