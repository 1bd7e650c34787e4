import { createHash } from "node:crypto";
import type { CDPSession } from "playwright";

/** One PNG of the page from its top, and the SHA-256 of its bytes. */
export interface Take {
  png: Buffer;
  hash: string;
}

/** Takes the page's top left `width` × `height` px without changing its viewport. */
export async function takeScreenshot(session: CDPSession, width: number, height: number): Promise<Take> {
  const { data } = await session.send("Page.captureScreenshot", {
    format: "png",
    captureBeyondViewport: true,
    optimizeForSpeed: true,
    clip: { x: 0, y: 0, width, height, scale: 1 },
  });
  const png = Buffer.from(data, "base64");
  return { png, hash: createHash("sha256").update(png).digest("hex") };
}
