import type { PageRecord } from "./track-page.ts";

export interface FreezeOptions {
  masks: string[];
  hide: string[];
}

export interface Frozen {
  /** Size of all that can be scrolled to, px. */
  width: number;
  height: number;
  invalidSelector: string | null;
}

/**
 * Stops what moves by itself, hides what is to be hidden, covers what is to be masked. May run again: it starts over.
 * It is sent to the page as text: it must use nothing from outside its body.
 */
export async function freezePage(options: FreezeOptions): Promise<Frozen> {
  const record: PageRecord | undefined = Reflect.get(globalThis, Symbol.for("vrs.page"));
  const openRoots = [...document.querySelectorAll("*")].flatMap(element => element.shadowRoot ?? []);
  // One whose element was moved into a frame or a template is no part of this document, and takes none of its sheets.
  const ownRoots = [...openRoots, ...(record?.roots ?? [])].filter(root => root.ownerDocument === document);
  const roots: (Document | ShadowRoot)[] = [document, ...new Set(ownRoots)];
  const none = { width: 0, height: 0 };

  const sheet = new CSSStyleSheet();
  sheet.insertRule("*, *::before, *::after { caret-color: transparent !important; }");
  for (const selector of [...options.hide, ...options.masks]) {
    try {
      document.querySelector(selector);
      // A bracket that is left open is closed by the end of a selector, and not in the middle of a rule.
      if (options.hide.includes(selector))
        sheet.insertRule(`:is(${selector}), :is(${selector}) * { visibility: hidden !important; }`);
    } catch {
      return { ...none, invalidSelector: selector };
    }
  }
  for (const root of roots) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  document.documentElement.spellcheck = false;

  for (const root of roots) {
    for (const animation of root.getAnimations()) {
      const end = animation.effect?.getComputedTiming().endTime ?? 0;
      // One that scrolling drives ends at a share of the way, which is no number.
      if (animation.playbackRate !== 0 && Number.isFinite(end)) animation.finish();
      else animation.cancel();
    }
  }

  const frames = async (count: number): Promise<void> => {
    for (let frame = 0; frame < count; frame++) await record?.frame();
  };
  const videos = roots.flatMap(root => [...root.querySelectorAll("video")]);
  await Promise.all(
    videos.map(async video => {
      // One that has just begun shows a later frame while its time is still said to be 0.
      const isAtStart = video.paused && video.currentTime === 0;
      video.autoplay = false;
      video.pause();
      if (video.poster !== "") return video.load();
      if (isAtStart || video.readyState === 0) return;
      // A frame that was on its way to the screen may come after that of a seek, and stay: none is at the second one,
      // some frames of the screen later.
      for (const at of [0.001, 0]) {
        await frames(4);
        video.currentTime = at;
        for (let waited = 0; waited < 60 && video.seeking; waited++) await frames(1);
      }
    }),
  );

  document.querySelector("vrs-masks")?.remove();
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
    // The top layer, so that a mask covers an open dialog as well.
    layer.showPopover();
  }

  const scroller = document.scrollingElement ?? document.documentElement;
  return { width: scroller.scrollWidth, height: scroller.scrollHeight, invalidSelector: null };
}
