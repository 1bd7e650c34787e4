import { Deliveries } from "./2026-11-21-deliveries.ts";
import { Marks } from "./2026-11-21-marks.ts";
import { AlertedOutcome } from "./2026-11-23-alerted-outcome.ts";

/** In the order in which they run; a name is never changed, nor a migration once released. */
export const migrations = [
  { name: "2026-11-21-deliveries", class: Deliveries },
  { name: "2026-11-21-marks", class: Marks },
  { name: "2026-11-23-alerted-outcome", class: AlertedOutcome },
];
