import { Deliveries } from "./2026-11-21-deliveries.ts";
import { Marks } from "./2026-11-21-marks.ts";
import { AlertedOutcome } from "./2026-11-23-alerted-outcome.ts";
import { Names } from "./2026-11-29-names.ts";
import { Webhooks } from "./2026-12-03-webhooks.ts";
import { AddNotices } from "./2026-12-10-notices.ts";
import { AddIncidents } from "./2026-12-14-incidents.ts";
import { AddChatApps } from "./2026-12-18-chat-apps.ts";
import { ConditionIncidents } from "./2026-12-20-condition-incidents.ts";
import { AddChatProviders } from "./2026-12-21-chat-providers.ts";
import { IndexChatMessages } from "./2026-12-22-chat-messages.ts";
import { AddCoveredMonitors } from "./2026-12-24-covered-monitors.ts";
import { AddProjectEmails } from "./2026-12-24-project-emails.ts";
import { PeriodicTasks } from "./2027-01-05-periodic-tasks.ts";

/** Migrations in the order in which they run. Don't change the name of one, or one that was released. */
export const migrations = [
  { name: "2026-11-21-deliveries", class: Deliveries },
  { name: "2026-11-21-marks", class: Marks },
  { name: "2026-11-23-alerted-outcome", class: AlertedOutcome },
  { name: "2026-11-29-names", class: Names },
  { name: "2026-12-03-webhooks", class: Webhooks },
  { name: "2026-12-10-notices", class: AddNotices },
  { name: "2026-12-14-incidents", class: AddIncidents },
  { name: "2026-12-18-chat-apps", class: AddChatApps },
  { name: "2026-12-20-condition-incidents", class: ConditionIncidents },
  { name: "2026-12-21-chat-providers", class: AddChatProviders },
  { name: "2026-12-22-chat-messages", class: IndexChatMessages },
  { name: "2026-12-24-covered-monitors", class: AddCoveredMonitors },
  { name: "2026-12-24-project-emails", class: AddProjectEmails },
  { name: "2027-01-05-periodic-tasks", class: PeriodicTasks },
];
