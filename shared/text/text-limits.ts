/** What a receiver counts: bytes of UTF-8, units of UTF-16 (as JavaScript does), or characters (code points). */
export type TextUnit = "bytes" | "utf16" | "characters";

/** How much text a receiver takes. */
export interface TextLimit {
  max: number;
  unit: TextUnit;
}

const KIB = 1_024;

/**
 * Every receiver's limits of the texts that we send. Units of UTF-16 where a receiver says "characters" and not which:
 * a text never has fewer of them than code points.
 */
export const TEXT_LIMITS = {
  /** Documented as characters; the code host refuses by bytes, which is what its database counts. */
  checkSummary: { max: 65_535, unit: "bytes" },
  checkTitle: { max: 255, unit: "bytes" },
  /** The code host takes 64 KiB for one; fifty of them go in one request. */
  checkAnnotation: { max: 4 * KIB, unit: "bytes" },
  comment: { max: 65_536, unit: "utf16" },
  /** Half of what a step may write: other commands of the step write to the same file. */
  jobSummary: { max: 512 * KIB, unit: "bytes" },
  /** Slack's Block Kit. */
  slackHeader: { max: 150, unit: "utf16" },
  slackSection: { max: 3_000, unit: "utf16" },
  slackAltText: { max: 2_000, unit: "utf16" },
  /** Teams' own, of a whole message. */
  teamsMessage: { max: 28 * KIB, unit: "bytes" },
  /** Google Chat's own, of text and cards together. */
  googleChatMessage: { max: 32_000, unit: "bytes" },
  /** Of one text in a card of either: what is longer is read nowhere. */
  cardTitle: { max: 300, unit: "utf16" },
  cardText: { max: 1_000, unit: "utf16" },
  discordContent: { max: 2_000, unit: "utf16" },
  /** Of an embed, which takes 6,000 in all. */
  discordTitle: { max: 256, unit: "utf16" },
  discordDescription: { max: 4_000, unit: "utf16" },
  /** PagerDuty's Events API v2. */
  incidentSummary: { max: 1_024, unit: "utf16" },
  incidentKey: { max: 255, unit: "utf16" },
  incidentEvent: { max: 512 * KIB, unit: "bytes" },
  /** Mail programs show no more of it. */
  mailSubject: { max: 150, unit: "characters" },
} as const satisfies Record<string, TextLimit>;

/** Returns the size of a text as a receiver counts it. */
export function sizeOf(text: string, unit: TextUnit): number {
  if (unit === "bytes") return Buffer.byteLength(text);
  return unit === "utf16" ? text.length : Array.from(text).length;
}

const ELLIPSIS = "…";

/** Returns a text within a limit. Where it is too long: its beginning in whole characters, and an ellipsis. */
export function cut(text: string, { max, unit }: TextLimit): string {
  if (sizeOf(text, unit) <= max) return text;
  let room = max - sizeOf(ELLIPSIS, unit);
  if (room < 0) return "";
  let end = 0;
  for (const character of text) {
    room -= sizeOf(character, unit);
    if (room < 0) break;
    end += character.length;
  }
  return `${text.slice(0, end)}${ELLIPSIS}`;
}

/** Returns as much of a text, escaped, as goes into a limit. The text is cut before it is escaped: no escape is broken. */
export function cutEscaped(text: string, limit: TextLimit, escaped: (text: string) => string): string {
  const { max, unit } = limit;
  let shown = cut(text, limit);
  while (shown !== "" && sizeOf(escaped(shown), unit) > max)
    shown = cut(shown, { max: Math.floor(sizeOf(shown, unit) * 0.8), unit });
  return escaped(shown);
}

/** Returns what other texts, or so much of the unit, leave of a limit; 0 at least. */
export function remainingLimit({ max, unit }: TextLimit, ...others: (string | number)[]): TextLimit {
  const used = others.reduce<number>(
    (sum, other) => sum + (typeof other === "number" ? other : sizeOf(other, unit)),
    0,
  );
  return { max: Math.max(0, max - used), unit };
}

/** Returns as many of the first lines as go into a limit, each with its end of line, and how many do not. */
export function fittingLines(lines: string[], { max, unit }: TextLimit): { lines: string[]; left: number } {
  let used = 0;
  const kept = lines.findIndex(line => {
    used += sizeOf(line, unit) + 1;
    return used > max;
  });
  return kept === -1 ? { lines, left: 0 } : { lines: lines.slice(0, kept), left: lines.length - kept };
}
