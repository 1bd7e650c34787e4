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
