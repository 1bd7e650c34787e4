/** What the page's script left behind for the scripts that stabilise it. */
export interface PageRecord {
  /** Every shadow root, closed ones too. */
  roots: ShadowRoot[];
  /** True once something on the page waits to be scrolled to. */
  awaitsScroll: boolean;
  /** When the page's short timers will fire, ms of `performance.now()`, by timer id. */
  timers: Map<number, number>;
  /** Resolves after `ms`, by a timer that is not among `timers`. */
  sleep(ms: number): Promise<void>;
  /** Has the page hear no more of being resized and left. */
  leave(): void;
}

/**
 * Runs in every document before the page's own scripts, and notes what cannot be asked for later.
 * It is sent to the page as text: it must use nothing from outside its body.
 */
export function trackPage(): void {
  /** Longer timers are part of how the page behaves later, not of how it loads. */
  const SOON_MS = 1_000;
  /** A chain of timers longer than this is a loop, and would never be waited out. */
  const CHAIN = 4;
  const PARTING = ["resize", "visibilitychange", "beforeunload", "pagehide", "unload"];
  const nativeSetTimeout: (handler: TimerHandler, delayMs?: number, ...args: unknown[]) => number =
    window.setTimeout.bind(window);
  let left = false;
  const record: PageRecord = {
    roots: [],
    awaitsScroll: false,
    timers: new Map(),
    sleep: ms => new Promise(resolve => nativeSetTimeout(resolve, ms)),
    leave() {
      left = true;
      for (const type of PARTING)
        for (const target of [window, document]) Reflect.set(target, `on${type}`, null);
    },
  };
  Object.defineProperty(globalThis, Symbol.for("vrs.page"), { value: record });

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

  let depth = 0;
  const setTracked = (handler: TimerHandler, delayMs?: number, ...args: unknown[]): number => {
    const delay = Number(delayMs) || 0;
    const chain = depth + 1;
    if (typeof handler !== "function" || delay > SOON_MS || chain > CHAIN) {
      return nativeSetTimeout(handler, delayMs, ...args);
    }
    const id = nativeSetTimeout(() => {
      record.timers.delete(id);
      const outer = depth;
      depth = chain;
      try {
        handler.apply(window, args);
      } finally {
        depth = outer;
      }
    }, delay);
    record.timers.set(id, performance.now() + delay);
    return id;
  };
  Reflect.set(window, "setTimeout", setTracked);
  for (const name of ["clearTimeout", "clearInterval"]) {
    const clear: (id?: number) => void = Reflect.get(window, name).bind(window);
    const clearTracked = (id?: number): void => {
      if (id !== undefined) record.timers.delete(id);
      clear(id);
    };
    Reflect.set(window, name, clearTracked);
  }
}
