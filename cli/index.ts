/** What `import … from "vrs"` gives: for configurations and plugins. */
import type { ConfigInput as PlainConfigInput } from "../shared/project-config/define-config.ts";
import type { Plugin } from "./plugins/plugin.ts";

export type { CheckConclusion, CheckedShot, CheckResult, Shot, ShotStatus } from "./check/check-result.ts";
export type { CapturedPage, PageSettings, PageToCapture, Plugin } from "./plugins/plugin.ts";

/** What `service.config.ts` exports. Every field has a default. */
export interface ConfigInput extends Omit<PlainConfigInput, "plugins"> {
  /** Plugins, in the order in which they are asked. */
  readonly plugins?: readonly Plugin[];
}

/** Gives the configuration back as it is; the editor knows its fields by it. */
export function defineConfig(config: ConfigInput): ConfigInput {
  return config;
}
