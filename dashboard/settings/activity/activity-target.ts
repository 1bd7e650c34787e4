import type { ActivityList } from "../../../shared/contracts/teams/people.ts";
import type { AppLocation } from "../../app-location.ts";
import { activityTexts } from "../../texts/settings/settings.ts";

export type ActivityEntry = ActivityList["data"][number];

/** The changed object: its name if known, and its page. */
interface Target {
  name: string;
  location: AppLocation | null;
}

/** Returns the target of an activity; null if the verb says it all, as for a team or a session. */
export function targetOf({ type, target, details }: ActivityEntry): Target | null {
  if (target === null || type.startsWith("team.") || type.startsWith("session.")) return null;
  if (target.startsWith("run_")) {
    const { project } = details;
    const name = project === undefined ? activityTexts.run : activityTexts.runOf(String(project));
    return { name, location: { page: "run", id: target } };
  }
  const name = String(details.name ?? target);
  if (target.startsWith("mtn_")) return { name, location: { page: "maintenance" } };
  if (target.startsWith("inc_")) return { name, location: { page: "incident", id: target } };
  const isThere = target.startsWith("mon_") && type !== "monitor.deleted";
  return { name, location: isThere ? { page: "monitor", id: target, isEdited: false } : null };
}

/** Returns details of an activity besides its target. */
export function detailsOf(entry: ActivityEntry): string {
  const target = targetOf(entry);
  return Object.entries(entry.details)
    .filter(([name]) => name !== "project" || !entry.target?.startsWith("run_"))
    .filter(([name, value]) => name !== "name" || String(value) !== target?.name)
    .map(([name, value]) => activityTexts.detail(name, value))
    .join(" · ");
}
