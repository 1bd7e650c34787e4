import { readFileSync } from "node:fs";
import type { MarkdownOptions } from "vitepress";

type CodeTransformer = NonNullable<MarkdownOptions["codeTransformers"]>[number];

const CSS = new URL("theme/code-colors.css", import.meta.url);
/** Classes that the theme has. */
const CLASSES = new Set(readFileSync(CSS, "utf8").match(/(?<=^\.)[\w-]+/gm));
/** Nothing in the theme uses it: all code has the same ground. */
const UNUSED = /-bg$/;

/**
 * Replaces the styles of highlighted code by classes, because the page's policy allows no styles in attributes.
 * @throws Error for a color that the theme has no class for
 */
export const codeClasses: CodeTransformer = {
  name: "code-classes",
  pre(node) {
    toClasses(this, node);
  },
  span(node) {
    toClasses(this, node);
  },
};

type Context = ThisParameterType<NonNullable<CodeTransformer["span"]>>;
type Node = Parameters<NonNullable<CodeTransformer["span"]>>[0];

function toClasses(context: Context, node: Node): void {
  const { style } = node.properties;
  delete node.properties.style;
  for (const declaration of String(style ?? "").split(";")) {
    const [name = "", value = ""] = declaration.split(":");
    if (name !== "" && !UNUSED.test(name)) context.addClassToHast(node, classOf(name, value.toLowerCase()));
  }
}

/** `--shiki-light:#032563` is `light-032563`. */
function classOf(name: string, value: string): string {
  const found = `${name.replace("--shiki-", "")}-${value.replace("#", "")}`;
  if (CLASSES.has(found)) return found;
  throw new Error(`Add this rule to docs/.vitepress/theme/code-colors.css: .${found} { ${name}: ${value}; }`);
}
