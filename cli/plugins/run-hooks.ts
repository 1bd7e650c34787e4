import type { CaptureRequest } from "../../shared/capture/capture-types.ts";
import { type CaptureOptions, captureOptionsSchema } from "../../shared/contracts/capture/capture-options.ts";
import { pageName, type ScreenshotKey } from "../../shared/contracts/capture/screenshot-key.ts";
import { statesOf } from "../../shared/contracts/capture/steps.ts";
import { definedOf } from "../../shared/defined-of.ts";
import type { CheckedScreenshot, CheckResult } from "../check/check-result.ts";
import { CommandError } from "../terminal.ts";
import { PLUGIN_ERRORS } from "../texts/errors.ts";
import type { CapturedPage, Hook, PageSettings, PageToCapture, Plugin } from "./plugin.ts";
import type { PluginPage } from "./plugin-page.ts";

/** Lets the plugins change the settings of a page, in order. @throws CommandError `plugin_failed` */
export async function settingsOf(
  plugins: readonly Plugin[],
  page: Omit<PageToCapture, "settings">,
  settings: CaptureOptions,
): Promise<CaptureOptions> {
  let current = settings;
  for (const plugin of plugins) {
    const given = await callHook(plugin, "beforePage", page, () =>
      plugin.beforePage?.({ ...page, settings: current }),
    );
    if (given) current = { ...current, ...checked(plugin, page, given, current) };
  }
  return current;
}

function checked(
  plugin: Plugin,
  { route }: Pick<ScreenshotKey, "route">,
  given: PageSettings,
  before: CaptureOptions,
): CaptureOptions {
  const { data, error } = captureOptionsSchema.safeParse(given);
  const refuse = (why: string) =>
    new CommandError("plugin_failed", PLUGIN_ERRORS.badSettings(plugin.name, route, why));
  if (error) {
    const [issue] = error.issues;
    const where = issue && issue.path.length > 0 ? `${issue.path.join(".")}: ` : "";
    throw refuse(`${where}${issue?.message}`);
  }
  const settings: CaptureOptions = definedOf(data);
  // The plan of the check, its baselines and its secrets depend on them.
  const planned = ({ steps, session }: CaptureOptions) => JSON.stringify([statesOf(steps), session]);
  if (planned({ ...before, ...settings }) !== planned(before)) throw refuse(PLUGIN_ERRORS.planned);
  return settings;
}

/** Returns the code of plugins that acts on a page, and on the page of its session's login. */
export function pageCodeOf(
  plugins: readonly Plugin[],
  page: PageToCapture,
  session: string | undefined,
): Pick<CaptureRequest, "pageCode" | "loginCode"> {
  const name = pageName({ ...page, state: null });
  const pageCode = plugins.flatMap(plugin => {
    if (!plugin.onPage) return [];
    const run = async (opened: PluginPage) => await plugin.onPage?.({ ...page, page: opened });
    return [{ name: PLUGIN_ERRORS.onPage(plugin.name, name, page.viewport), run }];
  });
  const loginCode = plugins.flatMap(plugin => {
    if (!plugin.onLogin || session === undefined) return [];
    const run = async (opened: PluginPage) => await plugin.onLogin?.({ page: opened, session });
    return [{ name: PLUGIN_ERRORS.onLogin(plugin.name, session), run }];
  });
  return { pageCode, loginCode };
}

/** Runs the hooks after a capture. @throws CommandError `plugin_failed` */
export async function notifyCaptured(plugins: readonly Plugin[], page: CapturedPage): Promise<void> {
  for (const plugin of plugins) await callHook(plugin, "afterPage", page, () => plugin.afterPage?.(page));
}

/** Returns the screenshot with the plugins' notes. @throws CommandError `plugin_failed` */
export async function withNotes(
  plugins: readonly Plugin[],
  shot: CheckedScreenshot,
): Promise<CheckedScreenshot> {
  let current = shot;
  for (const plugin of plugins) {
    const given: unknown = await callHook(plugin, "onResult", shot, () => plugin.onResult?.(current));
    if (given === undefined || given === null) continue;
    if (!Array.isArray(given)) throw noNotes(plugin, shot);
    current = { ...current, notes: [...current.notes, ...given.map(String)] };
  }
  return current;
}

function noNotes(plugin: Plugin, shot: ScreenshotKey): CommandError {
  return new CommandError(
    "plugin_failed",
    PLUGIN_ERRORS.badNotes(plugin.name, pageName(shot), shot.viewport),
  );
}

/** Runs the hooks after a check. @throws CommandError `plugin_failed` */
export async function notifyReported(plugins: readonly Plugin[], result: CheckResult): Promise<void> {
  for (const plugin of plugins) await callHook(plugin, "onReport", null, () => plugin.onReport?.(result));
}

async function callHook<T>(
  plugin: Plugin,
  hook: Hook,
  shot: (Omit<ScreenshotKey, "state"> & Partial<ScreenshotKey>) | null,
  call: () => T,
): Promise<Awaited<T>> {
  try {
    return await call();
  } catch (error) {
    const where = shot
      ? PLUGIN_ERRORS.at(pageName({ ...shot, state: shot.state ?? null }), shot.viewport)
      : "";
    const reason = error instanceof Error ? error.message : String(error);
    const message = PLUGIN_ERRORS.failed(plugin.name, hook, where, reason);
    throw new CommandError("plugin_failed", message, error);
  }
}
