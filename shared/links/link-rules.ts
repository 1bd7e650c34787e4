/** What a team decides about links that open without an API key. */
export interface LinkSettings {
  /** Days that a link opens its report or image. */
  linkDays: number;
  /** Whether links open without signing in. */
  publicLinks: boolean;
}

/** What links of a team must satisfy. */
export interface LinkRules extends LinkSettings {
  /** How often the links of the run were revoked. */
  generation: number;
}

/** What a new team has. Runs of the largest plan are kept as long. */
export const DEFAULT_LINK_SETTINGS: LinkSettings = { linkDays: 90, publicLinks: true };

/** Whether a link opens now, and if not, why: `expired`, or `private` where the reader must sign in. */
export type LinkState = "open" | "expired" | "private";

const DAY_MS = 86_400_000;

/** Judges a link by the time it was made, milliseconds since 1970. */
export function linkState(
  madeAtMs: number,
  nowMs: number,
  { linkDays, publicLinks }: LinkSettings,
): LinkState {
  if (nowMs >= madeAtMs + linkDays * DAY_MS) return "expired";
  return publicLinks ? "open" : "private";
}

/** The day of a time, as image links name it: days since 1970. */
export function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/** The last moment of a day, milliseconds since 1970: a link made on it counts from there. */
export function endOfDay(day: number): number {
  return (day + 1) * DAY_MS;
}
