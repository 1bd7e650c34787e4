import type { IncidentSummary } from "../../shared/contracts/monitors/incidents.ts";
import type { IconName } from "../../shared/report/render/icons.ts";
import { incidentStateNames } from "../texts/monitors/incidents.ts";

/** Returns the state of an incident with its icon. */
export function incidentBadge({ state, kind }: Pick<IncidentSummary, "state" | "kind">): {
  name: IconName;
  word: string;
} {
  const word = incidentStateNames[state];
  if (state === "resolved") return { name: "approved", word };
  if (state === "acknowledged") return { name: "pending", word };
  return { name: kind === "changed" ? "changed" : "failed", word };
}
