import { Platform } from "./2026-11-21-platform.ts";
import { InstallTeams } from "./2026-11-27-install-teams.ts";
import { AccessTokens } from "./2026-11-28-access-tokens.ts";
import { StandardNames } from "./2026-11-29-standard-names.ts";
import { PeriodicTasks } from "./2027-01-05-periodic-tasks.ts";
import { VariableKeys } from "./2027-01-12-variable-keys.ts";

/** The migrations in order. Never change a name, or a released migration. */
export const migrations = [
  { name: "2026-11-21-platform", class: Platform },
  { name: "2026-11-27-install-teams", class: InstallTeams },
  { name: "2026-11-28-access-tokens", class: AccessTokens },
  { name: "2026-11-29-standard-names", class: StandardNames },
  { name: "2027-01-05-periodic-tasks", class: PeriodicTasks },
  { name: "2027-01-12-variable-keys", class: VariableKeys },
];
