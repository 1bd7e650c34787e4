import type { CDPSession, Page } from "playwright";
import { CAPSULE_BOUNDS } from "./capsule.ts";
import { CAPTURED_PROPERTIES } from "./captured-properties.ts";
import { LayoutColumns, type Snapshot } from "./layout-columns.ts";
import { measurePage, type PageFacts } from "./measure-page.ts";

/** The layout of a page, null for one that is too large, and its fonts. */
export interface PageLayout extends Pick<PageFacts, "fonts"> {
  layout: LayoutColumns | null;
}

/** Reads the layout of the page and of its frames, in other processes too. */
export async function readLayout(page: Page, session: CDPSession): Promise<PageLayout> {
  const facts = await measurePage(session);
  return facts === null ? { fonts: [], layout: null } : { ...facts, layout: await readFrames(page, session) };
}

async function readFrames(page: Page, session: CDPSession): Promise<LayoutColumns> {
  const layout = new LayoutColumns();
  const owners = layout.add(await snapshot(session), null);
  const children = page.frames().slice(1, 1 + CAPSULE_BOUNDS.frames);
  for (const frame of children) {
    // Only a frame in a process of its own has a session of its own.
    const own = await page
      .context()
      .newCDPSession(frame)
      .catch(() => null);
    if (own === null) continue;
    try {
      const { frameTree } = await own.send("Page.getFrameTree");
      const { backendNodeId } = await session.send("DOM.getFrameOwner", { frameId: frameTree.frame.id });
      const owner = owners.get(backendNodeId);
      const { nodes } = await own.send("Memory.getDOMCounters");
      if (owner !== undefined && nodes <= CAPSULE_BOUNDS.pageNodes) layout.add(await snapshot(own), owner);
    } catch {
      // The frame is gone, or belongs to another frame that has its own process.
    } finally {
      await own.detach().catch(() => {});
    }
  }
  return layout;
}

async function snapshot(session: CDPSession): Promise<Snapshot> {
  return await session.send("DOMSnapshot.captureSnapshot", { computedStyles: [...CAPTURED_PROPERTIES] });
}
