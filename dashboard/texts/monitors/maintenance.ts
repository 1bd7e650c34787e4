import type { MaintenanceMode, MaintenanceView } from "../../../shared/contracts/monitors/maintenance.ts";
import { plural } from "../format.ts";

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;
const EVERY_DAY = 7;

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
  monitorsHint: "Without a selection, it applies to all monitors, also later ones.",
  mode: "During maintenance",
  modes: {
    pause: "Don't start scheduled checks",
    quiet: "Check, but send no alerts",
  } satisfies Record<MaintenanceMode, string>,
  repeat: "Repeat",
  once: "Once",
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
  activeUntil: "until {time}",
  nextFrom: "starts {time}",
  allOfTeam: "All monitors",
  some: (monitors: number) => plural(monitors, "monitor"),
  banner: "{title}: maintenance until {time}. {effect}",
  effects: {
    pause: "No scheduled checks start, and no alerts are sent.",
    quiet: "Checks go on, and no alerts are sent.",
  } satisfies Record<MaintenanceMode, string>,
  inList: "Maintenance until {time}",
} as const;

/** Describes when a window applies, such as `Sunday, Saturday at 02:00 for 90 min (Europe/Vienna)`. */
export function scheduleText({ schedule }: Pick<MaintenanceView, "schedule">): string {
  if (schedule.kind === "once") return maintenanceTexts.once;
  const { weekdays, start, durationMinutes, timeZone } = schedule;
  const days = weekdays.length === EVERY_DAY ? "Every day" : weekdays.map(day => WEEKDAYS[day]).join(", ");
  return `${days} at ${start} for ${durationMinutes} min (${timeZone})`;
}
