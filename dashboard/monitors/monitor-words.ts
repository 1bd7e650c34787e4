import type { CheckOutcomeName, MonitorView, RecentCheck } from "../../shared/contracts/monitors.ts";
import { monitorOfProject } from "../../shared/monitor-project.ts";
import type { IconName } from "../../shared/report/icons.ts";
import { isMinor } from "../../shared/report/minor.ts";
import { count, percent } from "../../shared/report/words.ts";

/** How something stands: a shape, a colour and a word. */
export interface Standing {
  name: IconName;
  word: string;
}

/** How a monitor's site is, in a word or two. */
export function standingOf({ status }: Pick<MonitorView, "status">): Standing {
  switch (status) {
    case "ok":
      return { name: "approved", word: "up to date" };
    case "changed":
      return { name: "changed", word: "drifting" };
    case "down":
      return { name: "failed", word: "down" };
    case "establishing":
      return { name: "pending", word: "first check" };
    case "never":
      return { name: "pending", word: "not checked yet" };
  }
}

const OUTCOMES: Record<CheckOutcomeName, Standing> = {
  established: { name: "new", word: "new baseline" },
  ok: { name: "approved", word: "fine" },
  changed: { name: "changed", word: "drifting" },
  down: { name: "failed", word: "down" },
  failed: { name: "unstable", word: "no result" },
};

/** What a check came to, in a word or two. */
export function outcomeOf(outcome: CheckOutcomeName | null): Standing {
  return outcome === null ? { name: "pending", word: "under way" } : OUTCOMES[outcome];
}

/** What keeps a monitor from its schedule, in a word; null when nothing does. */
export function restsBecause({ hold, paused }: Pick<MonitorView, "hold" | "paused">): string | null {
  if (hold === "over") return "read only";
  if (hold === "plan") return "not scheduled";
  return paused ? "paused" : null;
}

/** The same in a sentence, with what to do. */
export function restInWords(
  monitor: Pick<MonitorView, "hold" | "paused">,
  mayChange: boolean,
): string | null {
  if (monitor.hold === "over")
    return "Older monitors take up the room that the team's plan has. This one is neither checked nor changed; with a larger plan, or fewer monitors, it goes on as it was.";
  if (monitor.hold === "plan")
    return "Not scheduled: checks on a schedule, and alerts, need the Business plan. It can be checked by hand.";
  if (!monitor.paused) return null;
  return mayChange ? "Paused. Resume it to have it checked again." : "Paused by its team.";
}

/** A project by its name; one of a monitor by the monitor's, and by which of its addresses it is of. */
export function projectInWords(project: string, monitorName: string): string {
  const of = monitorOfProject(project);
  if (of === null) return project;
  return of.generation > 1 ? `${monitorName} (address ${of.generation})` : monitorName;
}

/** `example.com`, with the path where there is one. */
export function hostOf(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return `${host}${pathname === "/" ? "" : pathname}`;
  } catch {
    return url;
  }
}

/** `every 30 min`, `every 6 h`, `every day`. @param minutes 5–10,080 */
export function everyInWords(minutes: number): string {
  if (minutes === 1_440) return "every day";
  if (minutes === 10_080) return "every week";
  if (minutes % 1_440 === 0) return `every ${minutes / 1_440} days`;
  if (minutes % 60 === 0) return minutes === 60 ? "every hour" : `every ${minutes / 60} h`;
  return `every ${minutes} min`;
}

/** What the last checks came to, for who does not see them drawn. */
export function checksInWords(checks: readonly RecentCheck[]): string {
  if (checks.length === 0) return "No checks yet";
  const parts = (["down", "changed", "failed", "established", "ok"] as const).flatMap(outcome => {
    const many = checks.filter(check => check.outcome === outcome).length;
    return many === 0 ? [] : [`${many} ${OUTCOMES[outcome].word}`];
  });
  const most = Math.max(0, ...checks.map(({ ratio }) => ratio ?? 0));
  return `Last ${count(checks.length, "check")}: ${parts.join(", ")}; largest difference ${percent(most)}`;
}

/** What the last check says, in a sentence. */
export function lastInWords({
  lastCheck: last,
  recentChecks,
}: Pick<MonitorView, "lastCheck" | "recentChecks">): string {
  const most = recentChecks.at(-1)?.ratio ?? null;
  if (!last) return "Nothing is known of the site yet.";
  if (last.error !== null) return last.error;
  if (last.outcome === "changed")
    return `Pages look different from their baselines${most === null ? "" : `, by ${percent(most)} at most`}, seen twice in a row.`;
  if (last.outcome === "established") return "What it showed is the baseline from now on.";
  if (most !== null && isMinor(last.outcome === "ok", most))
    return `Minor changes only, of ${percent(most)} at most: within the alert threshold.`;
  return "All pages look as approved.";
}

/** `99.2 %`: never rounded up to all. */
export function uptimeInWords(uptime: number): string {
  return `${Math.floor(uptime * 10_000) / 100}\u202f%`;
}
