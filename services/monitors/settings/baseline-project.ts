import { MONITOR_PROJECTS } from "../../../shared/ids.ts";

/** The namespace of a monitor's baselines: one for each address that it has had. The statement that begins a check says the same. */
export function projectOf(monitorId: string, generation: number): string {
  const first = `${MONITOR_PROJECTS}${monitorId}`;
  return generation > 1 ? `${first}/${generation}` : first;
}
