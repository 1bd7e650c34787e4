import { lastResult } from "../output/last-result.ts";
import { CommandError } from "../terminal.ts";

/** The routes of the last check here, as they may stand on a command line; none when there was no check. */
export async function lastRoutes(folder: string): Promise<string[]> {
  try {
    const result = await lastResult(folder);
    const routes = new Set(result.screenshots.map(({ route }) => route));
    // A shell would take other characters for its own.
    return [...routes].filter(route => /^[\w/.~%=,@+-]+$/.test(route));
  } catch (error) {
    if (error instanceof CommandError) return [];
    throw error;
  }
}
