import { keyOf } from "../../shared/contracts/capture/screenshot-key.ts";
import type { CheckEvent, CheckedScreenshot } from "../check/check-result.ts";
import { countScreenshots } from "../check/conclude-check.ts";
import { PROGRESS_TEXTS } from "../texts/check.ts";
import { duration, tally } from "./format.ts";

/** A route that is being captured. */
export interface RouteInProgress {
  route: string;
  done: number;
  total: number;
  /** From `performance.now()`. */
  startedAt: number;
}

/** A forecast is meaningful after this many ms and this many screenshots. */
const KNOWN_AFTER_MS = 2_000;
const KNOWN_AFTER_SCREENSHOTS = 3;

/** The progress of a check, from its events. Times are from `performance.now()`. */
export class CheckState {
  readonly #planned = new Map<string, boolean>();
  readonly #totals = new Map<string, number>();
  readonly #inProgress = new Map<string, RouteInProgress>();
  #startedAt: number | null = null;
  #done = 0;
  readonly counts = countScreenshots([]);

  /** Records an event at a time. */
  note(event: CheckEvent, now: number): void {
    if (event.type === "planned") {
      this.#startedAt = now;
      for (const shot of event.shots) {
        this.#planned.set(keyOf(shot), false);
        this.#totals.set(shot.route, (this.#totals.get(shot.route) ?? 0) + 1);
      }
    } else if (event.type === "started") {
      const { route } = event;
      this.#inProgress.set(route, { route, done: 0, total: this.#totals.get(route) ?? 0, startedAt: now });
    } else if (event.type === "done") this.#finish(event.shot);
  }

  #finish(shot: CheckedScreenshot): void {
    this.counts[shot.status] += 1;
    if (shot.minor) this.counts.minor += 1;
    // A removed page has an event, but wasn't planned.
    if (this.#planned.get(keyOf(shot)) !== false) return;
    this.#planned.set(keyOf(shot), true);
    this.#done += 1;
    const inProgress = this.#inProgress.get(shot.route);
    if (!inProgress) return;
    inProgress.done += 1;
    if (inProgress.done >= inProgress.total) this.#inProgress.delete(shot.route);
  }

  get total(): number {
    return this.#planned.size;
  }

  get routes(): string[] {
    return [...this.#totals.keys()];
  }

  /** The routes in progress, the oldest first. */
  get inProgress(): RouteInProgress[] {
    return [...this.#inProgress.values()];
  }

  /** Returns the ms until the end at the current pace; null if unknown. */
  timeLeft(now: number): number | null {
    const elapsed = now - (this.#startedAt ?? now);
    if (elapsed < KNOWN_AFTER_MS || this.#done < KNOWN_AFTER_SCREENSHOTS) return null;
    return (elapsed / this.#done) * (this.total - this.#done);
  }

  /** `12 of 42 · 1 changed, 11 unchanged · about 8 s left` */
  line(now: number): string {
    const left = this.timeLeft(now);
    return [
      PROGRESS_TEXTS.done(this.#done, this.total),
      ...(this.#done > 0 ? [tally(this.counts)] : []),
      ...(left === null || left === 0
        ? []
        : [
            PROGRESS_TEXTS.timeLeft(
              duration(Math.max(1_000, Math.round(left / 1000) * 1000)).replace(".0", ""),
            ),
          ]),
    ].join(" · ");
  }
}
