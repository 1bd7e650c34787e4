import { CommandError, type Terminal } from "../terminal.ts";
import { type Configuration, loadConfig } from "./load-config.ts";

/**
 * The configuration that is named, or the nearest; null where there is none and none was named.
 * @throws CommandError for one that is wrong
 */
export async function loadConfigIfThere(
  terminal: Pick<Terminal, "cwd">,
  path: string | undefined,
): Promise<Configuration | null> {
  try {
    return await loadConfig(terminal, path);
  } catch (error) {
    const isMissing = error instanceof CommandError && error.code === "config_missing";
    if (isMissing && path === undefined) return null;
    throw error;
  }
}
