import { createElement, Fragment, type ReactNode } from "react";

/** The names in a text's braces. */
type Slots<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Slots<Rest>
  : never;

/** Fills the `{names}` of a text with elements, or with values from users. */
export function fill<Text extends string>(text: Text, parts: Record<Slots<Text>, ReactNode>): ReactNode {
  const byName = new Map<string, ReactNode>(Object.entries(parts));
  return text
    .split(/\{(\w+)\}/)
    .map((piece, index) =>
      index % 2 === 0 ? piece : createElement(Fragment, { key: piece }, byName.get(piece)),
    );
}
