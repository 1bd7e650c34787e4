import { createHash } from "node:crypto";
import { databaseTime, type EntityManager } from "../../../mixins/database.ts";
import { broadcast, call } from "../../../shared/contracts/bus.ts";
import type { ListQuery } from "../../../shared/contracts/fields.ts";
import {
  type CreateMaintenance,
  MAINTENANCE_BOUNDS,
  type MaintenanceList,
  type MaintenanceView,
  type PastMaintenance,
} from "../../../shared/contracts/monitors/maintenance.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { invalidField, notFound, ServiceError } from "../../../shared/errors.ts";
import { decodeCursor, pageOf } from "../../../shared/pagination.ts";
import type { MonitorsContext } from "../monitors-context.ts";
import type { Monitor } from "../settings/monitor.entity.ts";
import { findMonitor } from "../settings/monitor.store.ts";
import { lockTeam } from "../settings/team.store.ts";
import { noteActivity } from "../settings/write-monitor.ts";
import { MAINTENANCE_ERRORS } from "../texts.ts";
import {
  countWindows,
  endWindow,
  extendOccurrence,
  findEnding,
  findRepeatedWindow,
  findWindow,
  findWindows,
  findWindowsOf,
  insertWindow,
  type MaintenanceWindow,
  restartWaits,
  setNext,
} from "./maintenance.store.ts";
import { nextOccurrence, occurrencesBetween } from "./occurrence.rule.ts";

const DAY_MS = 86_400_000;
const BATCH_SIZE = 100;
/** Several times as long as windows wait to be advanced. */
const EXTEND_BEFORE_SECONDS = 120;

/** A window to create. */
interface Creation {
  id: string;
  body: CreateMaintenance;
  idempotencyKey?: string | undefined;
}

/**
 * Creates a maintenance window. A repeat of the same message or idempotency key returns its window, also if the team
 * has no room for another one.
 * @throws ServiceError invalid_request for unknown monitors, a window in the past, or a key of another body; conflict for
 * too many windows
 */
export async function createMaintenance(
  context: MonitorsContext,
  caller: Caller,
  { id, body, idempotencyKey = undefined }: Creation,
): Promise<MaintenanceView> {
  const { teamId, actor } = caller;
  const keys = { id, idempotencyKey: idempotencyKey ?? null, bodyDigest: digestOf(body) };
  const repeated = await findRepeated(context.em(), teamId, keys);
  if (repeated) return repeated;
  const { monitors: monitorIds, ...settings } = body;
  const next = nextOccurrence(body.schedule, await databaseTime(context.em()));
  if (next === null) throw invalidField("schedule.until", MAINTENANCE_ERRORS.past);
  for (const [index, monitor] of (monitorIds ?? []).entries())
    if (!(await findMonitor(context.em(), teamId, monitor)))
      throw invalidField(`monitors.${index}`, MAINTENANCE_ERRORS.noMonitor);
  const plan = await call(context.bus, "billing.plan", { teamId });
  const isNew = await context.em().transactional(async tx => {
    await lockTeam(tx, teamId, plan);
    // Another message may have been faster.
    if (await findRepeatedWindow(tx, teamId, keys)) return false;
    if ((await countWindows(tx, teamId)) >= MAINTENANCE_BOUNDS.windows)
      throw new ServiceError("conflict", MAINTENANCE_ERRORS.full(MAINTENANCE_BOUNDS.windows));
    await insertWindow(tx, { ...keys, teamId, ...settings, monitorIds, next, createdBy: actor.name });
    return true;
  });
  const found = isNew ? null : await findRepeated(context.em(), teamId, keys);
  if (found) return found;
  const window = await findWindow(context.em(), teamId, id);
  if (!window) throw notFound("maintenance window", id);
  await noteActivity(context, caller, "maintenance.created", id, { name: body.title });
  await broadcast(context.bus, "monitor.changed", { teamId, ids: null });
  return viewOf(window);
}

