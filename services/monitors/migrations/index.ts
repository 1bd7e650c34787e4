import { Monitors } from "./2026-11-21-monitors.ts";

/** In the order in which they run; a name is never changed, nor a migration once released. */
export const migrations = [{ name: "2026-11-21-monitors", class: Monitors }];
