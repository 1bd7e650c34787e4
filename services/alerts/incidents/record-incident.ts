import type { EntityManager } from "../../../mixins/database.ts";
import type { DecisionResult } from "../../../shared/alerts/decide.rule.ts";
import type { CheckReport, ProblemOutcome } from "../../../shared/contracts/monitors/alert-actions.ts";
import type { Resolution } from "../../../shared/contracts/monitors/incidents.ts";
import { newId } from "../../../shared/ids.ts";
import { headline, problemText } from "../notifications/describe-message.ts";
import { messageOf } from "../notifications/message.ts";
import { type Incident, insertIncident, resolveIncident } from "./incident.store.ts";
import { insertEntry } from "./timeline.store.ts";

/** The suffix of the id of a report that an approval caused. */
const APPROVED = ".approved";

/**
 * Opens or resolves a monitor's incident after the decision about a check, in its transaction. Another problem
 * replaces the open incident.
 * @returns the id of the incident that was opened or resolved. Null if there is none
 * @param open the monitor's open incident, locked
 * @param report with the pages of open alerts that the check couldn't capture
 */
export async function recordIncident(
  tx: EntityManager,
  open: Incident | null,
  report: CheckReport,
  { decision, state }: DecisionResult,
): Promise<string | null> {
  const { outcome, checkId } = report;
  if (decision === "recovered") {
    if (open) await close(tx, open, checkId, checkId.endsWith(APPROVED) ? "approved" : "recovered");
    return open?.id ?? null;
  }
  // An earlier version alerted without an incident.
  const isUnrecorded = decision === "repeated" && open === null;
  if (outcome.kind === "ok" || state.alerted === null || !(decision === "alerted" || isUnrecorded))
    return null;
  if (open) await close(tx, open, checkId, "replaced");
  const openedAt = isUnrecorded ? state.alertingSince : null;
  return openIncident(tx, { ...report, outcome }, { about: state.alerted, openedAt });
}

async function openIncident(
  tx: EntityManager,
  report: CheckReport & { outcome: ProblemOutcome },
  { about, openedAt }: { about: string; openedAt: Date | null },
): Promise<string> {
  const { monitor, checkId, runId, at, outcome, attempts = 1 } = report;
  const message = messageOf(report, { kind: outcome.kind, about, since: null, incidentId: null });
  const started = openedAt ?? new Date(report.startedAt ?? at);
  const id = newId("inc");
  await insertIncident(tx, {
    ...{ id, teamId: monitor.teamId, monitorId: monitor.id, monitorName: monitor.name },
    ...{ kind: outcome.kind, about, title: headline(message), checkId, runId },
    ...{ openedAt: started, openedSource: sourceOf(checkId) },
  });
  await insertEntry(tx, id, { kind: "opened", text: problemText(message) }, started);
  if (attempts > 1) await insertEntry(tx, id, { kind: "confirmed", attempts }, new Date(at));
  return id;
}

async function close(
  tx: EntityManager,
  { id }: Incident,
  checkId: string,
  resolution: Resolution,
): Promise<void> {
  await resolveIncident(tx, id, { source: sourceOf(checkId), resolution, by: null });
  await insertEntry(tx, id, { kind: "resolved", by: null, resolution, text: null });
}

/** Returns the source of the notifications about a check. */
export function sourceOf(checkId: string): string {
  return `check ${checkId}`;
}
