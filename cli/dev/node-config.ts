/** Settings of the service under `npm run dev`: those of `npm start`, with the dashboard from its sources. */
import type { BrokerOptions } from "moleculer";
import nodeConfig from "../../moleculer.config.ts";
import { dashboardFrom } from "./dashboard-sources.ts";

/** Returns the broker's options for Moleculer's runner. */
export default function devConfig(): BrokerOptions {
  const { DEV_DASHBOARD_URL: viteUrl = "" } = process.env;
  const options = nodeConfig();
  return {
    ...options,
    middlewares: [...(options.middlewares ?? []), dashboardFrom(viteUrl)],
    started(broker) {
      options.started?.(broker);
      process.send?.("started");
    },
  };
}
