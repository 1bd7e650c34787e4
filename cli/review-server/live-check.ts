import { keyOf } from "../../shared/contracts/capture/screenshot-key.ts";
import { approve } from "../baselines/approve.ts";
import { CheckFolder } from "../check/check-folder.ts";
import type { CheckedScreenshot, CheckResult } from "../check/check-result.ts";
import { idOf } from "../check/report-of.ts";
import { runScreenshotCheck, type ScreenshotCheckRequest } from "../screenshots/run-screenshot-check.ts";
import { CommandError } from "../terminal.ts";
import { REVIEW_ERRORS as ERRORS } from "../texts/review-server.ts";
import type { ScreenshotInbox } from "./screenshot-inbox.ts";

/** Tests send their screenshots in bursts. */
const DEBOUNCE_MS = 80;

/** What a reviewer approves: the screenshots as shown. */
export interface ReviewedScreenshots {
  screenshots: readonly { id: string; image: string | null }[];
  /** Whether to approve the same change on other screenshots too. */
  group: boolean;
}

export interface LiveCheckOptions {
  /** How the screenshots are compared. */
  request: Omit<ScreenshotCheckRequest, "files" | "onEvent">;
  inbox: ScreenshotInbox;
  /** Returns the URL of an image, by which an approval names what was shown. */
  imageOf: (shot: CheckedScreenshot) => string | null;
  onStart: () => void;
  onResult: (result: CheckResult) => void;
  onError: (error: unknown) => void;
}

/** Compares the screenshots of the inbox when new ones arrive. Only one check or approval runs at a time. */
export class LiveCheck {
  /** The newest result; null before the first screenshot. */
  result: CheckResult | null = null;
  /** Number of results so far. */
  revision = 0;
  readonly #options: LiveCheckOptions;
  #queue: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;

  constructor(options: LiveCheckOptions) {
    this.#options = options;
  }

  /** Checks soon. Screenshots that arrive until then are compared too. */
  schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      void this.#next(() => this.#check()).catch(this.#options.onError);
    }, DEBOUNCE_MS);
  }

  /**
   * Approves screenshots into the baselines, as `vrs approve` does, and checks again.
   * @returns the number of changed baselines
   * @throws CommandError `stale_screenshot` if one of them changed meanwhile; errors of `approve`
   */
  async approve(reviewed: ReviewedScreenshots): Promise<number> {
    return await this.#next(async () => {
      const { result } = this;
      if (result === null) throw stale();
      const filter = { keys: this.#keysOf(result, reviewed) };
      const { config, root, file, terminal } = this.#options.request;
      try {
        const { signal } = terminal;
        return (await approve({ config, root, file, filter, result, signal })).approved.length;
      } finally {
        await this.#check();
      }
    });
  }

  /** Waits for the running check, and starts no other. */
  async stop(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    await this.#queue.catch(() => {});
  }

  #keysOf({ screenshots: all }: CheckResult, { screenshots, group }: ReviewedScreenshots): string[] {
    const byId = new Map(all.map(shot => [idOf(shot), shot]));
    const shots = screenshots.map(({ id, image }) => {
      const shot = byId.get(id);
      if (shot === undefined || image === null || this.#options.imageOf(shot) !== image) throw stale();
      return shot;
    });
    const fingerprints = new Set(group ? shots.flatMap(({ fingerprint }) => fingerprint ?? []) : []);
    const same = all.filter(
      ({ status, fingerprint }) =>
        status === "changed" && fingerprint !== null && fingerprints.has(fingerprint),
    );
    return [...new Set([...shots, ...same].map(keyOf))];
  }

  async #check(): Promise<void> {
    const { request, inbox, onStart, onResult } = this.#options;
    const { files } = inbox;
    if (files.length === 0) return;
    onStart();
    // `vrs approve` approves the last `vrs check`, not what the page shows.
    const folder = new CheckFolder(request.root, "review");
    this.result = await runScreenshotCheck({ ...request, files, folder });
    this.revision += 1;
    onResult(this.result);
  }

  async #next<R>(work: () => Promise<R>): Promise<R> {
    const done = this.#queue.then(work, work);
    this.#queue = done.catch(() => {});
    return await done;
  }
}

function stale(): CommandError {
  return new CommandError("stale_screenshot", ERRORS.stale);
}
