import { SourceMap } from "node:module";
import { changedDeclarations, readRules } from "../../explain/elements/css-rules.ts";
import { fileKey } from "../../explain/loaded-files.ts";
import { masked } from "../diagnostics/mask-tokens.ts";
import type { Capsule } from "./capsule.ts";

/** Limits of source maps of one page. */
export const MAP_BOUNDS = {
  maps: 5,
  /** Characters of one map. */
  chars: 1_000_000,
  /** Changed rules that are mapped. */
  rules: 200,
  /** Reading one map. */
  readMs: 1_000,
} as const;

const MAX_SOURCE_CHARS = 200;
/** The comment is at the end of a stylesheet. */
const TAIL_CHARS = 2_000;
const MAP_COMMENT = /\/\*[#@]\s*sourceMappingURL=([^\s*]+)\s*\*\/\s*$/;
const INLINE_MAP = /^data:application\/json[^,]*,/;

/** A stylesheet of the page, with its URL as it was requested. */
interface LoadedSheet {
  url: string;
  text: string;
}

/** Returns the URL of a stylesheet's source map; null if it has none. */
export function mapUrlOf({ url, text }: LoadedSheet): string | null {
  const named = MAP_COMMENT.exec(text.slice(-Math.max(TAIL_CHARS, inlineChars(text))))?.[1];
  const parsed = named === undefined ? null : URL.parse(named, url);
  return parsed !== null && /^(?:https?|data):$/.test(parsed.protocol) ? parsed.href : null;
}

/** Returns how many characters at the end may be an inline map. */
function inlineChars(text: string): number {
  const start = text.lastIndexOf("sourceMappingURL=data:");
  return start === -1 ? 0 : Math.min(text.length - start + 10, MAP_BOUNDS.chars * 1.5);
}

/**
 * Finds where the sources of changed rules are, by the source maps of their stylesheets.
 * @param baseline capsule of the baseline, whose stylesheets tell what changed
 * @param load reads a source map within a limit; null if it can't be read
 */
export async function mapChangedRules(
  sheets: readonly LoadedSheet[],
  baseline: Capsule,
  load: (url: string, maxChars: number) => Promise<string | null>,
): Promise<NonNullable<Capsule["mapped"]>> {
  const old = new Map(
    baseline.sheets.flatMap(({ url, text }) => (url === null ? [] : [[fileKey(url, url), text]])),
  );
  const mapped: NonNullable<Capsule["mapped"]> = [];
  let maps = 0;
  for (const sheet of sheets) {
    const before = old.get(fileKey(sheet.url, sheet.url));
    if (before === undefined || before === sheet.text || maps >= MAP_BOUNDS.maps) continue;
    const mapUrl = mapUrlOf(sheet);
    if (mapUrl === null) continue;
    const offsets = new Map<string, number>();
    const rules = readRules(sheet.text, (selector, property, offset) =>
      offsets.set(`${selector} ${property}`, offset),
    );
    const changed = changedDeclarations(readRules(before), rules).flatMap(({ selector, property }) => {
      const offset = offsets.get(`${selector} ${property}`);
      return offset === undefined ? [] : [{ selector, property, offset }];
    });
    if (changed.length === 0) continue;
    maps++;
    const map = await readMap(mapUrl, load);
    if (map === null) continue;
    const lines = lineStarts(sheet.text);
    for (const { selector, property, offset } of changed.slice(0, MAP_BOUNDS.rules - mapped.length)) {
      const line = lines.findLastIndex(start => start <= offset);
      const entry = map.findEntry(line, offset - (lines[line] ?? 0));
      if (!("originalSource" in entry)) continue;
      const source = sourceName(entry.originalSource);
      if (source !== "")
        mapped.push({
          url: masked(sheet.url),
          selector,
          property,
          source: `${source}:${entry.originalLine + 1}`,
        });
    }
  }
  return mapped;
}

async function readMap(
  url: string,
  load: (url: string, maxChars: number) => Promise<string | null>,
): Promise<SourceMap | null> {
  try {
    const inline = INLINE_MAP.exec(url);
    const data = inline && url.slice(inline[0].length);
    const text =
      data === null
        ? await load(url, MAP_BOUNDS.chars)
        : inline?.[0].endsWith(";base64,")
          ? Buffer.from(data, "base64").toString("utf8")
          : decodeURIComponent(data);
    return text === null || text.length > MAP_BOUNDS.chars ? null : new SourceMap(JSON.parse(text));
  } catch {
    // Whatever a page calls a source map.
    return null;
  }
}

/** Returns a source as people know it: a path in the repository, without the prefixes of build tools. */
function sourceName(source: unknown): string {
  if (typeof source !== "string") return "";
  const path = source.replace(/^[a-z][\w+.-]*:\/\/(?:\/|[^/]*\/)?/i, "").replace(/[?#].*$/s, "");
  const parts = path.split("/").filter(part => part !== "" && part !== "." && part !== "..");
  const name = parts.join("/").replace(/[\p{Cc}`]/gu, "");
  return name.length <= MAX_SOURCE_CHARS ? name : "";
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
