import type { PageRecord } from "./track-page.ts";

export interface FreezeOptions {
  masks: string[];
  hide: string[];
}

export interface Frozen {
  /** Size of the whole scrollable page, px. */
  width: number;
  height: number;
  invalidSelector: string | null;
  /** Whether videos were stopped that `rewindVideos` must rewind. */
  hasStoppedVideos: boolean;
}

/**
 * Stops motion, hides elements, and covers masked ones. It can run again and then starts over. It is sent to the page
 * as text: it must use nothing from outside its body.
 */
export function freezePage(options: FreezeOptions): Frozen {
  const LOADING = ["loadstart", "suspend", "abort", "emptied", "loadedmetadata", "loadeddata", "canplay"];
  const PLAYING = ["pause", "playing", "waiting", "seeking", "seeked", "timeupdate", "ended"];
  const MEDIA_EVENTS = [...LOADING, "canplaythrough", "durationchange", ...PLAYING];
  const record: PageRecord | undefined = Reflect.get(globalThis, Symbol.for("vrs.page"));
  record?.unfreeze?.();
  const undo: (() => void)[] = [];
  if (record !== undefined)
    record.unfreeze = () => {
      record.unfreeze = null;
      for (const step of undo) step();
    };
  const openRoots = [...document.querySelectorAll("*")].flatMap(element => element.shadowRoot ?? []);
  // A root whose element was moved into a frame or a template is not part of this document. It accepts none of its
  // sheets.
  const ownRoots = [...openRoots, ...(record?.roots ?? [])].filter(root => root.ownerDocument === document);
  const roots: (Document | ShadowRoot)[] = [document, ...new Set(ownRoots)];
  const none = { width: 0, height: 0, hasStoppedVideos: false };

  const sheet = new CSSStyleSheet();
  // Forced colors override the color of the caret. A caret that does not blink is always visible there.
  sheet.insertRule(
    "*, *::before, *::after { caret-color: transparent !important; caret-animation: manual !important; }",
  );
  for (const selector of [...options.hide, ...options.masks]) {
    try {
      document.querySelector(selector);
      // An unclosed bracket is closed by the end of a selector, but not in the middle of a rule.
      if (options.hide.includes(selector))
        sheet.insertRule(`:is(${selector}), :is(${selector}) * { visibility: hidden !important; }`);
    } catch {
      return { ...none, invalidSelector: selector };
    }
  }
  for (const root of roots) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  const spellcheck = document.documentElement.getAttribute("spellcheck");
  document.documentElement.spellcheck = false;
  undo.push(() => {
    for (const root of roots)
      root.adoptedStyleSheets = root.adoptedStyleSheets.filter(adopted => adopted !== sheet);
    if (spellcheck === null) document.documentElement.removeAttribute("spellcheck");
    else document.documentElement.setAttribute("spellcheck", spellcheck);
  });

  for (const root of roots) {
    for (const animation of root.getAnimations()) {
      const end = animation.effect?.getComputedTiming().endTime ?? 0;
      const { playState, currentTime } = animation;
      undo.push(() => {
        if (playState === "finished" || playState === "idle") return;
        if (playState === "paused") animation.pause();
        else animation.play();
        animation.currentTime = currentTime;
      });
      // A scroll-driven animation ends at a percentage, which is not a number.
      if (animation.playbackRate !== 0 && Number.isFinite(end)) animation.finish();
      else animation.cancel();
    }
  }

  const videos = roots.flatMap(root => [...root.querySelectorAll("video")]);
  // A page that receives these events may draw the controls of its videos differently.
  const listening = new AbortController();
  const stop = (event: Event) => event.stopImmediatePropagation();
  for (const root of roots)
    for (const type of MEDIA_EVENTS)
      root.addEventListener(type, stop, { capture: true, signal: listening.signal });
  undo.push(() => listening.abort());
  const stoppedVideos = videos.filter(video => {
    // A video that has just started shows a later frame while its currentTime is still 0.
    const isAtStart = video.paused && video.currentTime === 0;
    const { autoplay, paused } = video;
    undo.push(() => {
      video.autoplay = autoplay;
      if (!paused) video.play().catch(() => {});
    });
    video.autoplay = false;
    video.pause();
    // A video without a frame that is not seeking waits for its server.
    const hasFrame = video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA || video.seeking;
    if (video.poster === "") return hasFrame && !isAtStart;
    video.load();
    return false;
  });
  if (record !== undefined) record.stoppedVideos = stoppedVideos;

  document.querySelector("vrs-masks")?.remove();
  // Masks of elements that their parents cut off would make the page larger.
  const { scrollWidth: width, scrollHeight: height } = document.scrollingElement ?? document.documentElement;
  const boxes = options.masks.flatMap(selector =>
    roots.flatMap(root =>
      [...root.querySelectorAll(selector)].map(element => element.getBoundingClientRect()),
    ),
  );
  if (boxes.length > 0) {
    const layer = document.createElement("vrs-masks");
    const flat = "all:initial!important;position:absolute!important;display:block!important;";
    layer.setAttribute("popover", "manual");
    layer.style.cssText = `${flat}left:0!important;top:0!important;overflow:visible!important`;
    for (const box of boxes) {
      const cover = document.createElement("div");
      cover.style.cssText = `${flat}left:${box.left + scrollX}px!important;top:${box.top + scrollY}px!important;width:${box.width}px!important;height:${box.height}px!important;background:#8a8f98!important`;
      layer.append(cover);
    }
    document.documentElement.append(layer);
    // In the top layer, a mask covers open dialogs too.
    layer.showPopover();
    undo.push(() => layer.remove());
  }

  return { width, height, invalidSelector: null, hasStoppedVideos: stoppedVideos.length > 0 };
}

/**
 * Undoes what `freezePage` did, so that the page can go on. It is sent to the page as text: it must use nothing from
 * outside its body.
 */
export function unfreezePage(): void {
  const record: PageRecord | undefined = Reflect.get(globalThis, Symbol.for("vrs.page"));
  record?.unfreeze?.();
}
