import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readChangedFiles } from "../../../cli/check/changed-files.ts";
import { readCiFacts, targetBranchOf } from "../../../cli/cloud/ci-facts.ts";
import { readCommit } from "../../../cli/cloud/commit.ts";
import { readHistory } from "../../../cli/cloud/history.ts";
import { gitLine } from "../../../cli/git.ts";

const SHA = "0123456789abcdef0123456789abcdef01234567";
const HEAD = "89abcdef0123456789abcdef0123456789abcdef";

describe("the variables of a CI service", () => {
  let cwd: string;
  const git = async (...args: string[]) => {
    const line = await gitLine(cwd, ["-c", "user.name=A", "-c", "user.email=a@b.c", ...args]);
    return line ?? assert.fail(args.join(" "));
  };
  const commit = (message: string) => git("commit", "-q", "--allow-empty", "-m", message);

  // The remote's main branch has one commit more than the local one, and the detached HEAD has another one.
  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), "vrs-git-"));
    await git("init", "-q", "-b", "main");
    await git("remote", "add", "origin", "https://code.example/acme/shop.git");
    await commit("Start");
    await git("checkout", "-q", "--detach");
    await commit("Main");
    await git("update-ref", "refs/remotes/origin/main", "HEAD");
    await git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main");
    await git("checkout", "-q", "--detach", "main");
    await commit("Change");
  });
  afterEach(() => rm(cwd, { recursive: true }));

  it("name the branch and the pull request where git has neither", async () => {
    const builds: [Record<string, string>, object][] = [
      [{ BUILDKITE: "true", BUILDKITE_BRANCH: "main", BUILDKITE_PULL_REQUEST: "false" }, { branch: "main" }],
      [
        { BUILDKITE: "true", BUILDKITE_BRANCH: "fix", BUILDKITE_PULL_REQUEST: "12" },
        { branch: "fix", pr: 12 },
      ],
      [{ CIRCLECI: "true", CIRCLE_BRANCH: "fix" }, { branch: "fix" }],
      [
        { CIRCLECI: "true", CIRCLE_BRANCH: "pull/12", CIRCLE_PR_NUMBER: "12" },
        { branch: "pull/12", pr: 12 },
      ],
      [{ SEMAPHORE: "true", SEMAPHORE_GIT_BRANCH: "fix" }, { branch: "fix" }],
      [
        {
          ...{ SEMAPHORE: "true", SEMAPHORE_GIT_BRANCH: "main", SEMAPHORE_GIT_WORKING_BRANCH: "fix" },
          ...{ SEMAPHORE_GIT_PR_NUMBER: "12", SEMAPHORE_GIT_PR_SHA: HEAD },
        },
        { branch: "fix", pr: 12, sha: HEAD },
      ],
      [{ TF_BUILD: "True", BUILD_SOURCEBRANCH: "refs/heads/a/fix" }, { branch: "a/fix" }],
      [{ TF_BUILD: "True", BUILD_SOURCEBRANCH: "refs/tags/v1" }, {}],
      [
        {
          ...{ TF_BUILD: "True", BUILD_SOURCEBRANCH: "refs/pull/12/merge" },
          ...{ SYSTEM_PULLREQUEST_SOURCEBRANCH: "fix", SYSTEM_PULLREQUEST_SOURCECOMMITID: HEAD },
          ...{ SYSTEM_PULLREQUEST_PULLREQUESTNUMBER: "12", SYSTEM_PULLREQUEST_PULLREQUESTID: "9876" },
        },
        { branch: "fix", pr: 12, sha: HEAD },
      ],
    ];
    for (const [env, facts] of builds) assert.deepEqual(await readCiFacts(env), facts, JSON.stringify(env));
    const env = { BUILDKITE: "true", BUILDKITE_BRANCH: "fix", BUILDKITE_PULL_REQUEST: "12" };
    const { scm, branch } = await readCommit({ cwd, env });
    assert.deepEqual(
      [scm, branch],
      [
        {
          ...{ owner: "acme", repo: "shop", sha: await git("rev-parse", "HEAD"), pr: 12 },
          ...{ branch: "fix", message: "Change" },
        },
        "fix",
      ],
    );
  });

  it("name the target of the pull request", async () => {
    const targets: [Record<string, string>, string | undefined][] = [
      [{ BITBUCKET_PR_DESTINATION_BRANCH: "release" }, "release"],
      [{ BUILDKITE_PULL_REQUEST_BASE_BRANCH: "release" }, "release"],
      [{ BUILDKITE_PULL_REQUEST_BASE_BRANCH: "" }, undefined],
      [{ SYSTEM_PULLREQUEST_TARGETBRANCH: "refs/heads/release" }, "release"],
      [{ SEMAPHORE_GIT_PR_NUMBER: "12", SEMAPHORE_GIT_BRANCH: "release" }, "release"],
      [{ SEMAPHORE_GIT_BRANCH: "release" }, undefined],
    ];
    for (const [env, target] of targets) assert.equal(targetBranchOf(env), target, JSON.stringify(env));
    const release = await git("rev-parse", "HEAD");
    await git("update-ref", "refs/remotes/origin/release", release);
    await writeFile(join(cwd, "new.css"), "");
    const env = {
      BITBUCKET_BUILD_NUMBER: "7",
      BITBUCKET_BRANCH: "fix",
      BITBUCKET_PR_DESTINATION_BRANCH: "release",
    };
    assert.deepEqual(await readHistory({ cwd, env }, await readCommit({ cwd, env }), undefined), {
      ...{ baseBranch: "release", baseSha: release, missingShas: [] },
    });
    assert.deepEqual(await readChangedFiles(cwd, env, undefined), { since: release, paths: ["new.css"] });
  });

  it("have the merge base of a pull request from the fork's branch of the same name", async () => {
    const env = { GITLAB_CI: "true", CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: "main" };
    const historyOf = async (variables: Record<string, string>) =>
      readHistory({ cwd, env: variables }, await readCommit({ cwd, env: variables }), undefined);
    assert.deepEqual(await historyOf(env), {}, "a push to the default branch has no base");
    assert.deepEqual(await historyOf({ ...env, CI_MERGE_REQUEST_IID: "12" }), {
      baseSha: await git("rev-parse", "main"),
      missingShas: [await git("rev-parse", "origin/main")],
    });
  });

  /** A job of GitHub Actions that runs after another workflow. GITHUB_SHA and GITHUB_REF are the default branch's. */
  async function afterWorkflow(run: object): Promise<Record<string, string>> {
    const head_repository = { full_name: "acme/shop" };
    const common = { event: "pull_request", head_sha: HEAD, head_branch: "fix", head_repository };
    const path = join(cwd, "event.json");
    await writeFile(path, JSON.stringify({ workflow_run: { ...common, pull_requests: [], ...run } }));
    return {
      ...{ GITHUB_ACTIONS: "true", GITHUB_REPOSITORY: "acme/shop", GITHUB_EVENT_PATH: path },
      ...{ GITHUB_EVENT_NAME: "workflow_run", GITHUB_SHA: SHA },
      ...{ GITHUB_REF: "refs/heads/main", GITHUB_REF_NAME: "main" },
    };
  }

  it("name the commit of the workflow that ran before, and the owner of a fork's branch", async () => {
    const factsOf = async (run: object) => readCiFacts(await afterWorkflow(run));
    const repository = { owner: "acme", repo: "shop" };
    const pull_requests = [{ number: 12 }];
    assert.deepEqual(await factsOf({ pull_requests }), { ...repository, sha: HEAD, branch: "fix", pr: 12 });
    // Its branch is also the source of a pull request, which this run isn't about.
    assert.deepEqual(await factsOf({ event: "push", head_branch: "main", pull_requests }), {
      ...{ ...repository, sha: HEAD, branch: "main" },
    });
    const queue = `gh-readonly-queue/main/pr-12-${SHA}`;
    assert.deepEqual(await factsOf({ event: "merge_group", head_branch: queue }), {
      ...{ ...repository, sha: HEAD, branch: queue, pr: 12 },
    });
    assert.deepEqual(await factsOf({ head_branch: "main", head_repository: { full_name: "eve/shop" } }), {
      ...{ ...repository, sha: HEAD, branch: "eve:main", fromFork: true },
    });
  });

  it("have no history if the job of workflow_run has checked out another commit", async () => {
    const historyOf = async (run: object) => {
      const env = await afterWorkflow(run);
      return readHistory({ cwd, env }, await readCommit({ cwd, env }), undefined);
    };
    assert.deepEqual(await historyOf({}), {});
    const { baseSha } = await historyOf({ head_sha: await git("rev-parse", "HEAD") });
    assert.equal(baseSha, await git("rev-parse", "main"));
  });
});
