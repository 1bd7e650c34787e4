import { typeid } from "typeid-js";

type Prefix =
  | "run"
  | "shot"
  | "base"
  | "proj"
  | "team"
  | "key"
  | "user"
  | "inv"
  | "ses"
  | "act"
  | "rev"
  | "mon"
  | "chk"
  | "dlv"
  | "chr"
  | "ign";

/** The team that a new service has, of a fixed id: nodes that start at once agree on it, and its admins are the operators. */
export const DEFAULT_TEAM_ID = "team_00000000000000000000000000";

/** A new id, `run_01h455vb4pex5vsknk084sn02q`: sortable by the time it was made. */
export function newId(prefix: Prefix): string {
  return typeid(prefix).toString();
}

/** Prefix of the names of projects that hold a monitor's baselines. No other project has it. */
export const MONITOR_PROJECTS = "monitor/";

const MONITOR_PROJECT = /^monitor\/(mon_\w+)(?:\/(\d+))?$/;

/**
 * Returns the id of the monitor whose baselines a project holds, or null for other projects. The generation counts the
 * monitor's URLs, from 1.
 */
export function monitorOfProject(project: string): { id: string; generation: number } | null {
  const [, id, generation = "1"] = MONITOR_PROJECT.exec(project) ?? [];
  return id === undefined ? null : { id, generation: Number(generation) };
}
