import type { MaintenanceMode, MaintenanceView } from "../../../shared/contracts/monitors/maintenance.ts";
import { plural } from "../format.ts";

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;
const EVERY_DAY = 7;
const MINUTE_MS = 60_000;

/** Texts of maintenance windows. */
export const maintenanceTexts = {
  title: "Maintenance",
  thing: "maintenance windows",
  empty: "No maintenance is planned. During maintenance, monitors send no alerts.",
  older: "Show older windows",
  plan: "Plan maintenance",
  name: "Title",
  namePlaceholder: "Database upgrade",
  monitors: "Monitors",
  monitorsHint: "If you select none, it applies to all monitors, including those you add later.",
  mode: "During maintenance",
  modes: {
    pause: "Don't start scheduled checks",
    quiet: "Check, but send no alerts",
  } satisfies Record<MaintenanceMode, string>,
  repeat: "Repeat",
  once: "Once",
  onceFor: (minutes: number) => `Once, for ${lengthText(minutes)}`,
  weekly: "Every week",
  from: "Start",
  until: "End",
  ownZone: (zone: string) => `In your time zone, ${zone}`,
  weekdays: "Days",
  weekdayNames: WEEKDAYS,
  start: "Start time",
  duration: "Duration (minutes)",
  zone: "Time zone",
  zoneHint: "The start follows daylight saving time in this zone.",
  save: "Plan maintenance",
  planned: "Maintenance planned.",
  end: "End…",
  endTitle: (title: string) => `End “${title}”?`,
  endAbout: "The window ends now, and doesn't repeat. Checks and alerts start again.",
  keep: "Keep window",
  confirmEnd: "End maintenance",
  ended: "Maintenance ended.",
  active: "Active",
  upcoming: "Planned",
  activeUntil: "ends {time}",
  nextFrom: "starts {time}",
  allOfTeam: "All monitors",
  some: (monitors: number) => plural(monitors, "monitor"),
  banner: "Maintenance “{title}” ends {time}. {effect}",
  effects: {
    pause: "No scheduled checks start, and no alerts are sent.",
    quiet: "Checks go on, and no alerts are sent.",
  } satisfies Record<MaintenanceMode, string>,
  inList: "Maintenance ends {time}",
} as const;

/** Describes when a window applies, such as `Sunday, Saturday at 02:00 for 1 h 30 min (Europe/Vienna)`. */
export function scheduleText({ schedule }: Pick<MaintenanceView, "schedule">): string {
  if (schedule.kind === "once") {
    return maintenanceTexts.onceFor((Date.parse(schedule.until) - Date.parse(schedule.from)) / MINUTE_MS);
  }
  const { weekdays, start, durationMinutes, timeZone } = schedule;
  const days = weekdays.length === EVERY_DAY ? "Every day" : weekdays.map(day => WEEKDAYS[day]).join(", ");
  return `${days} at ${start} for ${lengthText(durationMinutes)} (${timeZone})`;
}

/** Formats as `45 min`, `2 h` or `1 h 30 min`. */
function lengthText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), Math.round(minutes % 60)];
  return [hours > 0 && `${hours} h`, rest > 0 && `${rest} min`].filter(part => part !== false).join(" ");
}
