import type { ActivityList } from "../../shared/contracts/teams/people.ts";
import type { Place } from "../place.ts";
import { activityTexts } from "../texts/settings.ts";

export type Act = ActivityList["data"][number];

/** What was changed: its name where that is known, and the page about it. */
interface Target {
  name: string;
  place: Place | null;
}

/** Returns null where the verb says it all, such as of the team or of a session. */
export function targetOf({ type, target, details }: Act): Target | null {
  if (target === null || type.startsWith("team.") || type.startsWith("session.")) return null;
  if (target.startsWith("run_")) return { name: activityTexts.run, place: { page: "run", id: target } };
  const name = String(details.name ?? target);
  const isThere = target.startsWith("mon_") && type !== "monitor.deleted";
  return { name, place: isThere ? { page: "monitor", id: target, isEdited: false } : null };
}

/** Returns what is known of an act besides its target. */
export function detailsOf(act: Act): string {
  const target = targetOf(act);
  return Object.entries(act.details)
    .filter(([name, value]) => name !== "name" || String(value) !== target?.name)
    .map(([name, value]) => activityTexts.detail(name, value))
    .join(" · ");
}
