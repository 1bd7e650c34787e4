/** What the in-page script records for the scripts that freeze the page. */
export interface PageRecord {
  /** Every shadow root, including closed ones. */
  roots: ShadowRoot[];
  /** Whether something on the page reacts to scrolling. */
  reactsToScroll: boolean;
  /** Videos that were stopped at a frame that must not stay. */
  stoppedVideos: HTMLVideoElement[];
  /** Undoes what `freezePage` did; null while the page is not frozen. */
  unfreeze: (() => void) | null;
  /** Whether the page gets frames. Without scripts, it gets none. */
  hasFrames: boolean;
  /** Resolves in the browser's next frame, also while the page's clock is paused. Resolves at once without frames. */
  frame(): Promise<void>;
  /** Stops the page's events for resizing and leaving. */
  leave(): void;
}

/**
 * Records what can't be read later. It runs in every document before the page's own scripts. It is sent to the page as
 * text: it must use nothing from outside its body.
 */
export function trackPage(hasFrames: boolean): void {
  const LEAVE_EVENTS = ["resize", "visibilitychange", "beforeunload", "pagehide", "unload"];
  const nextFrame = window.requestAnimationFrame.bind(window);
  const NativePromise = Promise;
  let isLeft = false;

  const record: PageRecord = {
    roots: [],
    reactsToScroll: false,
    stoppedVideos: [],
    unfreeze: null,
    hasFrames,
    frame: () =>
      new NativePromise(resolve => {
        if (hasFrames) nextFrame(() => resolve());
        else resolve();
      }),
    leave() {
      isLeft = true;
      for (const type of LEAVE_EVENTS)
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
    record.reactsToScroll = true;
    observe.call(this, target);
  };
  const { addEventListener } = EventTarget.prototype;
  const stoppedTypes = new Set<string>();
  EventTarget.prototype.addEventListener = function (type, ...rest) {
    if (type === "scroll") record.reactsToScroll = true;
    // This listener comes before the page's first one, so that the event reaches none of them.
    if (LEAVE_EVENTS.includes(type) && !stoppedTypes.has(type)) {
      stoppedTypes.add(type);
      const stop = (event: Event) => isLeft && event.stopImmediatePropagation();
      addEventListener.call(window, type, stop, true);
    }
    addEventListener.call(this, type, ...rest);
  };
  const skipped = () => {
    record.reactsToScroll = true;
  };
  document.addEventListener("contentvisibilityautostatechange", skipped, true);
}

/**
 * Clears the page's session storage. It also stops the events for resizing and leaving, in which the page could store
 * something for the next page. It is sent to the page as text: it must use nothing from outside its body.
 */
export function leavePage(): void {
  const record: PageRecord | undefined = Reflect.get(globalThis, Symbol.for("vrs.page"));
  record?.leave();
  window.name = "";
  sessionStorage.clear();
}
