import assert from "node:assert/strict";
import { renewed } from "../../../cli/upload/actions-access.ts";
import { buildBody } from "../../../cli/upload/build-body.ts";
import { shardOf } from "../../../cli/upload/shard-of.ts";
import { projectConfigSchema } from "../../../shared/project-config/project-config.ts";

describe("the job of a build that several jobs upload", () => {
  it("is read from the option and from --nonce", () => {
    assert.deepEqual(shardOf("2/4", "x", {}), { nonce: "x", index: 2, total: 4 });
    for (const wrong of ["0/4", "5/4", "2", "a/b", "1/501", ""])
      assert.throws(() => shardOf(wrong, "x", {}), { code: "usage", message: /such as 2\/4/ });
    assert.throws(() => shardOf("1/2", undefined, {}), /--nonce/);
  });

  it("is read from the variables of CI services", () => {
    const github = { GITHUB_ACTIONS: "true", GITHUB_RUN_ID: "7", GITHUB_RUN_ATTEMPT: "2" };
    assert.deepEqual(shardOf("1/2", undefined, github), { nonce: "7-2", index: 1, total: 2 });
    assert.throws(() => shardOf("auto", undefined, github), /--parallel 2\/4/);
    const gitlab = { GITLAB_CI: "true", CI_PIPELINE_ID: "8", CI_NODE_INDEX: "3", CI_NODE_TOTAL: "3" };
    assert.deepEqual(shardOf("auto", undefined, gitlab), { nonce: "8", index: 3, total: 3 });
    const circle = {
      CIRCLECI: "true",
      CIRCLE_WORKFLOW_ID: "w",
      CIRCLE_NODE_INDEX: "0",
      CIRCLE_NODE_TOTAL: "2",
    };
    assert.deepEqual(shardOf("auto", "own", circle), { nonce: "own", index: 1, total: 2 });
    const buildkite = {
      BUILDKITE: "true",
      BUILDKITE_BUILD_ID: "b",
      BUILDKITE_PARALLEL_JOB: "1",
      BUILDKITE_PARALLEL_JOB_COUNT: "2",
    };
    assert.deepEqual(shardOf("auto", undefined, buildkite), { nonce: "b", index: 2, total: 2 });
  });
});

describe("the body of a build", () => {
  const config = { ...projectConfigSchema.parse({ threshold: 0.2 }), plugins: [] };
  const scm = { owner: "acme", repo: "shop", sha: "a".repeat(40) };

  it("has the commit, and options before the configuration", () => {
    const commit = { scm, branch: "work", isDirty: false };
    const body = buildBody({ subset: true, name: "ui", threshold: "0" }, config, commit, null);
    assert.deepEqual(body, {
      ...{ name: "ui", branch: "work", scm: { ...scm, branch: "work" } },
      ...{ threshold: 0, subset: true },
    });
    const other = buildBody({ subset: false, branch: "main" }, config, commit, {
      ...{ nonce: "x", index: 2, total: 3 },
    });
    assert.deepEqual(
      [other.threshold, other.branch, other.parallel, other.shard],
      [0.2, "main", { nonce: "x", total: 3 }, "2"],
    );
  });

  it("needs a project, and names invalid options", () => {
    const commit = { scm: null, branch: null, isDirty: false };
    assert.throws(() => buildBody({ subset: false }, config, commit, null), /Add --project/);
    assert.throws(
      () => buildBody({ subset: false, project: "shop", name: "a/b" }, config, commit, null),
      /"name" must not contain \/ or #/,
    );
  });
});

describe("the short-lived keys of a job", () => {
  const keyFor = (index: number, seconds: number) => ({
    key: `key-${index}`,
    project: "shop",
    expiresAt: new Date(Date.now() + seconds * 1_000).toISOString(),
  });

  it("are requested once by concurrent callers, and again before they expire", async () => {
    let requests = 0;
    const keyNow = renewed(async () => {
      requests += 1;
      return keyFor(requests, 600);
    });
    assert.deepEqual(await Promise.all([keyNow(), keyNow()]), ["key-1", "key-1"]);
    assert.equal(await keyNow(), "key-1");

    let shortRequests = 0;
    const short = renewed(async () => {
      shortRequests += 1;
      if (shortRequests === 2) throw new Error("refused");
      return keyFor(shortRequests, 119);
    });
    assert.equal(await short(), "key-1");
    await assert.rejects(short(), /refused/);
    assert.equal(await short(), "key-3");
  });
});
