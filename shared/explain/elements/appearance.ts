import { hash } from "node:crypto";
import type { PageTree } from "./page-tree.ts";

/** Computed properties that don't depend on the width of the page. */
const LOOKS = [
  ...["color", "background-color", "background-image", "opacity", "box-shadow", "fill", "stroke"],
  ...["border-top-color", "border-right-color", "border-bottom-color", "border-left-color", "content"],
] as const;
/** Without `current-src`, the browser's choice from `srcset`: it depends on the width. */
const ATTRIBUTES = ["src", "placeholder", "type"] as const;
/** Each deployment has its own host. */
const HOST = /https?:\/\/[^/"')\s]+/g;

/**
 * Returns a function that digests what an element and its descendants draw: their texts, images and colors. Equal
 * digests mean equal content at any width.
 */
export function appearanceOf(tree: PageTree): (node: number) => string {
  let digests: string[] | null = null;
  return node => {
    digests ??= digestAll(tree);
    return digests[node] ?? "";
  };
}

/** Digests all rendered elements. Descendants come after their ancestors, so it starts at the end. */
function digestAll(tree: PageTree): string[] {
  const styles = new Map<number, string>();
  const styleOf = (index: number): string => {
    const known = styles.get(index) ?? LOOKS.map(property => tree.valueOf(index, property)).join("\n");
    styles.set(index, known);
    return known;
  };
  const digests: string[] = [];
  for (let node = tree.size - 1; node >= 0; node--) {
    const style = tree.styleIndex(node);
    if (style === -1) continue;
    const own = [tree.tag(node), tree.text(node), styleOf(style)];
    const attributes = ATTRIBUTES.map(name => tree.attribute(node, name));
    const inner = (tree.children[node] ?? []).map(child => digests[child] ?? "");
    digests[node] = hash("sha256", JSON.stringify([...own, ...attributes, inner]).replace(HOST, ""));
  }
  return digests;
}
