import { Platform } from "./2026-11-21-platform.ts";
import { InstallTeams } from "./2026-11-27-install-teams.ts";
import { AccessTokens } from "./2026-11-28-access-tokens.ts";

/** In the order in which they run; a name is never changed, nor a migration once released. */
export const migrations = [
  { name: "2026-11-21-platform", class: Platform },
  { name: "2026-11-27-install-teams", class: InstallTeams },
  { name: "2026-11-28-access-tokens", class: AccessTokens },
];
