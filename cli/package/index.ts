/** What a project's own files import from `vrs`: for its configuration, and for plugins of its own. */
import type { ConfigInput as PlainConfigInput } from "../../shared/project-config/config-input.ts";
import type { Plugin } from "../plugins/plugin.ts";

export type {
  CaptureSettings,
  NetworkRule,
  RouteSettings,
} from "../../shared/project-config/config-input.ts";
export type { CheckConclusion, CheckedShot, CheckResult, Shot, ShotStatus } from "../check/check-result.ts";
export { type MonitorOptions, monitor } from "../plugins/monitor-plugin.ts";
export type { CapturedPage, PageSettings, PageToCapture, Plugin } from "../plugins/plugin.ts";

/** What `service.config.ts` exports. Every field has a default. */
export interface ConfigInput extends Omit<PlainConfigInput, "plugins"> {
  /** Plugins, in the order in which they are asked. Used by the command-line tool only. */
  readonly plugins?: readonly Plugin[];
}

/** Gives the configuration back as it is; the editor knows its fields by it. */
export function defineConfig(config: ConfigInput): ConfigInput {
  return config;
}
