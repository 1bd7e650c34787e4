import { Accounts } from "./2026-11-21-accounts.ts";
import { Usage } from "./2026-11-21-usage.ts";
import { StandardNames } from "./2026-11-29-standard-names.ts";
import { PeriodicTasks } from "./2027-01-05-periodic-tasks.ts";

/** The migrations in order. Never change a name, or a released migration. */
export const migrations = [
  { name: "2026-11-21-usage", class: Usage },
  { name: "2026-11-21-accounts", class: Accounts },
  { name: "2026-11-29-standard-names", class: StandardNames },
  { name: "2027-01-05-periodic-tasks", class: PeriodicTasks },
];
