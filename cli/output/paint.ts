import { styleText } from "node:util";
import type { Terminal } from "../terminal.ts";

type Style = Parameters<typeof styleText>[0];

/** Styles a text with colors and weights, if colors are on. */
export type Paint = (style: Style, text: string) => string;

export function painter({ hasColor }: Pick<Terminal, "hasColor">): Paint {
  return hasColor ? (style, text) => styleText(style, text, { validateStream: false }) : (_, text) => text;
}
