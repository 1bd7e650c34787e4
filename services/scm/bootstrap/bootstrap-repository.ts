import { WORKFLOW_PATH } from "../../../shared/project-config/starter/starter-workflow.ts";
import { nextTryMs } from "../checks/check-state.rule.ts";
import { HostError, isRefused } from "../code-host/host-error.ts";
import type { HostedRepository, RepositoryHost } from "../code-host/repository-host.ts";
import { repositoryOf, type ScmContext } from "../scm-context.ts";
import { BOOTSTRAP_SKIPS } from "../texts.ts";
import { type Bootstrap, postponeBootstrap, settleBootstrap } from "./bootstrap.store.ts";
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

/** Some hours in all. */
const TRIES = 40;

type Settled = Pick<Bootstrap, "state" | "reason" | "pullNumber">;

/** Opens the one bootstrap pull request of a repository, or finds out why there is to be none; writes down which. */
export async function bootstrapRepository(context: ScmContext, bootstrap: Bootstrap): Promise<void> {
  try {
    const repository = await repositoryOf(context, bootstrap, "bootstrap");
    await settleBootstrap(context.em(), bootstrap, await propose(context, repository, bootstrap));
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    if (!error.passing || bootstrap.tries >= TRIES) {
      const reason = error.status === 404 ? BOOTSTRAP_SKIPS.noAccess : error.message;
      return settleBootstrap(context.em(), bootstrap, skipped(bootstrap, reason));
    }
    const waitMs = error.retryAt ? error.retryAt.getTime() - Date.now() : nextTryMs(bootstrap.tries);
    await postponeBootstrap(context.em(), bootstrap, error.message, Math.max(waitMs, 1_000));
  }
}

function skipped({ pullNumber }: Bootstrap, reason: string): Settled {
  return { state: "skipped", reason: reason.slice(0, 500), pullNumber };
}

async function propose(
  context: ScmContext,
  repository: RepositoryHost,
  bootstrap: Bootstrap,
): Promise<Settled> {
  const { contents } = repository;
  const about = await repository.read();
  const base = await contents.branchHead(about.defaultBranch);
  const refusal = whyNot(about, context.settings) ?? (base === null ? BOOTSTRAP_SKIPS.empty : null);
  if (refusal !== null || base === null) return skipped(bootstrap, refusal ?? "");
  for (const path of CONFIG_PATHS)
    if (await contents.hasFile(path, about.defaultBranch))
      return { ...skipped(bootstrap, BOOTSTRAP_SKIPS.configured(path)), state: "configured" };
  const branch = await contents.branchHead(BOOTSTRAP_BRANCH);
  const decided = branch === null ? null : await findDecided(repository, bootstrap);
  if (decided) return decided;
  const files = await planBootstrap(context, bootstrap, contents, base);
  const workflow =
    branch === null
      ? await addBranch(repository, base, files)
      : await workflowOn(repository, branch, files.workflow);
  return opened(await openPull(repository, about, workflow));
}

function whyNot(
  { archived, disabled, fork }: HostedRepository,
  { bootstrapsForks }: ScmContext["settings"],
): string | null {
  if (archived) return BOOTSTRAP_SKIPS.archived;
  if (disabled) return BOOTSTRAP_SKIPS.disabled;
  return fork && !bootstrapsForks ? BOOTSTRAP_SKIPS.fork : null;
}

const opened = (pullNumber: number): Settled => ({ state: "opened", reason: null, pullNumber });

/** The branch is there: of a proposal that was opened before, or, then null, from a try that did not come to its end. */
async function findDecided(repository: RepositoryHost, bootstrap: Bootstrap): Promise<Settled | null> {
  const pull = await repository.findPull(BOOTSTRAP_BRANCH);
  if (pull === null) return null;
  // The answer to opening it got lost.
  if (bootstrap.tries > 0 && bootstrap.pullNumber === null) return opened(pull);
  return { ...skipped(bootstrap, BOOTSTRAP_SKIPS.proposed(pull)), pullNumber: pull };
}

/** What an earlier try has put on the branch. */
async function workflowOn(
  { contents }: RepositoryHost,
  branch: string,
  planned: BootstrapWorkflow,
): Promise<BootstrapWorkflow> {
  if (await contents.hasFile(WORKFLOW_PATH, branch)) return { ...planned, leftOutBecause: null };
  return planned.leftOutBecause === null ? withoutPermission(planned) : planned;
}

/** Adds the whole branch at once, so that no part of it is seen. @returns the workflow that is in it, or why there is none */
async function addBranch(
  { contents }: RepositoryHost,
  base: string,
  { config, workflow }: BootstrapFiles,
): Promise<BootstrapWorkflow> {
  const add = async (files: Record<string, string>) =>
    contents.createBranch(BOOTSTRAP_BRANCH, await contents.commit(base, PULL_TITLE, files));
  const needed = { "service.config.ts": config };
  if (workflow.text !== null && workflow.leftOutBecause === null)
    try {
      await add({ ...needed, [WORKFLOW_PATH]: workflow.text });
      return workflow;
    } catch (error) {
      // An app needs a permission of its own to write workflows, which it can do without.
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
  const body = pullBody(workflow);
  return repository.openPull({ head: BOOTSTRAP_BRANCH, base: defaultBranch, title: PULL_TITLE, body });
}
