import type { AppLocation } from "../app-location.ts";

/** Something to go to. */
export interface Command {
  id: string;
  kind: "action" | "page" | "filter" | "project" | "run";
  label: string;
  /** Further words to find it by, shown beside the label. */
  detail: string;
  to: AppLocation;
}

/** More wouldn't be looked at. */
const MAX_SHOWN = 12;

/**
 * Returns the commands that contain all words of a text, those that begin with it first. Without a text, returns the
 * first ones.
 */
export function matchCommands(commands: readonly Command[], text: string): Command[] {
  const wanted = text.trim().toLowerCase();
  const words = wanted.split(/\s+/).filter(word => word !== "");
  const rank = ({ label }: Command) => {
    const name = label.toLowerCase();
    if (name.startsWith(wanted)) return 0;
    return name.includes(wanted) ? 1 : 2;
  };
  return commands
    .filter(({ label, detail }) => {
      const all = `${label} ${detail}`.toLowerCase();
      return words.every(word => all.includes(word));
    })
    .toSorted((one, other) => rank(one) - rank(other))
    .slice(0, MAX_SHOWN);
}
