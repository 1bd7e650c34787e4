import type { CheckEvent, CheckedShot, Shot } from "../check/check-result.ts";
import { countShots } from "../check/conclude-check.ts";
import { PROGRESS_TEXTS } from "../texts/check.ts";
import { duration, tally } from "./describe-check.ts";

/** A route that is being captured. */
export interface RouteUnderWay {
  route: string;
  done: number;
  total: number;
  /** From `performance.now()`. */
  startedAt: number;
}

/** A forecast is meaningful after this many ms and this many screenshots. */
const KNOWN_AFTER_MS = 2_000;
const KNOWN_AFTER_SHOTS = 3;

const keyOf = ({ route, viewport }: Shot) => `${viewport} ${route}`;

/** The progress of a check, from its events. Times are from `performance.now()`. */
export class CheckState {
  readonly #planned = new Map<string, boolean>();
  readonly #totals = new Map<string, number>();
  readonly #underWay = new Map<string, RouteUnderWay>();
  #startedAt: number | null = null;
  #done = 0;
  readonly counts = countShots([]);

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
      this.#underWay.set(route, { route, done: 0, total: this.#totals.get(route) ?? 0, startedAt: now });
    } else if (event.type === "done") this.#finish(event.shot);
  }

  #finish(shot: CheckedShot): void {
    this.counts[shot.status] += 1;
    if (shot.minor) this.counts.minor += 1;
    // A removed page has an event, but wasn't planned.
    if (this.#planned.get(keyOf(shot)) !== false) return;
    this.#planned.set(keyOf(shot), true);
    this.#done += 1;
    const underWay = this.#underWay.get(shot.route);
    if (!underWay) return;
    underWay.done += 1;
    if (underWay.done >= underWay.total) this.#underWay.delete(shot.route);
  }

  get total(): number {
    return this.#planned.size;
  }

  get routes(): string[] {
    return [...this.#totals.keys()];
  }

  /** The routes in progress, the oldest first. */
  get underWay(): RouteUnderWay[] {
    return [...this.#underWay.values()];
  }

  /** Returns the ms until the end at the current pace; null if unknown. */
  timeLeft(now: number): number | null {
    const elapsed = now - (this.#startedAt ?? now);
    if (elapsed < KNOWN_AFTER_MS || this.#done < KNOWN_AFTER_SHOTS) return null;
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
