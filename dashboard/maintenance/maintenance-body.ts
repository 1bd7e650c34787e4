import type { CreateMaintenanceInput, MaintenanceMode } from "../../shared/contracts/monitors/maintenance.ts";
import { numberIn, textIn } from "../ui/form-values.ts";

/** Returns the request of the form. The service validates it. */
export function maintenanceBodyOf(form: FormData): CreateMaintenanceInput {
  const monitors = form.getAll("monitor").map(String);
  const mode: MaintenanceMode = textIn(form, "mode") === "quiet" ? "quiet" : "pause";
  const common = { title: textIn(form, "title"), monitors: monitors.length === 0 ? null : monitors, mode };
  if (textIn(form, "repeat") === "once")
    return {
      ...common,
      schedule: {
        kind: "once",
        from: isoOf(textIn(form, "from")),
        until: isoOf(textIn(form, "until")),
      },
    };
  return {
    ...common,
    schedule: {
      kind: "weekly",
      weekdays: form.getAll("weekday").map(Number),
      start: textIn(form, "start"),
      durationMinutes: numberIn(textIn(form, "duration")),
      timeZone: textIn(form, "zone"),
    },
  };
}

/** Returns a time of the reader's zone in UTC. An empty or invalid one stays as it is, for the service's message. */
function isoOf(local: string): string {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? local : date.toISOString();
}
