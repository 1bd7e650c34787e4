import type { EntityManager } from "../../mixins/database.ts";
import { WEBHOOK_BOUNDS } from "../../shared/contracts/webhooks/webhooks.ts";
import { deleteAllGoneTeams, deleteGoneTeams } from "../../shared/delete-gone-teams.ts";
import type { AlertsContext } from "./alerts-context.ts";
import { INCIDENT_CHANNELS } from "./channels/registry.ts";
import { deleteTeamChatApps } from "./chat-apps/chat-app.store.ts";
import { deleteOldChartMarks } from "./decisions/chart-mark.store.ts";
import { deleteOldDecisions, deleteTeamStates } from "./decisions/state.store.ts";
import { deleteOldIncidents } from "./incidents/incident.store.ts";
import { deleteOldNotices, deleteTeamNotices } from "./notices/notice.store.ts";
import { deleteTeamEmails } from "./notices/project-email.store.ts";
import {
  deleteOldNotifications,
  deleteTeamNotifications,
  findTeams,
} from "./notifications/notification.store.ts";
import { deleteOldDeliveries } from "./webhooks/delivery.store.ts";
import { deleteTeamWebhooks } from "./webhooks/webhook.store.ts";

/** Notifications stay readable for the longest retention of any plan. */
const NOTIFICATION_RETENTION_DAYS = 90;
/** Reports of one check arrive within minutes, or after a long outage within days. */
const DECISION_RETENTION_DAYS = 30;
/** Longer than events are repeated, so that none is sent twice. */
const NOTICE_RETENTION_DAYS = 30;
/** Long enough to compare a quarter with the same one of the last year. */
const INCIDENT_RETENTION_DAYS = 400;
/** The longest period of a chart. */
const CHART_MARK_RETENTION_DAYS = 90;
const BATCH_SIZE = 1_000;

/** Deletes expired data. Any number of nodes may do it at the same time. */
export async function prune({ em }: Pick<AlertsContext, "em">, signal?: AbortSignal): Promise<void> {
  while ((await deleteOldNotifications(em(), NOTIFICATION_RETENTION_DAYS, BATCH_SIZE)) === BATCH_SIZE)
    if (signal?.aborted) return;
  while ((await deleteOldDeliveries(em(), WEBHOOK_BOUNDS.retentionDays, BATCH_SIZE)) === BATCH_SIZE)
    if (signal?.aborted) return;
  while ((await deleteOldNotices(em(), NOTICE_RETENTION_DAYS, BATCH_SIZE)) === BATCH_SIZE)
    if (signal?.aborted) return;
  await deleteOldDecisions(em(), DECISION_RETENTION_DAYS);
  await deleteOldChartMarks(em(), CHART_MARK_RETENTION_DAYS);
  await deleteOldIncidents(em(), INCIDENT_RETENTION_DAYS);
}

/**
 * Deletes the receivers of teams that no longer exist. The rest goes later: the monitors service deletes the team's
 * monitors now, and their open incidents at incident services are closed by what is stored here.
 */
export async function deleteReceiversOfGone(
  { em, bus }: Pick<AlertsContext, "em" | "bus">,
  teams: string[],
): Promise<void> {
  await deleteGoneTeams(bus, teams, teamId => em().transactional(tx => deleteReceivers(tx, teamId)));
}

/** Deletes all data of teams that no longer exist, except queued messages that close incidents. */
export async function deleteAllGone(
  { em, bus }: Pick<AlertsContext, "em" | "bus">,
  signal?: AbortSignal,
): Promise<void> {
  const deleteTeam = (teamId: string) =>
    em().transactional(async tx => {
      await deleteReceivers(tx, teamId);
      await deleteTeamStates(tx, teamId);
      await deleteTeamNotifications(tx, teamId, INCIDENT_CHANNELS);
    });
  await deleteAllGoneTeams(bus, { findTeams: page => findTeams(em(), page), deleteTeam }, signal);
}

async function deleteReceivers(tx: EntityManager, teamId: string): Promise<void> {
  await deleteTeamWebhooks(tx, teamId);
  await deleteTeamNotices(tx, teamId);
  await deleteTeamEmails(tx, teamId);
  await deleteTeamChatApps(tx, teamId);
}
