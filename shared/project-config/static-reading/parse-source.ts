import type { Program } from "oxc-parser";
import { parseSync } from "oxc-parser";
import type { SourceFailure } from "./reading.ts";

/** A source's syntax tree, or why there is none. */
export type Parsed = { program: Program; failure: null } | { program: null; failure: SourceFailure };

/**
 * Parses JavaScript or TypeScript, by the file's extension. The parser is native code, and a deeply nested
 * source crashes its process. Call it in a child process.
 */
export function parseSource(source: string, fileName: string): Parsed {
  const options = { lang: /\.[cm]?js$/.test(fileName) ? "js" : "ts", preserveParens: false } as const;
  const { program, errors } = parseSync(fileName, source, { ...options, showSemanticErrors: true });
  const [error] = errors.filter(({ severity }) => severity === "Error");
  if (!error) return { program, failure: null };
  const { start, end } = error.labels[0] ?? { start: 0, end: 0 };
  const help = error.helpMessage ? ` ${error.helpMessage}.` : "";
  return {
    program: null,
    failure: { start, end, code: "syntax", message: `${error.message.replace(/\.$/, "")}.${help}` },
  };
}
