/** A team's settings for links that open without an API key. */
export interface LinkSettings {
  /** Days that a link to a report or image is valid. */
  linkDays: number;
  /** Whether links open without signing in. */
  publicLinks: boolean;
}

/** The rules for links of a team. */
export interface LinkRules extends LinkSettings {
  /** How often the links of the run were revoked. */
  generation: number;
}

/** The settings of a new team. Runs of the largest plan are kept as long. */
export const DEFAULT_LINK_SETTINGS: LinkSettings = { linkDays: 90, publicLinks: true };

/** Whether a link opens now, or why not: `expired`, or `private` if the reader must sign in. */
export type LinkState = "open" | "expired" | "private";

const DAY_MS = 86_400_000;

/** Returns the state of a link by its creation time, in ms since 1970. */
export function linkState(
  madeAtMs: number,
  nowMs: number,
  { linkDays, publicLinks }: LinkSettings,
): LinkState {
  if (nowMs >= madeAtMs + linkDays * DAY_MS) return "expired";
  return publicLinks ? "open" : "private";
}

/** Returns the day of a time, as in image links: days since 1970. */
export function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/** Returns the last moment of a day, in ms since 1970. Links created on that day count from it. */
export function endOfDay(day: number): number {
  return (day + 1) * DAY_MS;
}
