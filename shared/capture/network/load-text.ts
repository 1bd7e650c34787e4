import type { CDPSession } from "playwright";

const READ_BYTES = 256 * 1024;

/**
 * Reads a text through the browser's own network, and so through its proxy, which checks all addresses. Returns null for
 * an error, or a text that is too long.
 */
export async function loadText(session: CDPSession, url: string, maxChars: number): Promise<string | null> {
  const { frameTree } = await session.send("Page.getFrameTree");
  const { resource } = await session.send("Network.loadNetworkResource", {
    frameId: frameTree.frame.id,
    url,
    options: { disableCache: false, includeCredentials: false },
  });
  if (resource.stream === undefined) return null;
  try {
    if (!resource.success) return null;
    const parts: Buffer[] = [];
    let bytes = 0;
    for (;;) {
      const { data, eof, base64Encoded } = await session.send("IO.read", {
        handle: resource.stream,
        size: READ_BYTES,
      });
      const part = Buffer.from(data, base64Encoded ? "base64" : "utf8");
      bytes += part.length;
      if (bytes > maxChars) return null;
      parts.push(part);
      if (eof) return Buffer.concat(parts).toString("utf8");
    }
  } finally {
    await session.send("IO.close", { handle: resource.stream }).catch(() => {});
  }
}
