/** Prefix of the projects that hold the baselines of monitors. No other project has it. */
export const MONITOR_PROJECTS = "monitor/";

/** The project whose secrets, sessions and email addresses all monitors of a team use. */
export const PROJECT_OF_ALL_MONITORS = "monitors";

const OF_MONITOR = /^monitor\/(mon_\w+)(?:\/(\d+))?$/;

/**
 * Returns the project of a monitor's baselines. Each URL that the monitor has had, counted from 1, has its own.
 * The statement that starts a check derives the same name.
 */
export function projectOf(monitorId: string, generation: number): string {
  const first = `${MONITOR_PROJECTS}${monitorId}`;
  return generation > 1 ? `${first}/${generation}` : first;
}

/** Returns the monitor whose baselines a project holds, and the number of its URL. Null for any other project. */
export function monitorOfProject(project: string): { id: string; generation: number } | null {
  const [, id, generation = "1"] = OF_MONITOR.exec(project) ?? [];
  return id === undefined ? null : { id, generation: Number(generation) };
}
