import type { PageRecord } from "./track-page.ts";

/** What `releasePage` puts back. */
interface Adoption {
  release(): void;
}

/**
 * Prepares a page for `freezePage` that loaded without `trackPage`, and loads its lazy images. It is sent to the page as
 * text: it must use nothing from outside its body.
 */
export function adoptPage(): void {
  if (Reflect.has(globalThis, Symbol.for("vrs.page"))) return;
  const nextFrame = window.requestAnimationFrame;
  // Playwright's clock replaces it. Frames then come only when the test advances the clock.
  const hasFrames = Function.prototype.toString.call(nextFrame).includes("[native code]");
  const record: PageRecord = {
    roots: [],
    reactsToScroll: false,
    stoppedVideos: [],
    unfreeze: null,
    hasFrames,
    frame: () => (hasFrames ? new Promise(resolve => nextFrame(() => resolve())) : Promise.resolve()),
    leave() {},
  };
  const lazy = [...document.querySelectorAll("img[loading=lazy]")];
  const times = new Map([...document.querySelectorAll("video")].map(video => [video, video.currentTime]));
  const adoption: Adoption = {
    release() {
      for (const image of lazy) image.setAttribute("loading", "lazy");
      for (const [video, time] of times) if (video.currentTime !== time) video.currentTime = time;
      Reflect.deleteProperty(globalThis, Symbol.for("vrs.page"));
      Reflect.deleteProperty(globalThis, Symbol.for("vrs.adoption"));
    },
  };
  Object.defineProperty(globalThis, Symbol.for("vrs.page"), { value: record, configurable: true });
  Object.defineProperty(globalThis, Symbol.for("vrs.adoption"), { value: adoption, configurable: true });
}

/**
 * Unfreezes an adopted page, and leaves nothing behind in it. It is sent to the page as text: it must use nothing from
 * outside its body.
 */
export function releasePage(): void {
  const record: PageRecord | undefined = Reflect.get(globalThis, Symbol.for("vrs.page"));
  const adoption: Adoption | undefined = Reflect.get(globalThis, Symbol.for("vrs.adoption"));
  record?.unfreeze?.();
  adoption?.release();
}
