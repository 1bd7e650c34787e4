import type { Capsule } from "../../../shared/capture/capsule/capsule.ts";
import type { Cause } from "../../../shared/contracts/runs/explanation.ts";
import { PageTree } from "../../../shared/explain/elements/page-tree.ts";
import type { Random } from "../../soak/random.ts";
import type { Edit } from "./serve-edited.ts";

export const SEEDED_KINDS = [
  ...[
    "color",
    "background",
    "spacing",
    "font size",
    "size",
    "text",
    "added",
    "removed",
    "reordered",
    "image",
  ],
  ...["failed stylesheet", "third-party script"],
] as const;
export type SeededKind = (typeof SEEDED_KINDS)[number];

/** A change of a page, and the cause that its explanation must name first. */
export interface SeededChange {
  kind: SeededKind;
  edit: Edit;
  /** Names that the cause may have for the element. Empty for the whole page. */
  selectors: string[];
  causes: Cause["kind"][];
  /** Start of the property; null for changes without one. */
  property: string | null;
  /** Path of the file. */
  file: string;
}

const STYLES: Partial<Record<SeededKind, { property: string; css: string }>> = {
  color: { property: "color", css: "color:rgb(200,0,120)" },
  background: { property: "background", css: "background-color:rgb(255,230,120)" },
  spacing: { property: "padding", css: "padding:23px" },
  "font size": { property: "font-size", css: "font-size:23px" },
  size: { property: "width", css: "width:137px;max-width:none" },
};
const MIN_PX = 12;
const MAX_PX = 700;
const VIEWPORT_PX = 1_200;

/** Draws a change of this kind that is possible on the page; null if there is none. */
export function drawChange(kind: SeededKind, capsule: Capsule, random: Random): SeededChange | null {
  const tree = new PageTree(capsule);
  const page = new URL(capsule.url).pathname;
  const own = (type: string) =>
    capsule.responses.filter(
      response =>
        response.type === type &&
        response.status === 200 &&
        response.url.startsWith(new URL(capsule.url).origin),
    );
  const [sheet] = random.shuffled(own("stylesheet"));
  const [script] = random.shuffled(own("script"));
  const nodes = random.shuffled(
    Array.from({ length: tree.size }, (_, node) => node).filter(node => isSeen(tree, node)),
  );
  const withText = nodes.find(node => tree.text(node).length > 3 && (tree.children[node] ?? []).length === 0);
  const style = STYLES[kind];
  if (style !== undefined) {
    const node = nodes.find(each => tree.text(each).length > 3 && tree.classes(each).length > 0);
    if (node === undefined || sheet === undefined) return null;
    const selector = `.${tree
      .classes(node)
      .map(name => CSS_ESCAPE(name))
      .join(".")}`;
    const append = `\n${selector}{${style.css.replaceAll(";", "!important;")}!important}\n`;
    return {
      kind,
      edit: { path: pathOf(sheet.url), append },
      selectors: [selector, tree.name(node), tree.name(node, false)],
      ...{ causes: ["style"], property: style.property, file: pathOf(sheet.url) },
    };
  }
  if (kind === "failed stylesheet") {
    if (sheet === undefined) return null;
    const path = pathOf(sheet.url);
    return {
      kind,
      edit: { path, isMissing: true },
      selectors: [],
      causes: ["failed_request"],
      property: null,
      file: path,
    };
  }
  if (kind === "third-party script") {
    if (script === undefined) return null;
    const append = `\n;addEventListener("load",()=>document.body.insertAdjacentHTML("afterbegin",'<div id="seeded-chat" style="position:relative;padding:9px;background:#fe8">Chat</div>'));`;
    const path = pathOf(script.url);
    return {
      kind,
      edit: { path, append },
      selectors: ["#seeded-chat"],
      causes: ["added"],
      property: null,
      file: path,
    };
  }
  const node =
    kind === "image"
      ? nodes.find(each => tree.tag(each) === "img" && tree.attribute(each, "src") !== "")
      : kind === "reordered"
        ? nodes.find(each => isMovable(tree, each))
        : withText;
  if (node === undefined) return null;
  const scripts: Partial<Record<SeededKind, string>> = {
    text: "e.textContent = e.textContent + ' seeded'",
    added: `e.insertAdjacentHTML('beforebegin', '<p id="seeded-note">Seeded note</p>')`,
    removed: "e.remove()",
    reordered: "e.parentNode.append(e)",
    image: `e.removeAttribute('srcset'); e.src = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'><rect width='40' height='40' fill='red'/></svg>"`,
  };
  const append = `<script>{const e = document.querySelector(${JSON.stringify(pathTo(tree, node))}); if (e) { ${scripts[kind] ?? ""} } document.currentScript.remove()}</script>`;
  const names = [tree.name(node), tree.name(node, false)];
  return {
    kind,
    edit: { path: page, append },
    selectors: kind === "added" ? ["#seeded-note"] : names,
    causes: [
      kind === "added" || kind === "removed" || kind === "reordered" || kind === "image" ? kind : "text",
    ],
    ...{ property: null, file: page },
  };
}

function isSeen(tree: PageTree, node: number): boolean {
  const { x, y, width, height } = tree.box(node);
  const isSized = width >= MIN_PX && height >= MIN_PX && width <= VIEWPORT_PX && height <= MAX_PX;
  if (!isSized || x < 0 || y < 0 || tree.styleIndex(node) === -1 || tree.tag(node).startsWith("::"))
    return false;
  return tree.computed(node, "visibility") === "visible" && tree.computed(node, "opacity") === "1";
}

function isMovable(tree: PageTree, node: number): boolean {
  const siblings = (tree.children[tree.parent(node)] ?? []).filter(each => isSeen(tree, each));
  return siblings.length > 2 && siblings.indexOf(node) === 0 && tree.text(node).length > 3;
}

function pathTo(tree: PageTree, node: number): string {
  const parts: string[] = [];
  for (let at = node; at >= 0; at = tree.parent(at)) {
    const tag = tree.tag(at);
    const same = (tree.children[tree.parent(at)] ?? []).filter(each => tree.tag(each) === tag);
    parts.unshift(tree.parent(at) < 0 ? tag : `${tag}:nth-of-type(${same.indexOf(at) + 1})`);
  }
  return parts.join(" > ");
}

const CSS_ESCAPE = (name: string) => name.replace(/[^\w-]/g, character => `\\${character}`);

function pathOf(url: string): string {
  return new URL(url).pathname;
}