/** Returns the window of a repeat; null without one. @throws ServiceError invalid_request for a key of another body */
async function findRepeated(
  em: EntityManager,
  teamId: string,
  keys: { id: string; idempotencyKey: string | null; bodyDigest: string },
): Promise<MaintenanceView | null> {
  const repeated = await findRepeatedWindow(em, teamId, keys);
  if (repeated === null) return null;
  if (repeated.id !== keys.id && repeated.bodyDigest !== keys.bodyDigest)
    throw invalidField("Idempotency-Key", MAINTENANCE_ERRORS.otherBody(repeated.id));
  const window = await findWindow(em, teamId, repeated.id);
  return window && viewOf(window);
}

function digestOf(body: CreateMaintenance): string {
  return createHash("sha256").update(JSON.stringify(body)).digest("hex");
}

/** Lists a team's windows that have not ended, newest first. @throws ServiceError for an invalid cursor */
export async function listMaintenance(
  { em }: MonitorsContext,
  { teamId }: Caller,
  { query: { limit, cursor } }: { query: ListQuery },
): Promise<MaintenanceList> {
  const before = decodeCursor("maintenance", cursor);
  return pageOf("maintenance", await findWindows(em(), teamId, { limit, before }), limit, viewOf);
}

/** Ends a window, now if it is active. @throws ServiceError not_found */
export async function endMaintenance(
  context: MonitorsContext,
  caller: Caller,
  { id }: { id: string },
): Promise<null> {
  const { teamId } = caller;
  const window = await findWindow(context.em(), teamId, id);
  if (!window) throw notFound("maintenance window", id);
  await restartWaits(context.em(), id);
  if (!(await endWindow(context.em(), teamId, id))) return null;
  await noteActivity(context, caller, "maintenance.ended", id, { name: window.title });
  await broadcast(context.bus, "monitor.changed", { teamId, ids: null });
  return null;
}

/**
 * Sets the next occurrence of windows whose occurrence is over. One that begins when another ends, such as on two days in
 * a row, extends it before that, so that no check starts in between. Any number of nodes may do it at the same time.
 */
export async function advanceWindows({ em }: MonitorsContext): Promise<void> {
  const ending = await findEnding(em(), EXTEND_BEFORE_SECONDS, BATCH_SIZE);
  if (ending.length === 0) return;
  const now = await databaseTime(em());
  for (const { id, schedule, until, isOver } of ending) {
    if (isOver) {
      await restartWaits(em(), id);
      await setNext(em(), id, nextOccurrence(schedule, now));
      continue;
    }
    const following = nextOccurrence(schedule, until);
    if (following && following.from <= until) await extendOccurrence(em(), id, following);
  }
}

/** Returns when windows applied to a monitor in the last days, oldest first. */
export async function readPastMaintenance(
  { em }: MonitorsContext,
  { id, teamId }: Pick<Monitor, "id" | "teamId">,
  days: number,
  now: Date,
): Promise<PastMaintenance[]> {
  const windows = await findWindowsOf(em(), { teamId, monitorId: id, days });
  const past = windows.flatMap(window => pastOf(window, new Date(now.getTime() - days * DAY_MS), now));
  return past.toSorted((a, b) => a.from.localeCompare(b.from));
}

/** Returns when a window applied. It applies from its creation until its end. */
function pastOf({ title, schedule, createdAt, endedAt }: MaintenanceWindow, from: Date, now: Date) {
  const until = endedAt !== null && endedAt < now ? endedAt : now;
  const since = createdAt > from ? createdAt : from;
  return occurrencesBetween(schedule, since, until).map(occurrence => ({
    title,
    from: (occurrence.from > createdAt ? occurrence.from : createdAt).toISOString(),
    until: (endedAt !== null && endedAt < occurrence.until ? endedAt : occurrence.until).toISOString(),
  }));
}

function viewOf(window: MaintenanceWindow): MaintenanceView {
  const { id, title, monitorIds, mode, schedule, next, isActive, createdBy, createdAt } = window;
  return {
    ...{ id, title, monitors: monitorIds, mode, schedule, isActive },
    next: next && { from: next.from.toISOString(), until: next.until.toISOString() },
    ...{ createdBy, createdAt: createdAt.toISOString() },
  };
}
