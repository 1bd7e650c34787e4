import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { Scm } from "../../shared/contracts/code-host/scm.ts";
import { definedOf } from "../../shared/defined-of.ts";
import { parseJson } from "../../shared/json.ts";
import type { Terminal } from "../terminal.ts";
import { queuedOf } from "./queued-pull-request.ts";

/** What the variables of a CI service say about the commit. */
type CiFacts = Partial<Pick<Scm, "owner" | "repo" | "sha" | "pr" | "branch" | "fromFork">>;
type Env = Terminal["env"];

/** Reads the facts of the CI service that runs this process. Returns null for unknown ones. */
export async function readCiFacts(env: Env): Promise<CiFacts | null> {
  if (env.GITHUB_ACTIONS === "true") return readActionsFacts(env, await readEvent(env.GITHUB_EVENT_PATH));
  if (env.GITLAB_CI === "true") return readGitlabFacts(env);
  if (env.BITBUCKET_BUILD_NUMBER) return readBitbucketFacts(env);
  if (env.TF_BUILD) return readAzureFacts(env);
  if (env.SEMAPHORE) return readSemaphoreFacts(env);
  if (env.BUILDKITE) return readBuildkiteFacts(env);
  return env.CIRCLECI ? readCircleFacts(env) : null;
}

/** Returns the target branch of the pull request, from the variables of the CI service. */
export function targetBranchOf(env: Env): string | undefined {
  const target =
    env.GITHUB_BASE_REF ||
    env.CI_MERGE_REQUEST_TARGET_BRANCH_NAME ||
    env.BITBUCKET_PR_DESTINATION_BRANCH ||
    env.SYSTEM_PULLREQUEST_TARGETBRANCH ||
    env.BUILDKITE_PULL_REQUEST_BASE_BRANCH ||
    (env.SEMAPHORE_GIT_PR_NUMBER && env.SEMAPHORE_GIT_BRANCH);
  return target ? withoutPrefix(target) : undefined;
}

const pullRequestEvent = z.object({
  pull_request: z.object({
    number: z.int().positive(),
    head: z.object({ sha: z.string(), ref: z.string() }),
  }),
});

/** The event of a workflow that runs after another one. It is about the commit of that one. */
const workflowRunEvent = z.object({
  workflow_run: z.object({
    event: z.string(),
    head_sha: z.string(),
    head_branch: z.string(),
    head_repository: z.object({ full_name: z.string() }),
    /** Without those of forks. */
    pull_requests: z.array(z.object({ number: z.int().positive() })),
  }),
});

const eventSchema = z.union([pullRequestEvent, workflowRunEvent]);
type Event = z.infer<typeof eventSchema>;

async function readEvent(path: string | undefined): Promise<Event | null> {
  if (!path) return null;
  const text = await readFile(path, "utf8").catch(() => "null");
  const read = eventSchema.safeParse(parseJson(text));
  return read.success ? read.data : null;
}

/** @param event null for a run without a pull request */
export function readActionsFacts(env: Env, event: Event | null): CiFacts {
  const [owner, repo] = (env.GITHUB_REPOSITORY ?? "").split("/");
  const repository = definedOf({ owner, repo });
  if (event && "workflow_run" in event) return { ...repository, ...ofEarlierRun(env, event.workflow_run) };
  // GITHUB_SHA is then a temporary merge of both branches, which was never pushed.
  if (event) {
    const { number: pr, head } = event.pull_request;
    return { ...repository, pr, sha: head.sha, branch: head.ref };
  }
  const branch = env.GITHUB_REF?.startsWith("refs/heads/") ? env.GITHUB_REF_NAME : undefined;
  const pr = queuedOf(branch ?? "")?.pr;
  return definedOf({ ...repository, sha: env.GITHUB_SHA, branch, pr });
}

