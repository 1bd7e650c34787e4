import { Monitors } from "./2026-11-21-monitors.ts";
import { Series } from "./2026-11-21-series.ts";
import { Tests } from "./2026-11-21-tests.ts";
import { DownRoutes } from "./2026-11-22-down-routes.ts";
import { Options } from "./2026-11-22-options.ts";
import { Retries } from "./2026-11-26-retries.ts";
import { Names } from "./2026-11-29-names.ts";
import { AddAvailability } from "./2026-12-14-availability.ts";
import { AddMaintenance } from "./2026-12-15-maintenance.ts";
import { AddStatusPages } from "./2026-12-16-status-pages.ts";
import { AddConditions } from "./2026-12-17-conditions.ts";
import { AddMaintenanceKeys } from "./2026-12-18-maintenance-keys.ts";
import { AddHttpChecks } from "./2026-12-20-http-checks.ts";
import { AddRegions } from "./2026-12-22-regions.ts";
import { IndexHttpMonitors } from "./2027-01-06-http-monitors.ts";
import { AllowUnansweredReports } from "./2027-01-10-unanswered-reports.ts";
import { LeaveOutMaintenance } from "./2027-01-11-maintenance-uptime.ts";

/** Migrations in the order in which they run. Don't change the name of one, or one that was released. */
export const migrations = [
  { name: "2026-11-21-monitors", class: Monitors },
  { name: "2026-11-21-tests", class: Tests },
  { name: "2026-11-21-series", class: Series },
  { name: "2026-11-22-down-routes", class: DownRoutes },
  { name: "2026-11-22-options", class: Options },
  { name: "2026-11-26-retries", class: Retries },
  { name: "2026-11-29-names", class: Names },
  { name: "2026-12-14-availability", class: AddAvailability },
  { name: "2026-12-15-maintenance", class: AddMaintenance },
  { name: "2026-12-16-status-pages", class: AddStatusPages },
  { name: "2026-12-17-conditions", class: AddConditions },
  { name: "2026-12-18-maintenance-keys", class: AddMaintenanceKeys },
  { name: "2026-12-20-http-checks", class: AddHttpChecks },
  { name: "2026-12-22-regions", class: AddRegions },
  { name: "2027-01-06-http-monitors", class: IndexHttpMonitors },
  { name: "2027-01-10-unanswered-reports", class: AllowUnansweredReports },
  { name: "2027-01-11-maintenance-uptime", class: LeaveOutMaintenance },
];
