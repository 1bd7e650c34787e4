import type { PageRecord } from "./track-page.ts";

/**
 * Brings every animation and transition that ends to its end, and waits until the page has heard of that.
 * It is sent to the page as text: it must use nothing from outside its body.
 * @returns how many were still running
 */
export async function finishAnimations(): Promise<number> {
  const record: PageRecord | undefined = Reflect.get(globalThis, Symbol.for("vrs.page"));
  // Those that are over by the page's clock are so for its scripts only once there is a frame.
  await record?.frame();
  const ownRoots = (record?.roots ?? []).filter(root => root.ownerDocument === document);
  const roots: (Document | ShadowRoot)[] = [document, ...ownRoots];
  const finite = [...new Set(roots.flatMap(root => root.getAnimations()))].filter(animation => {
    const end = animation.effect?.getComputedTiming().endTime;
    return animation.playState === "running" && animation.playbackRate !== 0 && Number.isFinite(end);
  });
  for (const animation of finite) animation.finish();
  // The events come with the frame after the one that is under way, and from the compositor's thread one later still.
  for (let frames = 0; frames < 3 && finite.length > 0; frames++) await record?.frame();
  return finite.length;
}
