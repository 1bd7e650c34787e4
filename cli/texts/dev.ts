/** `npm run dev`. */
import { figure } from "../../shared/text/format.ts";

export const DEV_TEXTS = {
  dashboard: "Dashboard",
  apiKey: "API key",
  log: "Log",
  restarts: "The service restarts when you change services, mixins, shared or moleculer.config.ts.",
  reloads: "The dashboard reloads when you change its sources.",
  stop: "Press Ctrl+C to stop.",
  seeding: "Adding runs and monitors to the empty database. You can already sign in.",
  seeded: "Added runs and monitors in every state.",
  seedFailed: "Failed to add the sample runs and monitors. Start again with `npm run dev -- --fresh`.",
  restarted: (file: string, ms: number) => `Restarted in ${figure(Math.round(ms))} ms (${file} changed).`,
  failed: "The service stopped. It restarts at your next change.",
  noPort: "There is no free port.",
  /** For the sample data. */
  monitors: { monitored: "Home and pricing", fine: "Contact", down: "Shop", other: "Guide" },
  rejection: "The button has the wrong color.",
} as const;
