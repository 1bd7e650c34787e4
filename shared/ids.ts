import { typeid } from "typeid-js";

/** The prefixes of ids, one for each kind of object. */
export const ID_PREFIXES = [
  "run",
  "shot",
  "base",
  "proj",
  "team",
  "key",
  "user",
  "inv",
  "ses",
  "act",
  "rev",
  "mon",
  "chk",
  "dlv",
  "chr",
  "ign",
  "sec",
  "cfg",
  "whk",
  "con",
  "evt",
  "com",
  "scu",
  "scg",
  "look",
  "inc",
  "mtn",
  "stp",
  "exp",
  "imp",
  "eml",
] as const;

type Prefix = (typeof ID_PREFIXES)[number];

/**
 * The team of a new installation. Its id is fixed, so that nodes that start concurrently agree on it. Its
 * admins are the operators.
 */
export const DEFAULT_TEAM_ID = "team_00000000000000000000000000";

/** Creates an id, such as `run_01h455vb4pex5vsknk084sn02q`. Ids sort by their creation time. */
export function newId(prefix: Prefix): string {
  return typeid(prefix).toString();
}
