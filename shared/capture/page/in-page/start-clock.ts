/** The clock of a page and of its frames of the same origin. It is paused except during `run`. */
interface PageClock {
  /** Returns how long the page has lived, whole ms. */
  now(): number;
  /** Runs `work` after a delay of the page's own time, ms. @returns a function that cancels it */
  add(delayMs: number, work: () => void): () => void;
  /** Lets the page live for this long, ms. Resolves once all timers that are due by then have run. */
  run(durationMs: number): Promise<void>;
}

/**
 * Puts timers, animation frames, `Date` and `performance` on a clock that only `run` moves, from one due timer to the
 * next. It runs in every document before the page's own scripts. So the moments at which a page's scripts run do not
 * depend on the duration of its requests. While a request is open, the browser's own timers wait, and `run` uses them.
 * A frame of another origin keeps the browser's timers. It is sent to the page as text: it must use nothing from
 * outside its body.
 * @param nowMs where the page's clock starts, ms since 1970
 * @param pace how much faster it runs than the browser's own timers
 */
export function startClock(nowMs: number, replaceDate: (now: () => number) => void, pace: number): void {
  const FRAMES_PER_SECOND = 60;
  /** The minimum delay of nested timers in browsers, from this depth on. */
  const NESTED_MS = 4;
  const MAX_NESTING = 5;
  /** A script that reads the time this often at one moment waits for time to pass. */
  const MAX_TIME_READS = 10_000;
  const LONGEST_MS = 2 ** 31 - 1;
  const KEY = Symbol.for("vrs.clock");
  const NativePromise = Promise;
  const setNativeTimer: (work: () => void, delayMs: number) => number = window.setTimeout.bind(window);
  const clearNativeTimer: (id: number | undefined) => void = window.clearTimeout.bind(window);
  const nativeNow = performance.now.bind(performance);

  const clock = clockOfTop();
  const born = clock?.now() ?? nativeNow();
  // The browser's clock has fractions of a millisecond, which it blurs differently each time.
  const now = clock === null ? () => Math.round(nativeNow() - born) : () => clock.now() - born;
  const startMs = clock === null ? nowMs : nowMs + born;
  Performance.prototype.now = now;
  Object.defineProperty(performance, "timeOrigin", { value: startMs, configurable: true });
  replaceDate(() => startMs + now());
  if (clock !== null) setTimers(clock);

  /** Returns null in a frame of another origin. */
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
      /** null once it was canceled. */
      work: (() => void) | null;
    }
    /** Ordered by due time. Timers that are due at the same time keep the order in which they were set. */
    const timers: Timer[] = [];
    let elapsedMs = 0;
    let timeReads = 0;
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
    /** The browser's own clock advances as far, so that frames of other origins and workers live as long. */
    const wait = () => {
      clearNativeTimer(native);
      if (run === null) return;
      while (timers[0]?.work === null) timers.shift();
      const dueMs = Math.min(timers[0]?.dueMs ?? LONGEST_MS, run.untilMs);
      native = setNativeTimer(() => moveTo(dueMs), (dueMs - elapsedMs) / pace);
    };
    const moveTo = (dueMs: number) => {
      elapsedMs = Math.max(elapsedMs, dueMs);
      timeReads = 0;
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
        if (++timeReads > MAX_TIME_READS) elapsedMs++;
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
    /** Functions that cancel a timer, or the next run of an interval, by the id that the page knows. */
    const cancellations = new Map<number, () => void>();
    // Far from the browser's ids, which timers with string handlers still use.
    let lastId = 2 ** 30;
    // A document that was left must not run timers anymore.
    const schedule = (delayMs: number, work: () => void) =>
      add(delayMs, () => document.defaultView !== null && work());
    const wholeMs = (delay: unknown) => Math.max(0, Math.trunc(Number(delay) || 0) | 0);
    const set = (delayMs: number, work: () => void, isRepeated: boolean): number => {
      const id = ++lastId;
      const fire = () => {
        if (isRepeated) cancellations.set(id, schedule(delayMs, fire));
        else cancellations.delete(id);
        work();
      };
      cancellations.set(id, schedule(delayMs, fire));
      return id;
    };
    const clear = (id: unknown) => {
      const cancel = cancellations.get(Number(id));
      if (cancel === undefined) return clearNativeInterval(Number(id));
      cancellations.delete(Number(id));
      cancel();
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
    setFrames(schedule);
  }

  function setFrames(schedule: (delayMs: number, work: () => void) => void): void {
    let waiting = new Map<number, FrameRequestCallback>();
    let running = waiting;
    let frames = 0;
    /** Number of the frame, since the page started, that is due next or was last. */
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
        schedule(Math.ceil((frame * 1000) / FRAMES_PER_SECOND) - now(), runFrame);
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

/**
 * Lets the page live for this long on its own clock, ms. It is sent to the page as text: it must use nothing from
 * outside its body.
 */
export async function runClock(durationMs: number): Promise<void> {
  const clock: PageClock | undefined = Reflect.get(globalThis, Symbol.for("vrs.clock"));
  await clock?.run(durationMs);
}
