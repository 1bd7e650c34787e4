import { createHash } from "node:crypto";
import type { LoadedConfig } from "../config/load-config.ts";

/**
 * Returns the SHA-256 of the settings of pages and baselines. Captures with another hash show other pages.
 */
export function configHash(config: LoadedConfig): string {
  const { routes, viewports, masks, hide, waitForSelector, headers, network, clock, random } = config;
  const { perRoute, baselines } = config;
  const capture = { masks, hide, waitForSelector, headers, network, clock, random };
  const said = { routes, viewports, ...capture, perRoute, baselines };
  return createHash("sha256").update(JSON.stringify(said)).digest("hex");
}
