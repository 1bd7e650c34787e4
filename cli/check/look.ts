import { BrowserPool } from "../../shared/capture/browser/browser-pool.ts";
import { captureInPool } from "../../shared/capture/capture-in-pool.ts";
import {
  type Capture,
  type CaptureError,
  type CaptureRequest,
  NoBrowserError,
} from "../../shared/capture/capture-types.ts";
import { EVERY_ADDRESS } from "../../shared/capture/network/address-guard.ts";
import type { ComparePool } from "../../shared/compare/compare-pool.ts";
import { type Comparison, type Region, unchanged } from "../../shared/compare/comparison.ts";
import type { BrowserPlace } from "../browser-place.ts";
import { CommandError } from "../terminal.ts";
import { CHECK_ERRORS } from "../texts/check.ts";

/** All pages are the user's own, and each screenshot forgets what the one before it left. */
const ISOLATION_KEY = "check";

/** The image that a screenshot is compared with. */
export interface ImageToCompare {
  /** SHA-256 of the capture that it was made from; null where that is not known. */
  capture: string | null;
  /** px; null where they are not known. */
  width: number | null;
  height: number | null;
  /** A PNG's bytes. Asked only where the hashes differ. */
  read(): Promise<Buffer>;
}

/** How images are compared. */
export interface CompareOptions {
  /** How far apart two colours may be and still count as one, 0–1; undefined for the usual. */
  colorThreshold: number | undefined;
  /** Changed pixels in these do not count, px. */
  ignoreRegions: readonly Region[];
}

/**
 * Captures pages and compares them with images: the engine of `check` and `monitor`. Pages may be anywhere, for the
 * machine is the user's own.
 */
export class Looker {
  readonly #browsers: BrowserPool;
  readonly #threads: number;
  #comparing: Promise<ComparePool> | null = null;

  /** @param threads comparisons at once; how many pages are, its callers know */
  constructor({ threads, ...place }: BrowserPlace & { threads: number }) {
    this.#threads = threads;
    this.#browsers = new BrowserPool({ ...place, policy: EVERY_ADDRESS, direct: true });
  }

  /** Starts the browser, unless it is there. @throws CommandError `no_browser` that says what to do */
  async start(): Promise<void> {
    await this.#browsers.start().catch(asCommandError);
  }

  /**
   * Takes a screenshot. A page that cannot be captured is given back as its error; null once the signal is aborted.
   * @throws CommandError `no_browser`
   */
  async capture(request: CaptureRequest, signal: AbortSignal): Promise<Capture | CaptureError | null> {
    return await captureInPool(this.#browsers, ISOLATION_KEY, request, signal).catch(asCommandError);
  }

  /**
   * Compares a capture with an image: equal hashes end it before anything is read.
   * @throws UnreadableImageError, and what `read` throws
   */
  async compare(
    image: ImageToCompare,
    captured: Capture,
    options: CompareOptions & { signal: AbortSignal },
  ): Promise<Comparison> {
    if (image.capture === captured.hash) return unchanged(captured, options.ignoreRegions);
    const baseline = await image.read();
    // Most checks find nothing changed, and then need no threads.
    this.#comparing ??= import("../../shared/compare/compare-pool.ts").then(
      module => new module.ComparePool({ threads: this.#threads }),
    );
    return await (await this.#comparing).compare(baseline, captured.png, options);
  }

  /** Ends the browser and the threads. */
  async close(): Promise<void> {
    const comparing = this.#comparing?.then(pool => pool.close());
    await Promise.all([this.#browsers.close(), comparing]);
  }
}

function asCommandError(error: unknown): never {
  if (!(error instanceof NoBrowserError)) throw error;
  throw new CommandError("no_browser", CHECK_ERRORS.noBrowser(error.message.replace(/\.?$/, ".")), error);
}
