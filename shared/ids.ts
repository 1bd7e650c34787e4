import { typeid } from "typeid-js";

type Prefix = "run" | "shot" | "base" | "proj" | "team" | "key";

/** A new id, `run_01h455vb4pex5vsknk084sn02q`: sortable by the time it was made. */
export function newId(prefix: Prefix): string {
  return typeid(prefix).toString();
}
