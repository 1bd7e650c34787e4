import { STARTER_CONFIG } from "../../shared/project-config/starter-config.ts";
import { starterWorkflow, WORKFLOW_PATH } from "../../shared/project-config/starter-workflow.ts";
import { type Bootstrap, postponeBootstrap, settleBootstrap } from "./bootstrap.store.ts";
import { BOOTSTRAP_BRANCH, CONFIG_PATHS, PULL_TITLE, pullBody } from "./bootstrap-files.ts";
import { nextTryMs } from "./check-state.ts";
import { HostError, isRefused } from "./host-error.ts";
import type { HostedRepository, RepositoryHost } from "./repository-host.ts";
import { repositoryOf, type ScmNode } from "./scm-node.ts";

/** Some hours in all. */
const TRIES = 40;

type Settled = Pick<Bootstrap, "state" | "reason" | "pullNumber">;

/** Opens the one bootstrap pull request of a repository, or finds out why there is to be none; writes down which. */
export async function bootstrapRepository(node: ScmNode, bootstrap: Bootstrap): Promise<void> {
  try {
    const repository = await repositoryOf(node, bootstrap, "bootstrap");
    await settleBootstrap(node.em(), bootstrap, await propose(repository, bootstrap, node.settings.action));
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    if (!error.passing || bootstrap.tries >= TRIES) {
      const reason = error.status === 404 ? "The app may not see it" : error.message;
      return settleBootstrap(node.em(), bootstrap, skipped(bootstrap, reason));
    }
    const waitMs = error.retryAt ? error.retryAt.getTime() - Date.now() : nextTryMs(bootstrap.tries);
    await postponeBootstrap(node.em(), bootstrap, error.message, Math.max(waitMs, 1_000));
  }
}

function skipped({ pullNumber }: Bootstrap, reason: string): Settled {
  return { state: "skipped", reason: reason.slice(0, 500), pullNumber };
}

async function propose(
  repository: RepositoryHost,
  bootstrap: Bootstrap,
  action: string | null,
): Promise<Settled> {
  const about = await repository.read();
  const base = await repository.contents.branchHead(about.defaultBranch);
  const refusal = whyNot(about) ?? (base === null ? "It is empty" : null);
  if (refusal !== null || base === null) return skipped(bootstrap, refusal ?? "");
  for (const path of CONFIG_PATHS)
    if (await repository.contents.hasFile(path, about.defaultBranch))
      return skipped(bootstrap, `It has ${path} already`);
  const uses = action ?? `${bootstrap.owner}/vrs`;
  if ((await repository.contents.branchHead(BOOTSTRAP_BRANCH)) !== null)
    return goOn(repository, bootstrap, about, uses);
  const hasWorkflow = await addBranch(repository, base, uses);
  return opened(await openPull(repository, about, uses, hasWorkflow));
}

function whyNot({ archived, disabled, fork }: HostedRepository): string | null {
  if (archived) return "It is archived";
  if (disabled) return "It is disabled";
  return fork ? "It is a fork" : null;
}

const opened = (pullNumber: number): Settled => ({ state: "opened", reason: null, pullNumber });

/** The branch is there: from a try that did not come to its end, or of a proposal that somebody has decided on. */
async function goOn(
  repository: RepositoryHost,
  bootstrap: Bootstrap,
  about: HostedRepository,
  action: string,
): Promise<Settled> {
  const pull = await repository.findPull(BOOTSTRAP_BRANCH);
  if (pull === null)
    return opened(
      await openPull(
        repository,
        about,
        action,
        await repository.contents.hasFile(WORKFLOW_PATH, BOOTSTRAP_BRANCH),
      ),
    );
  // The answer to opening it got lost.
  if (bootstrap.tries > 0 && bootstrap.pullNumber === null) return opened(pull);
  return { ...skipped(bootstrap, `It was proposed already, in #${pull}`), pullNumber: pull };
}

/** The whole branch at once: nobody sees half of it. @returns whether the workflow is in it */
async function addBranch(repository: RepositoryHost, base: string, action: string): Promise<boolean> {
  const config = { "service.config.ts": STARTER_CONFIG };
  try {
    await add({ ...config, [WORKFLOW_PATH]: starterWorkflow(action) });
    return true;
  } catch (error) {
    // An app needs a permission of its own to write workflows, which it can do without.
    if (!isRefused(error)) throw error;
    await add(config);
    return false;
  }

  async function add(files: Record<string, string>): Promise<void> {
    await repository.contents.createBranch(
      BOOTSTRAP_BRANCH,
      await repository.contents.commit(base, PULL_TITLE, files),
    );
  }
}

function openPull(
  repository: RepositoryHost,
  { defaultBranch }: HostedRepository,
  action: string,
  hasWorkflow: boolean,
): Promise<number> {
  const body = pullBody(action, hasWorkflow);
  return repository.openPull({ head: BOOTSTRAP_BRANCH, base: defaultBranch, title: PULL_TITLE, body });
}
