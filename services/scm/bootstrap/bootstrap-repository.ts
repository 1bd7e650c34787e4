import { failureBackoffMs } from "../checks/check-state.rule.ts";
import type { HostedRepository, RepositoryHost } from "../code-host/code-host.ts";
import { HostError, isRefused } from "../code-host/host-error.ts";
import type { ScmContext } from "../scm-context.ts";
import { BOOTSTRAP_SKIPS } from "../texts/events.ts";
import { type Bootstrap, finishBootstrap, postponeBootstrap } from "./bootstrap.store.ts";
import {
  BOOTSTRAP_BRANCH,
  type BootstrapFiles,
  type BootstrapWorkflow,
  CONFIG_PATHS,
  PULL_TITLE,
  pullBody,
  withoutPermission,
} from "./bootstrap-files.ts";
import { planBootstrap } from "./plan-bootstrap.ts";

/** A few hours in total. */
const MAX_FAILURES = 40;

type BootstrapResult = Pick<Bootstrap, "state" | "reason" | "pullNumber">;

/** Opens the bootstrap pull request of a repository, or finds why there should be none, and saves the result. */
export async function bootstrapRepository(context: ScmContext, bootstrap: Bootstrap): Promise<void> {
  try {
    const repository = await context.host.repository(bootstrap, "bootstrap");
    await finishBootstrap(context.em(), bootstrap, await propose(context, repository, bootstrap));
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    if (!error.passing || bootstrap.failures >= MAX_FAILURES) {
      const reason = error.status === 404 ? BOOTSTRAP_SKIPS.noAccess : error.message;
      return finishBootstrap(context.em(), bootstrap, skipped(bootstrap, reason));
    }
    const waitMs = error.retryAt
      ? error.retryAt.getTime() - Date.now()
      : failureBackoffMs(bootstrap.failures);
    await postponeBootstrap(context.em(), bootstrap, error.message, Math.max(waitMs, 1_000));
  }
}

function skipped({ pullNumber }: Bootstrap, reason: string): BootstrapResult {
  return { state: "skipped", reason: reason.slice(0, 500), pullNumber };
}

async function propose(
  context: ScmContext,
  repository: RepositoryHost,
  bootstrap: Bootstrap,
): Promise<BootstrapResult> {
  const { contents } = repository;
  const about = await repository.read();
  const base = await contents.branchHead(about.defaultBranch);
  const refusal = refusalReason(about, context.settings) ?? (base === null ? BOOTSTRAP_SKIPS.empty : null);
  if (refusal !== null || base === null) return skipped(bootstrap, refusal ?? "");
  for (const path of CONFIG_PATHS)
    if (await contents.hasFile(path, about.defaultBranch))
      return { ...skipped(bootstrap, BOOTSTRAP_SKIPS.configured(path)), state: "configured" };
  const branch = await contents.branchHead(BOOTSTRAP_BRANCH);
  const earlier = branch === null ? null : await findEarlierProposal(repository, bootstrap);
  if (earlier) return earlier;
  const files = await planBootstrap(context, bootstrap, repository, base);
  const workflow =
    branch === null
      ? await addBranch(repository, base, files)
      : await workflowOn(repository, branch, files.workflow);
  return opened(await openPull(repository, about, workflow));
}

function refusalReason(
  { archived, disabled, fork }: HostedRepository,
  { bootstrapsForks }: ScmContext["settings"],
): string | null {
  if (archived) return BOOTSTRAP_SKIPS.archived;
  if (disabled) return BOOTSTRAP_SKIPS.disabled;
  return fork && !bootstrapsForks ? BOOTSTRAP_SKIPS.fork : null;
}

const opened = (pullNumber: number): BootstrapResult => ({ state: "opened", reason: null, pullNumber });

/**
 * Returns the result of an earlier proposal whose branch exists. Returns null if an attempt created the branch and then
 * failed.
 */
async function findEarlierProposal(
  repository: RepositoryHost,
  bootstrap: Bootstrap,
): Promise<BootstrapResult | null> {
  const pull = await repository.findPull(BOOTSTRAP_BRANCH);
  if (pull === null) return null;
  // The response to the earlier request was lost.
  if (bootstrap.failures > 0 && bootstrap.pullNumber === null) return opened(pull);
  return { ...skipped(bootstrap, BOOTSTRAP_SKIPS.proposed(pull)), pullNumber: pull };
}

/** Returns the workflow that an earlier attempt put on the branch. */
async function workflowOn(
  { contents }: RepositoryHost,
  branch: string,
  planned: BootstrapWorkflow,
): Promise<BootstrapWorkflow> {
  if (await contents.hasFile(planned.path, branch)) return { ...planned, omittedBecause: null };
  return planned.omittedBecause === null ? withoutPermission(planned) : planned;
}

/**
 * Creates the whole branch at once, so that no incomplete branch is visible.
 * @returns the workflow, and why it was omitted
 */
async function addBranch(
  { contents }: RepositoryHost,
  base: string,
  { config, workflow }: BootstrapFiles,
): Promise<BootstrapWorkflow> {
  const add = (files: Record<string, string>) =>
    contents.addBranch(BOOTSTRAP_BRANCH, { parent: base, message: PULL_TITLE, files });
  const needed = { "service.config.ts": config };
  if (workflow.text !== null && workflow.omittedBecause === null)
    try {
      await add({ ...needed, [workflow.path]: workflow.text });
      return workflow;
    } catch (error) {
      // Writing workflows requires a permission that the app may lack.
      if (!isRefused(error)) throw error;
      await add(needed);
      return withoutPermission(workflow);
    }
  await add(needed);
  return workflow;
}

function openPull(
  repository: RepositoryHost,
  { defaultBranch }: HostedRepository,
  workflow: BootstrapWorkflow,
): Promise<number> {
  const body = pullBody(workflow, repository.ci);
  return repository.openPull({ head: BOOTSTRAP_BRANCH, base: defaultBranch, title: PULL_TITLE, body });
}
