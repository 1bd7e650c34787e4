import { CommandError, type Terminal } from "../terminal.ts";
import { type Configuration, loadConfig } from "./load-config.ts";

/**
 * Loads the named or the nearest configuration; null if there is none and none was named.
 * @throws CommandError for an invalid one
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
