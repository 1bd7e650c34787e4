import { styleText } from "node:util";
import type { Terminal } from "../terminal.ts";

type Style = Parameters<typeof styleText>[0];

/** Gives a text the colors and weights asked for, where colors are wanted. */
export type Paint = (style: Style, text: string) => string;

export function painter({ hasColor }: Pick<Terminal, "hasColor">): Paint {
  return hasColor ? (style, text) => styleText(style, text, { validateStream: false }) : (_, text) => text;
}
