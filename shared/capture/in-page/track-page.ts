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
  const nativeSetTimeout = globalThis.setTimeout;
  const record: PageRecord = {
    roots: [],
    awaitsScroll: false,
    timers: new Map(),
    sleep: ms => new Promise(resolve => nativeSetTimeout(resolve, ms)),
  };
  Object.defineProperty(globalThis, Symbol.for("vrs.page"), { value: record });

  const wrap = (owner: object, name: string, around: (original: CallableFunction) => unknown): void => {
    const descriptor = Object.getOwnPropertyDescriptor(owner, name);
    if (descriptor && typeof descriptor.value === "function") {
      Object.defineProperty(owner, name, { ...descriptor, value: around(descriptor.value) });
    }
  };

  wrap(Element.prototype, "attachShadow", attachShadow => {
    return function (this: Element, init: ShadowRootInit): ShadowRoot {
      const root: ShadowRoot = attachShadow.call(this, init);
      record.roots.push(root);
      return root;
    };
  });
  wrap(IntersectionObserver.prototype, "observe", observe => {
    return function (this: IntersectionObserver, target: Element): void {
      record.awaitsScroll = true;
      observe.call(this, target);
    };
  });
  wrap(EventTarget.prototype, "addEventListener", addEventListener => {
    return function (this: EventTarget, type: string, ...rest: unknown[]): void {
      if (type === "scroll") record.awaitsScroll = true;
      addEventListener.call(this, type, ...rest);
    };
  });
  document.addEventListener(
    "contentvisibilityautostatechange",
    () => {
      record.awaitsScroll = true;
    },
    true,
  );

  let depth = 0;
  wrap(globalThis, "setTimeout", setTimeout => {
    return function (this: unknown, handler: unknown, delayMs?: number, ...args: unknown[]): number {
      const delay = Number(delayMs) || 0;
      const chain = depth + 1;
      if (typeof handler !== "function" || delay > SOON_MS || chain > CHAIN) {
        return setTimeout.call(globalThis, handler, delayMs, ...args);
      }
      const fire = function (this: unknown): void {
        record.timers.delete(id);
        const outer = depth;
        depth = chain;
        try {
          handler.apply(this, args);
        } finally {
          depth = outer;
        }
      };
      const id: number = setTimeout.call(globalThis, fire, delayMs);
      record.timers.set(id, performance.now() + delay);
      return id;
    };
  });
  for (const name of ["clearTimeout", "clearInterval"]) {
    wrap(globalThis, name, clear => {
      return function (this: unknown, id: number): void {
        record.timers.delete(id);
        clear.call(globalThis, id);
      };
    });
  }
}
