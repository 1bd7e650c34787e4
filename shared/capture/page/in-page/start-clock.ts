/** The clock of a page, and of its frames of the same origin. It stands still except for `run`. */
export interface PageClock {
  /** How long the page has lived, whole ms. */
  now(): number;
  /** Has `work` run after a while of the page's own time, ms. @returns what takes that back */
  add(delayMs: number, work: () => void): () => void;
  /** Lets the page live for a while, ms. Resolves once all timers that are due by then have run. */
  run(durationMs: number): Promise<void>;
}

/**
 * Runs in every document before the page's own scripts. Puts timers, animation frames, `Date` and `performance` on a
 * clock that only `run` moves, from one due timer to the next. So the moments at which a page's scripts run do not
 * depend on how long its requests take: while one is open, the browser's own timers, which `run` is built on, wait.
 * A frame of another origin keeps the browser's timers.
 * It is sent to the page as text: it must use nothing from outside its body.
 * @param nowMs where the page's clock starts, ms since 1970
 */
export function startClock(nowMs: number, replaceDate: (now: () => number) => void): void {
  const FRAMES_PER_SECOND = 60;
  /** As browsers do: timers that set timers wait at least so long, from this depth on. */
  const NESTED_MS = 4;
  const MAX_NESTING = 5;
  /** A script that asks for the time so often at one moment waits for it to pass. */
  const MAX_QUESTIONS = 10_000;
  const LONGEST_MS = 2 ** 31 - 1;
  const KEY = Symbol.for("vrs.clock");
  const NativePromise = Promise;
  const setNativeTimer: (work: () => void, delayMs: number) => number = window.setTimeout.bind(window);
  const clearNativeTimer: (id: number | undefined) => void = window.clearTimeout.bind(window);
  const nativeNow = performance.now.bind(performance);

  const clock = clockOfTop();
  const born = clock?.now() ?? nativeNow();
  // The browser's clock has fractions, which it blurs, each time in another way.
  const now = clock === null ? () => Math.round(nativeNow() - born) : () => clock.now() - born;
  const startMs = clock === null ? nowMs : nowMs + born;
  Performance.prototype.now = now;
  Object.defineProperty(performance, "timeOrigin", { value: startMs, configurable: true });
  replaceDate(() => startMs + now());
  if (clock !== null) setTimers(clock);

  /** null in a frame of another origin. */
  function clockOfTop(): PageClock | null {
    if (window === window.top) {
      const made = makeClock();
      Object.defineProperty(window, KEY, { value: made });
      return made;
    }
    try {
      return Reflect.get(window.top ?? window, KEY) ?? null;
    } catch {
      return null;
    }
  }

  function makeClock(): PageClock {
    interface Timer {
      dueMs: number;
      nesting: number;
      /** null once it was taken back. */
      work: (() => void) | null;
    }
    /** By the time they are due; those due at the same time in the order in which they were set. */
    const timers: Timer[] = [];
    let elapsedMs = 0;
    let questions = 0;
    let nesting = 0;
    let run: { untilMs: number; end: () => void } | null = null;
    let native: number | undefined;

    const positionOf = (dueMs: number): number => {
      let from = 0;
      let to = timers.length;
      while (from < to) {
        const middle = (from + to) >>> 1;
        if ((timers[middle]?.dueMs ?? 0) <= dueMs) from = middle + 1;
        else to = middle;
      }
      return from;
    };
    /** The browser's own clock goes on as far, so that frames of other origins and workers live as long. */
    const wait = () => {
      clearNativeTimer(native);
      if (run === null) return;
      while (timers[0]?.work === null) timers.shift();
      const dueMs = Math.min(timers[0]?.dueMs ?? LONGEST_MS, run.untilMs);
      native = setNativeTimer(() => moveTo(dueMs), dueMs - elapsedMs);
    };
    const moveTo = (dueMs: number) => {
      elapsedMs = Math.max(elapsedMs, dueMs);
      questions = 0;
      const [timer] = timers;
      if (timer !== undefined && timer.dueMs <= elapsedMs) {
        timers.shift();
        nesting = timer.nesting;
        try {
          timer.work?.();
        } finally {
          nesting = 0;
          wait();
        }
      } else if (run !== null && elapsedMs >= run.untilMs) {
        const { end } = run;
        run = null;
        end();
      } else {
        wait();
      }
    };
    return {
      now() {
        if (++questions > MAX_QUESTIONS) elapsedMs++;
        return elapsedMs;
      },
      add(delayMs, work) {
        const least = nesting >= MAX_NESTING ? NESTED_MS : 0;
        const dueMs = elapsedMs + Math.max(least, delayMs);
        const place = positionOf(dueMs);
        const timer: Timer = { dueMs, nesting: nesting + 1, work };
        timers.splice(place, 0, timer);
        if (place === 0) wait();
        return () => {
          timer.work = null;
        };
      },
      run: durationMs =>
        new NativePromise(end => {
          run = { untilMs: elapsedMs + durationMs, end };
          wait();
        }),
    };
  }

  function setTimers({ add }: PageClock): void {
    const setNativeInterval: typeof setInterval = window.setInterval.bind(window);
    const clearNativeInterval = window.clearInterval.bind(window);
    /** What takes back a timer, or the next turn of an interval, by the id that the page knows. */
    const removals = new Map<number, () => void>();
    // Far from those of the browser, which timers that are text still have.
    let lastId = 2 ** 30;
    // A document that was left hears of nothing more.
    const later = (delayMs: number, work: () => void) =>
      add(delayMs, () => document.defaultView !== null && work());
    const wholeMs = (delay: unknown) => Math.max(0, Math.trunc(Number(delay) || 0) | 0);
    const set = (delayMs: number, work: () => void, isRepeated: boolean): number => {
      const id = ++lastId;
      const turn = () => {
        if (isRepeated) removals.set(id, later(delayMs, turn));
        else removals.delete(id);
        work();
      };
      removals.set(id, later(delayMs, turn));
      return id;
    };
    const clear = (id: unknown) => {
      const remove = removals.get(Number(id));
      if (remove === undefined) return clearNativeInterval(Number(id));
      removals.delete(Number(id));
      remove();
    };
    Object.assign(window, {
      setTimeout(handler: unknown, delay?: unknown, ...parts: unknown[]) {
        if (typeof handler !== "function") return setNativeTimer(Object(handler), wholeMs(delay));
        return set(wholeMs(delay), () => handler.apply(window, parts), false);
      },
      setInterval(handler: unknown, delay?: unknown, ...parts: unknown[]) {
        if (typeof handler !== "function") return setNativeInterval(Object(handler), wholeMs(delay));
        return set(Math.max(1, wholeMs(delay)), () => handler.apply(window, parts), true);
      },
      clearTimeout: clear,
      clearInterval: clear,
      requestIdleCallback: (callback: IdleRequestCallback) =>
        set(1, () => callback({ didTimeout: false, timeRemaining: () => 50 }), false),
      cancelIdleCallback: clear,
    });
    setFrames(later);
  }

  function setFrames(later: (delayMs: number, work: () => void) => void): void {
    let waiting = new Map<number, FrameRequestCallback>();
    let running = waiting;
    let frames = 0;
    /** Which frame since the page began is due next, or was last. */
    let frame = 0;
    let isDue = false;
    const runFrame = () => {
      isDue = false;
      running = waiting;
      waiting = new Map();
      const time = now();
      for (const [id, callback] of running) {
        running.delete(id);
        try {
          callback(time);
        } catch (error) {
          reportError(error);
        }
      }
    };
    window.requestAnimationFrame = callback => {
      if (typeof callback !== "function") throw new TypeError("requestAnimationFrame needs a function.");
      if (!isDue) {
        isDue = true;
        frame = Math.max(frame, Math.floor((now() * FRAMES_PER_SECOND) / 1000)) + 1;
        later(Math.ceil((frame * 1000) / FRAMES_PER_SECOND) - now(), runFrame);
      }
      waiting.set(++frames, callback);
      return frames;
    };
    window.cancelAnimationFrame = id => {
      waiting.delete(id);
      running.delete(id);
    };
  }
}
