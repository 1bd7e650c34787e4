import { Accounts } from "./2026-11-21-accounts.ts";
import { Usage } from "./2026-11-21-usage.ts";

/** In the order in which they run; a name is never changed, nor a migration once released. */
export const migrations = [
  { name: "2026-11-21-usage", class: Usage },
  { name: "2026-11-21-accounts", class: Accounts },
];
