import type { CDPSession } from "playwright";
import { CAPSULE_BOUNDS } from "./capsule.ts";

/** What the page itself says, from a world that its scripts can't change. */
export interface PageFacts {
  /** Characters of attributes and texts, up to a little over the limit. */
  chars: number;
  fonts: { family: string; status: string }[];
}

/** Measures the page. It is sent to the page as text: it must use nothing from outside its body. */
function measure(maxChars: number, maxFonts: number): PageFacts {
  let chars = 0;
  const roots: (Document | ShadowRoot)[] = [document];
  for (let root = roots.pop(); root !== undefined && chars <= maxChars; root = roots.pop()) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ALL);
    while (walker.nextNode() !== null && chars <= maxChars) {
      const node = walker.currentNode;
      chars += 10 + (node.nodeValue?.length ?? 0);
      if (!(node instanceof Element)) continue;
      for (const { value } of node.attributes) chars += value.length;
      if (node.shadowRoot) roots.push(node.shadowRoot);
      if (node instanceof HTMLIFrameElement && node.contentDocument) roots.push(node.contentDocument);
    }
  }
  const fonts: PageFacts["fonts"] = [];
  for (const { family, status } of document.fonts) {
    if (fonts.length < maxFonts) fonts.push({ family: family.slice(0, 100), status });
  }
  return { chars, fonts };
}

/**
 * Measures a page before its layout is read, because a hostile page could otherwise fill the memory of this process.
 * Returns null for a page that is too large.
 */
export async function measurePage(session: CDPSession): Promise<PageFacts | null> {
  // Each round trip takes milliseconds, and more on a busy machine.
  const [isLarge, { frameTree }] = await Promise.all([
    hasTooManyNodes(session),
    session.send("Page.getFrameTree"),
  ]);
  if (isLarge) {
    // Nodes of earlier pages count until they are collected.
    await session.send("HeapProfiler.collectGarbage");
    if (await hasTooManyNodes(session)) return null;
  }
  const { executionContextId: contextId } = await session.send("Page.createIsolatedWorld", {
    frameId: frameTree.frame.id,
    worldName: "vrs.capsule",
  });
  const { pageChars, fonts } = CAPSULE_BOUNDS;
  const expression = `(${measure})(${pageChars}, ${fonts})`;
  const { result } = await session.send("Runtime.evaluate", { contextId, returnByValue: true, expression });
  const facts: PageFacts = result.value;
  return facts.chars > pageChars ? null : facts;
}

async function hasTooManyNodes(session: CDPSession): Promise<boolean> {
  const { nodes } = await session.send("Memory.getDOMCounters");
  return nodes > CAPSULE_BOUNDS.pageNodes;
}
