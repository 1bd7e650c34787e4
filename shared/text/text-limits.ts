/**
 * The unit of a limit: bytes of UTF-8, code units of UTF-16 (as in JavaScript), or characters (code points).
 */
export type TextUnit = "bytes" | "utf16" | "characters";

/** A receiver's maximum length of a text. */
export interface TextLimit {
  max: number;
  unit: TextUnit;
}

const KIB = 1_024;

/**
 * The limits of all receivers of our texts. If a receiver says "characters" without defining them, the unit
 * is UTF-16: no text has fewer code units than code points.
 */
export const TEXT_LIMITS = {
  /** Documented as characters, but the code host's database counts bytes, and it rejects by bytes. */
  checkSummary: { max: 65_535, unit: "bytes" },
  checkTitle: { max: 255, unit: "bytes" },
  /** The code host accepts 64 KiB for one. Fifty of them go in one request. */
  checkAnnotation: { max: 4 * KIB, unit: "bytes" },
  comment: { max: 65_536, unit: "utf16" },
  /** Bitbucket has a limit of its own. */
  bitbucketComment: { max: 32_768, unit: "utf16" },
  /** Half of a step's limit. Other commands of the step write to the same file. */
  jobSummary: { max: 512 * KIB, unit: "bytes" },
  /** Slack's Block Kit. */
  slackHeader: { max: 150, unit: "utf16" },
  slackSection: { max: 3_000, unit: "utf16" },
  slackAltText: { max: 2_000, unit: "utf16" },
  /** Of a whole message in Teams. */
  teamsMessage: { max: 28 * KIB, unit: "bytes" },
  /** Of text and cards together in Google Chat. */
  googleChatMessage: { max: 32_000, unit: "bytes" },
  /** Of one text in a card of either. Longer texts don't help a reader. */
  cardTitle: { max: 300, unit: "utf16" },
  cardText: { max: 1_000, unit: "utf16" },
  /** Of a whole message as JSON. Discord's own limits are those of its parts. */
  discordMessage: { max: 16 * KIB, unit: "bytes" },
  discordContent: { max: 2_000, unit: "utf16" },
  /** Of an embed, which accepts 6,000 in total. */
  discordTitle: { max: 256, unit: "utf16" },
  discordDescription: { max: 4_000, unit: "utf16" },
  /** PagerDuty's Events API v2. */
  incidentSummary: { max: 1_024, unit: "utf16" },
  incidentKey: { max: 255, unit: "utf16" },
  incidentEvent: { max: 512 * KIB, unit: "bytes" },
  /** Opsgenie's Alert API. */
  opsgenieMessage: { max: 130, unit: "utf16" },
  opsgenieDescription: { max: 15_000, unit: "utf16" },
  /** Mail programs show no more of it. */
  mailSubject: { max: 150, unit: "characters" },
} as const satisfies Record<string, TextLimit>;

/** Returns the size of a text in a unit. */
export function sizeOf(text: string, unit: TextUnit): number {
  if (unit === "bytes") return Buffer.byteLength(text);
  return unit === "utf16" ? text.length : Array.from(text).length;
}

const ELLIPSIS = "…";

/** Shortens a text to a limit, with whole characters and an ellipsis. */
export function cut(text: string, { max, unit }: TextLimit): string {
  if (sizeOf(text, unit) <= max) return text;
  let remaining = max - sizeOf(ELLIPSIS, unit);
  if (remaining < 0) return "";
  let end = 0;
  for (const character of text) {
    remaining -= sizeOf(character, unit);
    if (remaining < 0) break;
    end += character.length;
  }
  return `${text.slice(0, end)}${ELLIPSIS}`;
}

/**
 * Shortens a text so that its escaped form fits a limit. It is cut before it is escaped, so that no escape is
 * broken.
 */
export function cutEscaped(text: string, limit: TextLimit, escaped: (text: string) => string): string {
  const { max, unit } = limit;
  let shown = cut(text, limit);
  while (shown !== "" && sizeOf(escaped(shown), unit) > max)
    shown = cut(shown, { max: Math.floor(sizeOf(shown, unit) * 0.8), unit });
  return escaped(shown);
}

/** Returns the rest of a limit beside other texts or sizes. At least 0. */
export function remainingLimit({ max, unit }: TextLimit, ...others: (string | number)[]): TextLimit {
  const used = others.reduce<number>(
    (sum, other) => sum + (typeof other === "number" ? other : sizeOf(other, unit)),
    0,
  );
  return { max: Math.max(0, max - used), unit };
}

/** Returns the first lines that fit a limit, each with its line end, and the number of the others. */
export function fittingLines(lines: string[], { max, unit }: TextLimit): { lines: string[]; left: number } {
  let used = 0;
  const kept = lines.findIndex(line => {
    used += sizeOf(line, unit) + 1;
    return used > max;
  });
  return kept === -1 ? { lines, left: 0 } : { lines: lines.slice(0, kept), left: lines.length - kept };
}
