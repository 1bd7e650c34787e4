import type { CDPSession } from "playwright";

/** A part of a page, CSS px from its top left corner. */
export interface PageArea {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * Captures an area beyond the viewport without resizing the page. So viewport units and fixed elements stay as they are
 * at the top of the page. Equal pixels give equal bytes.
 */
export async function takeScreenshot(session: CDPSession, area: PageArea): Promise<Buffer> {
  const { data } = await session.send("Page.captureScreenshot", {
    format: "png",
    captureBeyondViewport: false,
    // Faster PNG compression: files are a third larger and take a third less time.
    optimizeForSpeed: true,
    clip: { ...area, scale: 1 },
  });
  return Buffer.from(data, "base64");
}
