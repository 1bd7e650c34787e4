import type { PageRecord } from "./track-page.ts";

/**
 * Finishes every finite animation and transition, and waits until the page has received their events. It is sent to the
 * page as text: it must use nothing from outside its body.
 * @returns how many were still running
 */
export async function finishAnimations(): Promise<number> {
  const record: PageRecord | undefined = Reflect.get(globalThis, Symbol.for("vrs.page"));
  // Animations that are over by the page's clock end for its scripts only with the next frame.
  await record?.frame();
  const ownRoots = (record?.roots ?? []).filter(root => root.ownerDocument === document);
  const roots: (Document | ShadowRoot)[] = [document, ...ownRoots];
  const finite = [...new Set(roots.flatMap(root => root.getAnimations()))].filter(animation => {
    const end = animation.effect?.getComputedTiming().endTime;
    return animation.playState === "running" && animation.playbackRate !== 0 && Number.isFinite(end);
  });
  for (const animation of finite) animation.finish();
  // The events come one frame after the pending one. From the compositor's thread, they come one frame later still.
  for (let frames = 0; frames < 3 && finite.length > 0; frames++) await record?.frame();
  return finite.length;
}
