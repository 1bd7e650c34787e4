import type { CheckOutcomeName } from "../../shared/contracts/monitors/checks.ts";
import type { MonitorView } from "../../shared/contracts/monitors/monitors.ts";
import type { IconName } from "../../shared/report/render/icons.ts";
import { CHECK_RUNNING, monitorStatusNames, outcomeNames } from "../texts/monitors/monitors.ts";

/** A status with its icon and its name. */
interface Badge {
  name: IconName;
  word: string;
}

const STATUS_ICONS: Record<MonitorView["status"], IconName> = {
  ok: "approved",
  changed: "changed",
  down: "failed",
  establishing: "pending",
  never: "pending",
};

const OUTCOME_ICONS: Record<CheckOutcomeName, IconName> = {
  established: "new",
  ok: "approved",
  changed: "changed",
  down: "failed",
  failed: "unstable",
};

/** Returns the status of a monitor's site. */
export function monitorBadge({ status }: Pick<MonitorView, "status">): Badge {
  return { name: STATUS_ICONS[status], word: monitorStatusNames[status] };
}

/** Returns the outcome of a check. @param outcome null while it runs */
export function outcomeBadge(outcome: CheckOutcomeName | null): Badge {
  if (outcome === null) return { name: "pending", word: CHECK_RUNNING };
  return { name: OUTCOME_ICONS[outcome], word: outcomeNames[outcome] };
}
