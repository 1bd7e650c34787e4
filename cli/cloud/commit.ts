import { readFile } from "node:fs/promises";
import { z } from "zod";
import { type Scm, scmInput } from "../../shared/contracts/code-host/scm.ts";
import { definedOf } from "../../shared/defined-of.ts";
import { parseJson } from "../../shared/json.ts";
import { gitLine } from "../git.ts";
import type { Terminal } from "../terminal.ts";
import { queuedOf } from "./queued-pull-request.ts";

/** git answers in milliseconds, or in seconds for a huge repository. */
const GIT_WITHIN_MS = 20_000;
const WHOLE_SHA = /^([0-9a-f]{40}|[0-9a-f]{64})$/;
/** Of the first line of a commit's message, as the service takes it. */
const MESSAGE_CHARS = 200;

/** The commit of the run, as far as it is known. */
export interface Commit {
  /** Null if the repository or the hash is unknown. */
  scm: Scm | null;
  branch: string | null;
  /** Whether the working tree differs from the commit. */
  isDirty: boolean;
}

/** Facts from the variables of a CI service. */
type CiFacts = Partial<Pick<Scm, "owner" | "repo" | "sha" | "pr" | "branch">>;

/** Reads the commit from the CI service's variables, and missing facts from git. */
export async function readCommit({ cwd, env }: Pick<Terminal, "cwd" | "env">): Promise<Commit> {
  const given = await readCiFacts(env);
  const readGit = (...args: string[]) => gitLine(cwd, args, { withinMs: GIT_WITHIN_MS });
  // Bitbucket's pipelines for pull requests name only the start of a SHA.
  const isStart = given?.sha !== undefined && !WHOLE_SHA.test(given.sha);
  const whole = isStart ? await readGit("rev-parse", "--verify", "-q", `${given.sha}^{commit}`) : null;
  const facts = given && { ...given, ...(whole && { sha: whole }) };
  const [sha, branch, remote, changes] = await Promise.all([
    readGit("rev-parse", "HEAD"),
    readGit("symbolic-ref", "--short", "-q", "HEAD"),
    readGit("remote", "get-url", "origin"),
    facts ? null : readGit("status", "--porcelain", "--untracked-files=no"),
  ]);
  const named = facts?.branch || branch || env.BRANCH_NAME || env.GIT_BRANCH?.replace(/^origin\//, "");
  const read = scmInput.safeParse({
    ...repositoryOf(remote),
    sha: sha || undefined,
    ...definedOf(facts ?? {}),
    ...(named && { branch: named }),
  });
  const scm = read.success ? read.data : null;
  // The commit may not be there: CI services often fetch only the one that they test.
  const subject = scm && (await readGit("log", "-1", "--format=%s", "--end-of-options", scm.sha));
  const message = subject?.slice(0, MESSAGE_CHARS).trim();
  return {
    scm: scm && { ...scm, ...(message && { message }) },
    branch: named || null,
    isDirty: Boolean(changes),
  };
}

/** Returns null for unknown CI services. */
async function readCiFacts(env: Terminal["env"]): Promise<CiFacts | null> {
  if (env.GITHUB_ACTIONS === "true") return readActionsFacts(env, await readEvent(env.GITHUB_EVENT_PATH));
  if (env.GITLAB_CI === "true") return readGitlabFacts(env);
  return env.BITBUCKET_BUILD_NUMBER ? readBitbucketFacts(env) : null;
}

const eventSchema = z.object({
  pull_request: z.object({
    number: z.int().positive(),
    head: z.object({ sha: z.string(), ref: z.string() }),
  }),
});

type Event = z.infer<typeof eventSchema>;

/** @param event null for a run without a pull request */
export function readActionsFacts(env: Terminal["env"], event: Event | null): CiFacts {
  const [owner, repo] = (env.GITHUB_REPOSITORY ?? "").split("/");
  const repository = { owner, repo };
  // GITHUB_SHA is then a temporary merge of both branches, which was never pushed.
  if (event) {
    const { number: pr, head } = event.pull_request;
    return { ...definedOf(repository), pr, sha: head.sha, branch: head.ref };
  }
  const branch = env.GITHUB_REF?.startsWith("refs/heads/") ? env.GITHUB_REF_NAME : undefined;
  const pr = queuedOf(branch ?? "")?.pr;
  return definedOf({ ...repository, sha: env.GITHUB_SHA, branch, pr });
}

export function readGitlabFacts(env: Terminal["env"]): CiFacts {
  const pr = Number(env.CI_MERGE_REQUEST_IID);
  return {
    ...definedOf({
      owner: env.CI_PROJECT_NAMESPACE,
      repo: env.CI_PROJECT_NAME,
      // In a pipeline for merged results, CI_COMMIT_SHA was never pushed.
      sha: env.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA || env.CI_COMMIT_SHA,
      branch: env.CI_MERGE_REQUEST_SOURCE_BRANCH_NAME || env.CI_COMMIT_BRANCH,
    }),
    ...(pr > 0 && { pr }),
  };
}

export function readBitbucketFacts(env: Terminal["env"]): CiFacts {
  const pr = Number(env.BITBUCKET_PR_ID);
  return {
    ...definedOf({
      owner: env.BITBUCKET_WORKSPACE,
      repo: env.BITBUCKET_REPO_SLUG,
      // In a pipeline for a pull request, HEAD is a temporary merge of both branches.
      sha: env.BITBUCKET_COMMIT,
      branch: env.BITBUCKET_BRANCH,
    }),
    ...(pr > 0 && { pr }),
  };
}

/** Parses owner and name from a remote URL such as `git@host:owner/repo.git`. */
export function repositoryOf(remote: string | null): Pick<Scm, "owner" | "repo"> | null {
  if (remote === null) return null;
  const path = URL.parse(remote)?.pathname ?? /^[^/]+@[^/:]+:(.+)$/.exec(remote)?.[1] ?? "";
  const [, owner, repo] = /^\/?(.+)\/([^/]+?)(?:\.git)?\/?$/.exec(path) ?? [];
  return owner && repo ? { owner, repo } : null;
}

async function readEvent(path: string | undefined): Promise<Event | null> {
  if (!path) return null;
  const text = await readFile(path, "utf8").catch(() => "null");
  const read = eventSchema.safeParse(parseJson(text));
  return read.success ? read.data : null;
}
