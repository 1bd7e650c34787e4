import { runWithin } from "../../../shared/async.ts";
import type { DeliveryAnswer } from "../../../shared/contracts/platform/delivery.ts";
import type { SeenRepository } from "../code-host/code-host.ts";
import { type LaneWork, workInLanes } from "../lanes/lanes.ts";
import type { ScmContext } from "../scm-context.ts";
import { BOOTSTRAP_SKIPS } from "../texts/events.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import {
  type Bootstrap,
  findBootstraps,
  leaseBootstrapOf,
  leaseDueBootstraps,
  requestBootstraps,
} from "./bootstrap.store.ts";
import { bootstrapRepository } from "./bootstrap-repository.ts";

/** The code host gives a webhook ten seconds. The rest is done after the response. */
const RESPONSE_TIMEOUT_MS = 6_000;
const CONCURRENCY = 4;

/** Bootstraps the repositories of an installation, and returns what was done in time. */
export async function bootstrapRepositories(
  context: ScmContext,
  installationId: string,
  repositories: SeenRepository[],
  { includesProposed }: { includesProposed: boolean },
): Promise<DeliveryAnswer> {
  const requested = new Set(
    await requestBootstraps(context.em(), installationId, repositories, includesProposed),
  );
  // Started work continues, and the recovery sweep does the rest.
  await runWithin(
    signal =>
      bootstrapInstallation(context, installationId, signal).catch(error =>
        context.warn(error, LOG_MESSAGES.notBootstrapped),
      ),
    RESPONSE_TIMEOUT_MS,
  );
  const ids = repositories.map(({ id }) => id);
  const rows = await findBootstraps(context.em(), installationId, ids);
  const waiting = rows.filter(({ state }) => state === "waiting");
  const opened = rows.filter(({ state, repoId }) => state === "opened" && requested.has(repoId));
  const skipped = rows.filter(row => !waiting.includes(row) && !opened.includes(row));
  const reasons = Object.fromEntries(
    skipped.map(row => [nameOf(row), row.reason ?? BOOTSTRAP_SKIPS.proposed(row.pullNumber)]),
  );
  const bootstrapped = opened.length > 0 || skipped.some(isDone);
  const done = { bootstrapped, opened: opened.map(nameOf), skipped: skipped.map(nameOf), reasons };
  return { status: 200, body: { ...done, ...(waiting.length > 0 && { waiting: waiting.map(nameOf) }) } };
}

/** Returns whether a repository has a configuration, or a pull request that proposes one. */
function isDone({ state, pullNumber }: Bootstrap): boolean {
  return state === "configured" || pullNumber !== null;
}

function nameOf({ owner, repo }: Bootstrap): string {
  return `${owner}/${repo}`;
}

/** Bootstraps all due repositories, each installation in its own lane. */
export async function bootstrapDueRepositories(context: ScmContext, signal?: AbortSignal): Promise<void> {
  const bootstraps: LaneWork<Bootstrap> = {
    lease: full => leaseDueBootstraps(context.em(), full),
    work: bootstrap => bootstrapRepository(context, bootstrap),
    failed: error => context.warn(error, LOG_MESSAGES.notBootstrapped),
  };
  await workInLanes(bootstraps, signal);
}

/** Bootstraps the due repositories of an installation. */
async function bootstrapInstallation(
  context: ScmContext,
  installationId: string,
  signal: AbortSignal,
): Promise<void> {
  const bootstrapUntilNoneIsDue = async () => {
    while (!signal.aborted) {
      const [bootstrap] = await leaseBootstrapOf(context.em(), installationId);
      if (!bootstrap) return;
      await bootstrapRepository(context, bootstrap);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, bootstrapUntilNoneIsDue));
}
