import type { ActivityList } from "../../shared/contracts/teams/people.ts";
import type { Place } from "../place.ts";
import { activityTexts } from "../texts/settings.ts";

export type Act = ActivityList["data"][number];

/** The changed object: its name if known, and its page. */
interface Target {
  name: string;
  place: Place | null;
}

/** Returns the target of an act; null if the verb says it all, as for a team or a session. */
export function targetOf({ type, target, details }: Act): Target | null {
  if (target === null || type.startsWith("team.") || type.startsWith("session.")) return null;
  if (target.startsWith("run_")) return { name: activityTexts.run, place: { page: "run", id: target } };
  const name = String(details.name ?? target);
  const isThere = target.startsWith("mon_") && type !== "monitor.deleted";
  return { name, place: isThere ? { page: "monitor", id: target, isEdited: false } : null };
}

/** Returns details of an act besides its target. */
export function detailsOf(act: Act): string {
  const target = targetOf(act);
  return Object.entries(act.details)
    .filter(([name, value]) => name !== "name" || String(value) !== target?.name)
    .map(([name, value]) => activityTexts.detail(name, value))
    .join(" · ");
}
