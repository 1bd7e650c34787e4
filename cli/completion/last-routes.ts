import { lastResult } from "../output/last-result.ts";
import { CommandError } from "../terminal.ts";

/** Returns the routes of the last check that are safe on a command line; none without a check. */
export async function lastRoutes(folder: string): Promise<string[]> {
  try {
    const result = await lastResult(folder);
    const routes = new Set(result.screenshots.map(({ route }) => route));
    // Shells interpret other characters.
    return [...routes].filter(route => /^[\w/.~%=,@+-]+$/.test(route));
  } catch (error) {
    if (error instanceof CommandError) return [];
    throw error;
  }
}
