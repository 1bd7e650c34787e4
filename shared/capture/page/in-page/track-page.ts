/** What the page's script left behind for the scripts that hold it still. */
export interface PageRecord {
  /** Every shadow root, closed ones too. */
  roots: ShadowRoot[];
  /** True once something on the page waits to be scrolled to. */
  awaitsScroll: boolean;
  /** Videos that were stopped where they may not stay. */
  stoppedVideos: HTMLVideoElement[];
  /** Resolves in the browser's next frame. The page's clock may stand still. */
  frame(): Promise<void>;
  /** Has the page hear no more of being resized and left. */
  leave(): void;
}

/**
 * Runs in every document before the page's own scripts, and notes what cannot be asked for later.
 * It is sent to the page as text: it must use nothing from outside its body.
 */
export function trackPage(): void {
  const PARTING = ["resize", "visibilitychange", "beforeunload", "pagehide", "unload"];
  const nextFrame = window.requestAnimationFrame.bind(window);
  const NativePromise = Promise;
  let left = false;

  const record: PageRecord = {
    roots: [],
    awaitsScroll: false,
    stoppedVideos: [],
    frame: () => new NativePromise(resolve => nextFrame(() => resolve())),
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
}
