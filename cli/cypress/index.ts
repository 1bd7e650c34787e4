/** The exports of `vrs/cypress` for Cypress's configuration. */
export type { AdapterSettings } from "../adapters/settings.ts";
export { vrs } from "./plugin.ts";
