import type { PageRecord } from "./track-page.ts";

/**
 * Waits inside a frame for its images and fonts, including lazy ones. It is sent to the frame as text: it must use
 * nothing from outside its body.
 */
export async function settleFrame(): Promise<void> {
  const record: PageRecord | undefined = Reflect.get(globalThis, Symbol.for("vrs.page"));
  const roots: ParentNode[] = [document, ...(record?.roots ?? [])];
  const images = roots.flatMap(root => [...root.querySelectorAll("img")]);
  for (const image of images) image.loading = "eager";
  const decoded = images.filter(image => image.src !== "").map(image => image.decode().catch(() => {}));
  await Promise.all([document.fonts.ready, ...decoded]);
}
