/** The exports of `vrs/cypress` for Cypress's configuration. */
export type { AdapterSettings } from "../adapters/settings.ts";
export { type CypressSettings, vrs } from "./plugin.ts";
