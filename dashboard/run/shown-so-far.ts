import { isEnded } from "../../shared/contracts/runs/run-outcomes.ts";
import type { RunView } from "../../shared/contracts/runs/runs.ts";
import type { Tally } from "../../shared/report/tally.ts";
import type { Shot } from "../api/shot.ts";

/** Returns the screenshots to show. Removed pages are a result, so they are shown once the run has ended. */
export function shotsSoFar(shots: readonly Shot[], status: RunView["status"]): readonly Shot[] {
  return isEnded(status) ? shots : shots.filter(shot => shot.status !== "removed");
}

/** Returns the tally of the screenshots to show. */
export function tallySoFar(tally: Tally, status: RunView["status"]): Tally {
  if (isEnded(status)) return tally;
  const { removed: _, ...standings } = tally.standings;
  return { ...tally, standings };
}
