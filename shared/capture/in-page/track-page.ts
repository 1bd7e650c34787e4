/** What the page's script left behind for the scripts that hold it still. */
export interface PageRecord {
  /** Every shadow root, closed ones too. */
  roots: ShadowRoot[];
  /** True once something on the page waits to be scrolled to. */
  awaitsScroll: boolean;
  /** How long the browser's clock went on before the page had its first element, ms. */
  bornMs: number;
  /** Sets the page's clock, and seeds its chance. For documents of the page's own browser process. */
  begin(start: PageStart): void;
  /** Resolves in the browser's next frame, once the page's own frame callbacks are over. The clock may stand still. */
  frame(): Promise<void>;
  /** Has the page hear no more of being resized and left. */
  leave(): void;
}

export interface PageStart {
  /** Where the page's clock starts, ms since 1970. */
  nowMs: number;
  /** What `Math.random` and `crypto.randomUUID` draw from; null leaves them alone. */
  seed: number | null;
}

/**
 * Runs in every document before the page's own scripts, and notes what cannot be asked for later. Puts animation frames
 * and `performance` on the clock of the page's timers, which is virtual: the browser leaves frames to the screen, and
 * counts from when it was started.
 * It is sent to the page as text: it must use nothing from outside its body.
 */
export function trackPage(): void {
  const FRAME_MS = 1000 / 60;
  const PARTING = ["resize", "visibilitychange", "beforeunload", "pagehide", "unload"];
  const setTimer: (handler: () => void, delayMs: number) => number = window.setTimeout.bind(window);
  const nextFrame = window.requestAnimationFrame.bind(window);
  const NativeDate = Date;
  const nativeNow = performance.now.bind(performance);
  let startMs = nativeNow();
  // Whole milliseconds, as timers have: the browser blurs what is finer, each time in another way.
  const now = () => Math.round(nativeNow() - startMs);
  let left = false;
  let startClock = () => {};

  const record: PageRecord = {
    roots: [],
    awaitsScroll: false,
    bornMs: 0,
    begin({ nowMs, seed }) {
      startClock = () => setClock(nowMs - NativeDate.now());
      Object.defineProperty(performance, "timeOrigin", { value: nowMs, configurable: true });
      if (seed !== null) seedChance(seed);
    },
    frame: () => new Promise(resolve => nextFrame(() => resolve())),
    leave() {
      left = true;
      for (const type of PARTING)
        for (const target of [window, document]) Reflect.set(target, `on${type}`, null);
    },
  };
  Object.defineProperty(globalThis, Symbol.for("vrs.page"), { value: record });
  Performance.prototype.now = now;
  // The clock starts with the first element: how its document arrives takes the browser's clock on by chance.
  const startAtFirst = new MutationObserver(() => {
    startAtFirst.disconnect();
    record.bornMs = nativeNow() - startMs;
    startMs += record.bornMs;
    startClock();
  });
  startAtFirst.observe(document, { childList: true });

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
      frame = Math.max(frame, Math.floor(now() / FRAME_MS)) + 1;
      setTimer(runFrame, Math.ceil(frame * FRAME_MS) - now());
    }
    waiting.set(++frames, callback);
    return frames;
  };
  window.cancelAnimationFrame = id => {
    waiting.delete(id);
    running.delete(id);
  };
  window.requestIdleCallback = callback =>
    setTimer(() => callback({ didTimeout: false, timeRemaining: () => 50 }), 1);
  window.cancelIdleCallback = id => window.clearTimeout(id);

  function setClock(shiftMs: number): void {
    // The browser's own clock, for which the process was started, needs no help.
    if (Math.abs(shiftMs) < 1) return;
    const shiftedNow = () => NativeDate.now() + shiftMs;
    const ShiftedDate = function (this: unknown, ...parts: unknown[]) {
      if (new.target === undefined) return new NativeDate(shiftedNow()).toString();
      return Reflect.construct(NativeDate, parts.length === 0 ? [shiftedNow()] : parts, new.target);
    };
    Object.setPrototypeOf(ShiftedDate, NativeDate);
    Object.defineProperty(ShiftedDate, "prototype", { value: NativeDate.prototype, writable: false });
    Object.defineProperty(ShiftedDate, "name", { value: "Date" });
    Object.defineProperty(ShiftedDate, "length", { value: NativeDate.length });
    Object.defineProperty(ShiftedDate, "now", { value: shiftedNow, writable: true, configurable: true });
    NativeDate.prototype.constructor = ShiftedDate;
    Reflect.set(window, "Date", ShiftedDate);
    const { formatToParts } = Intl.DateTimeFormat.prototype;
    Intl.DateTimeFormat.prototype.formatToParts = function (date = shiftedNow()) {
      return formatToParts.call(this, date);
    };
    const format = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, "format")?.get;
    if (format === undefined) return;
    Object.defineProperty(Intl.DateTimeFormat.prototype, "format", {
      configurable: true,
      get() {
        const native = format.call(this);
        return (date: Date | number = shiftedNow()) => native(date);
      },
    });
  }

  function seedChance(seed: number): void {
    // Mulberry32: small, quick, and even enough for what a page draws.
    let state = seed;
    const draw = () => {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
    Math.random = draw;
    if (!("crypto" in window)) return;
    Crypto.prototype.randomUUID = () => {
      const hex = (digits: number) =>
        Array.from({ length: digits }, () => Math.floor(draw() * 16).toString(16)).join("");
      const variant = "89ab".charAt(Math.floor(draw() * 4));
      return `${hex(8)}-${hex(4)}-4${hex(3)}-${variant}${hex(3)}-${hex(12)}`;
    };
  }

  const { attachShadow } = Element.prototype;
  Element.prototype.attachShadow = function (init) {
    const root = attachShadow.call(this, init);
    record.roots.push(root);
    return root;
  };
  const { observe } = IntersectionObserver.prototype;
  IntersectionObserver.prototype.observe = function (target) {
    record.awaitsScroll = true;
    observe.call(this, target);
  };
  const { addEventListener } = EventTarget.prototype;
  const deaf = new Set<string>();
  EventTarget.prototype.addEventListener = function (type, ...rest) {
    if (type === "scroll") record.awaitsScroll = true;
    // Before the first of the page's own listeners, so that none of them is reached.
    if (PARTING.includes(type) && !deaf.has(type)) {
      deaf.add(type);
      const stop = (event: Event) => left && event.stopImmediatePropagation();
      addEventListener.call(window, type, stop, true);
    }
    addEventListener.call(this, type, ...rest);
  };
  const skipped = () => {
    record.awaitsScroll = true;
  };
  document.addEventListener("contentvisibilityautostatechange", skipped, true);
}
