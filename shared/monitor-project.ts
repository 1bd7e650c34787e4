/** Projects whose name begins so hold the baselines of a monitor, and no others. */
export const MONITOR_PROJECTS = "monitor/";

const OF_MONITOR = /^monitor\/(mon_\w+)(?:\/(\d+))?$/;

/** Whose baselines a project holds: the monitor's id, and for which of its addresses, counted from 1; null for others. */
export function monitorOfProject(project: string): { id: string; generation: number } | null {
  const [, id, generation = "1"] = OF_MONITOR.exec(project) ?? [];
  return id === undefined ? null : { id, generation: Number(generation) };
}
