import type { ActivityList } from "../../shared/contracts/people.ts";
import type { Place } from "../place.ts";

export type Act = ActivityList["data"][number];

/** What an act was done to: its name where that is known, and the page about it. */
export interface Target {
  name: string;
  place: Place | null;
}

/** Null where the act says it all, such as of the team or of a session. */
export function targetOf({ type, target, details }: Act): Target | null {
  if (target === null || type.startsWith("team.") || type.startsWith("session.")) return null;
  if (target.startsWith("run_")) return { name: "a run", place: { page: "run", id: target } };
  const name = String(details.name ?? target);
  const isThere = target.startsWith("mon_") && type !== "monitor.deleted";
  return { name, place: isThere ? { page: "monitor", id: target, isEdited: false } : null };
}

/** What is known of an act besides what it was done to. */
export function detailsOf(act: Act): string {
  const target = targetOf(act);
  return Object.entries(act.details)
    .filter(([name, value]) => name !== "name" || String(value) !== target?.name)
    .map(([name, value]) => `${name}: ${value}`)
    .join(" · ");
}
