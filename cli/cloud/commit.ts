import { type Scm, scmInput } from "../../shared/contracts/code-host/scm.ts";
import { definedOf } from "../../shared/defined-of.ts";
import { gitLine } from "../git.ts";
import type { Terminal } from "../terminal.ts";
import { readCiFacts } from "./ci-facts.ts";

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

/** Parses owner and name from a remote URL such as `git@host:owner/repo.git`. */
export function repositoryOf(remote: string | null): Pick<Scm, "owner" | "repo"> | null {
  if (remote === null) return null;
  const path = URL.parse(remote)?.pathname ?? /^[^/]+@[^/:]+:(.+)$/.exec(remote)?.[1] ?? "";
  const [, owner, repo] = /^\/?(.+)\/([^/]+?)(?:\.git)?\/?$/.exec(path) ?? [];
  return owner && repo ? { owner, repo } : null;
}
