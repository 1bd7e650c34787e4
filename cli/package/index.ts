/** The exports of `vrs` for a project's own files: its configuration and its plugins. */
import type { ConfigInput as PlainConfigInput } from "../../shared/project-config/config-input.ts";
import type { Plugin } from "../plugins/plugin.ts";

export type { ScreenshotKey } from "../../shared/contracts/capture/screenshot-key.ts";
export type {
  CaptureSettings,
  EnvironmentSettings,
  NetworkRule,
  RouteSettings,
} from "../../shared/project-config/config-input.ts";
export type { Condition, SessionSettings, Step } from "../../shared/project-config/steps-input.ts";
export type {
  CheckConclusion,
  CheckedScreenshot,
  CheckResult,
  ScreenshotStatus,
} from "../check/check-result.ts";
export { type MonitorOptions, monitor } from "../plugins/monitor-plugin.ts";
export type {
  CapturedPage,
  LoginPage,
  OpenPage,
  PageSettings,
  PageToCapture,
  Plugin,
} from "../plugins/plugin.ts";

export type { PluginLocator, PluginPage } from "../plugins/plugin-page.ts";

/** The default export of `service.config.ts`. Every field has a default. */
export interface ConfigInput extends Omit<PlainConfigInput, "plugins"> {
  /** Plugins in the order of their calls. Used only by the command-line tool. */
  readonly plugins?: readonly Plugin[];
}

/** Returns the configuration unchanged. Gives editors its type. */
export function defineConfig(config: ConfigInput): ConfigInput {
  return config;
}
