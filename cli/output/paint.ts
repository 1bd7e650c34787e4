import { styleText } from "node:util";
import type { Terminal } from "../terminal.ts";

type Style = Parameters<typeof styleText>[0];

/** Gives a text the colours and weights asked for, where they are wanted. */
export type Paint = (style: Style, text: string) => string;

export function painter({ hasColour }: Pick<Terminal, "hasColour">): Paint {
  return hasColour ? (style, text) => styleText(style, text, { validateStream: false }) : (_, text) => text;
}