/** Returns the commit of the run that triggered `workflow_run`. GITHUB_SHA is the default branch's. */
function ofEarlierRun(
  env: Env,
  { event, head_sha: sha, head_branch, head_repository, pull_requests }: WorkflowRun,
): CiFacts {
  const { full_name: head } = head_repository;
  if (head.toLowerCase() !== env.GITHUB_REPOSITORY?.toLowerCase()) {
    // As GitHub writes it. The branch of a fork may have the name of one in this repository.
    return { sha, branch: `${head.split("/")[0]}:${head_branch}`, fromFork: true };
  }
  const pr = event.startsWith("pull_request") ? pull_requests[0]?.number : queuedOf(head_branch)?.pr;
  return { sha, branch: head_branch, ...(pr !== undefined && { pr }) };
}

type WorkflowRun = z.infer<typeof workflowRunEvent>["workflow_run"];

export function readGitlabFacts(env: Env): CiFacts {
  return {
    ...definedOf({
      owner: env.CI_PROJECT_NAMESPACE,
      repo: env.CI_PROJECT_NAME,
      // In a pipeline for merged results, CI_COMMIT_SHA was never pushed.
      sha: env.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA || env.CI_COMMIT_SHA,
      branch: env.CI_MERGE_REQUEST_SOURCE_BRANCH_NAME || env.CI_COMMIT_BRANCH,
    }),
    ...pullRequestOf(env.CI_MERGE_REQUEST_IID),
  };
}

export function readBitbucketFacts(env: Env): CiFacts {
  return {
    ...definedOf({
      owner: env.BITBUCKET_WORKSPACE,
      repo: env.BITBUCKET_REPO_SLUG,
      // In a pipeline for a pull request, HEAD is a temporary merge of both branches.
      sha: env.BITBUCKET_COMMIT,
      branch: env.BITBUCKET_BRANCH,
    }),
    ...pullRequestOf(env.BITBUCKET_PR_ID),
  };
}

// The services below host no code. The repository, and mostly the commit, are those of git.

function readAzureFacts(env: Env): CiFacts {
  const { BUILD_SOURCEBRANCH: pushed = "" } = env;
  return {
    ...definedOf({
      // In a build of a pull request, HEAD is a temporary merge of both branches.
      sha: env.SYSTEM_PULLREQUEST_SOURCECOMMITID,
      branch: withoutPrefix(
        env.SYSTEM_PULLREQUEST_SOURCEBRANCH || (pushed.startsWith("refs/heads/") ? pushed : ""),
      ),
    }),
    // GitHub's pull requests have a number beside the id. Those of Azure Repos have only the id.
    ...pullRequestOf(env.SYSTEM_PULLREQUEST_PULLREQUESTNUMBER || env.SYSTEM_PULLREQUEST_PULLREQUESTID),
  };
}

function readSemaphoreFacts(env: Env): CiFacts {
  return {
    ...definedOf({
      sha: env.SEMAPHORE_GIT_PR_SHA,
      // In a workflow for a pull request, SEMAPHORE_GIT_BRANCH is the target.
      branch: env.SEMAPHORE_GIT_WORKING_BRANCH || env.SEMAPHORE_GIT_BRANCH,
    }),
    ...pullRequestOf(env.SEMAPHORE_GIT_PR_NUMBER),
  };
}

function readBuildkiteFacts(env: Env): CiFacts {
  return { ...definedOf({ branch: env.BUILDKITE_BRANCH }), ...pullRequestOf(env.BUILDKITE_PULL_REQUEST) };
}

function readCircleFacts(env: Env): CiFacts {
  // CIRCLE_PULL_REQUEST is also set on a branch that is only the source of a pull request.
  return { ...definedOf({ branch: env.CIRCLE_BRANCH }), ...pullRequestOf(env.CIRCLE_PR_NUMBER) };
}

/** @param number such as `12`, or `false` without a pull request */
function pullRequestOf(number: string | undefined): Pick<CiFacts, "pr"> {
  const pr = Number(number);
  return Number.isInteger(pr) && pr > 0 ? { pr } : {};
}

function withoutPrefix(ref: string): string {
  return ref.replace(/^refs\/heads\//, "");
}
