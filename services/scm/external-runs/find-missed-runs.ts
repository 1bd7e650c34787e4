import type { EntityManager } from "../../../mixins/database.ts";
import { forEachConcurrently, withTimeout } from "../../../shared/async.ts";
import type { RunView } from "../../../shared/contracts/runs/runs.ts";
import { findConnectedTeams, findConnections } from "../connections/connection.store.ts";
import type { ScmContext } from "../scm-context.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import { type RunOwner, requestMissedRuns } from "./external-run.store.ts";
import { findForwardingTeams } from "./forwarded-run.store.ts";
import { isSameRepository } from "./same-repository.rule.ts";

/** Shorter than the retention of external runs, so that none is reported twice. */
const MISSED_RUN_PERIOD_MS = 24 * 3_600_000;
/** The runs that may end between two searches. The API lists no more per request. */
const RUNS_PER_REQUEST = 100;
const TEAM_BATCH_SIZE = 100;
const CONCURRENCY = 8;
/** Well above the time of two requests. */
const TEAM_TIMEOUT_MS = 30_000;

/**
 * Requests reports of ended runs whose event was lost, for example with the node that should have sent it. A team whose
 * runs cannot be read does not stop the others.
 */
export async function findMissedRuns(context: ScmContext, signal?: AbortSignal): Promise<void> {
  // First, because the app's team can have connections too. A run is requested only once.
  await ofAllTeams(context, findConnectedTeams, findOfConnections, signal);
  if (!context.hasApp || signal?.aborted) return;
  await ofTeams(context, [null], findOfTeam);
  await ofAllTeams(context, findForwardingTeams, findOfTeam, signal);
}

/** Goes through the pages of all teams. Each search reaches every team, however many there are. */
async function ofAllTeams(
  context: ScmContext,
  findPage: (em: EntityManager, after: string, limit: number) => Promise<string[]>,
  find: (context: ScmContext, teamId: string) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  for (let after: string | undefined = ""; after !== undefined && !signal?.aborted; ) {
    const teams = await findPage(context.em(), after, TEAM_BATCH_SIZE);
    await ofTeams(context, teams, find);
    after = teams.at(TEAM_BATCH_SIZE - 1);
  }
}

async function ofTeams<T extends string | null>(
  context: ScmContext,
  teams: T[],
  find: (context: ScmContext, teamId: T) => Promise<void>,
): Promise<void> {
  const late = () => new Error(LOG_MESSAGES.completedNotRead);
  await forEachConcurrently(
    teams,
    CONCURRENCY,
    teamId => withTimeout(find(context, teamId), TEAM_TIMEOUT_MS, late),
    error => context.warn(error, LOG_MESSAGES.completedNotRead),
  );
}

async function findOfConnections(context: ScmContext, teamId: string): Promise<void> {
  const connections = await findConnections(context.em(), teamId);
  const runs = await readMissed(context, teamId);
  for (const { id: connectionId, ...name } of connections) {
    const ids = runs.flatMap(({ id, scm }) => (scm && isSameRepository(name, scm) ? id : []));
    if (ids.length > 0) await requestMissed(context, { teamId, connectionId }, ids);
  }
}

async function findOfTeam(context: ScmContext, teamId: string | null): Promise<void> {
  const runs = await readMissed(context, teamId);
  await requestMissed(
    context,
    { teamId },
    runs.map(({ id }) => id),
  );
}

function requestMissed({ em }: ScmContext, of: RunOwner, ids: string[]): Promise<void> {
  return requestMissedRuns(em(), ids, of);
}

/** Returns a team's latest ended runs that may have no check. The app's own runs have theirs. */
async function readMissed(context: ScmContext, teamId: string | null): Promise<RunView[]> {
  const since = Date.now() - MISSED_RUN_PERIOD_MS;
  const isMissed = ({ scm, completedAt }: RunView) =>
    scm && scm.checkRunId === undefined && completedAt !== null && Date.parse(completedAt) > since;
  const found: RunView[] = [];
  for (const status of ["completed", "failed"] as const)
    found.push(...(await context.cloudOf(teamId).latestRuns({ status, limit: RUNS_PER_REQUEST })));
  return found.filter(isMissed);
}
