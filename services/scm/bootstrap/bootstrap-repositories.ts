import type { DeliveryAnswer } from "../../../shared/contracts/platform/delivery.ts";
import type { SeenRepository } from "../code-host/repository-host.ts";
import type { ScmContext } from "../scm-context.ts";
import { BOOTSTRAP_SKIPS, LOG_MESSAGES } from "../texts.ts";
import { askForBootstrap, type Bootstrap, claimBootstraps, findBootstraps } from "./bootstrap.store.ts";
import { bootstrapRepository } from "./bootstrap-repository.ts";

/** The code host gives a webhook ten seconds; what is not done by then is done after the answer. */
const ANSWERED_WITHIN_MS = 6_000;
const AT_ONCE = 4;

/** Bootstraps repositories that an installation of the app was given, and answers with as much as was done in time. */
export async function bootstrapRepositories(
  context: ScmContext,
  installationId: string,
  repositories: SeenRepository[],
  { again }: { again: boolean },
): Promise<DeliveryAnswer> {
  const asked = new Set(await askForBootstrap(context.em(), installationId, repositories, again));
  await within(ANSWERED_WITHIN_MS, signal => bootstrapDue(context, { installationId, signal }), context);
  const ids = repositories.map(({ id }) => id);
  const rows = await findBootstraps(context.em(), installationId, ids);
  const waiting = rows.filter(({ state }) => state === "waiting");
  const opened = rows.filter(({ state, repoId }) => state === "opened" && asked.has(repoId));
  const skipped = rows.filter(row => !waiting.includes(row) && !opened.includes(row));
  const reasons = Object.fromEntries(
    skipped.map(row => [nameOf(row), row.reason ?? BOOTSTRAP_SKIPS.proposed(row.pullNumber)]),
  );
  const bootstrapped = opened.length > 0 || skipped.some(isDone);
  const done = { bootstrapped, opened: opened.map(nameOf), skipped: skipped.map(nameOf), reasons };
  return { status: 200, body: { ...done, ...(waiting.length > 0 && { waiting: waiting.map(nameOf) }) } };
}

/** Whether a repository has what it needs: a configuration, or a pull request that proposes one. */
function isDone({ state, pullNumber }: Bootstrap): boolean {
  return state === "configured" || pullNumber !== null;
}

function nameOf({ owner, repo }: Bootstrap): string {
  return `${owner}/${repo}`;
}

/** Bootstraps what is due, a few at once, of one installation or of all. */
export async function bootstrapDue(
  context: ScmContext,
  { installationId = null, signal }: { installationId?: string | null; signal: AbortSignal },
): Promise<void> {
  const one = async () => {
    while (!signal.aborted) {
      const [bootstrap] = await claimBootstraps(context.em(), 1, installationId);
      if (!bootstrap) return;
      await bootstrapRepository(context, bootstrap);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

/** Waits so long for work; what is under way then is brought to its end, and what is left is the sweep's. */
async function within(
  ms: number,
  work: (signal: AbortSignal) => Promise<void>,
  context: ScmContext,
): Promise<void> {
  const over = new AbortController();
  const late = new Promise<void>(resolve => over.signal.addEventListener("abort", () => resolve()));
  const timer = setTimeout(() => over.abort(), ms);
  const done = work(over.signal).catch(error => context.warn(error, LOG_MESSAGES.notBootstrapped));
  await Promise.race([done, late]).finally(() => clearTimeout(timer));
}
