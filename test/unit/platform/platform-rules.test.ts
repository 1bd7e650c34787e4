import assert from "node:assert/strict";
import { readEvent } from "../../../services/platform/deliveries/platform-event.rule.ts";
import { gitMetadata, runRequest } from "../../../services/platform/deliveries/run-request.rule.ts";
import { nextUrl } from "../../../services/platform/installs/install-integration.ts";
import { readyEvent, SHA } from "../../support/fixtures/platform-events.ts";

const [SHA2, URL] = ["f".repeat(40), "https://app-1.previews.example"];
const eventOf = (value: unknown) => {
  const event = readEvent(Buffer.from(JSON.stringify(value)));
  assert.ok(event);
  return event;
};

describe("The git metadata of a deployment", () => {
  const full = { scmCommitSha: SHA, scmOrg: "acme", scmRepo: "shop", scmPrId: "7", scmCommitRef: "topic" };
  const scm = { owner: "acme", repo: "shop", sha: SHA, pr: 7, branch: "topic" };
  const { pr: _pr, ...withoutPr } = scm;
  const { branch: _branch, ...withoutBranch } = scm;
  const { scmPrId: _id, ...branchOnly } = full;
  const { scmCommitRef: _ref, ...prOnly } = full;
  const { scmCommitSha: _sha, ...noSha } = full;
  const { scmOrg: _org, ...noOrg } = full;
  const { scmRepo: _repo, ...noRepo } = full;
  const names = {
    scmCommitAuthorLogin: "octocat",
    scmCommitAuthorName: "Octo Cat",
    gitCommitAuthorName: "Octo Cat <3",
  };

  const cases: [string, object, object | null, string | null][] = [
    ["is taken from the platform's own names", full, scm, "topic"],
    ["has a branch where it has no pull request", branchOnly, withoutPr, "topic"],
    ["has a pull request without a branch", prOnly, withoutBranch, null],
    ["takes numbers as well as texts", { ...full, scmPrId: 7, scmOrg: 17 }, { ...scm, owner: "17" }, "topic"],
    ["has the author's login", { ...full, ...names }, { ...scm, author: "octocat" }, "topic"],
    [
      "falls back to the author's name",
      { ...full, ...names, scmCommitAuthorLogin: "" },
      { ...scm, author: "Octo Cat" },
      "topic",
    ],
    [
      "leaves an author out that cannot be shown",
      { ...full, scmCommitAuthorLogin: "a\u0007", gitCommitAuthorName: "x".repeat(101) },
      scm,
      "topic",
    ],
    ["falls back to git's commit", { ...noSha, gitCommitSha: SHA2 }, { ...scm, sha: SHA2 }, "topic"],
    ["prefers its own commit", { ...full, gitCommitSha: SHA2 }, scm, "topic"],
    [
      "passes an empty value by",
      { ...full, scmCommitSha: "", gitCommitSha: SHA2 },
      { ...scm, sha: SHA2 },
      "topic",
    ],
    [
      "passes a value of another kind by",
      { ...full, scmCommitSha: {}, gitCommitSha: SHA2 },
      { ...scm, sha: SHA2 },
      "topic",
    ],
    [
      "falls back to the commit's owner",
      { ...noOrg, scmCommitOrg: "other" },
      { ...scm, owner: "other" },
      "topic",
    ],
    ["prefers the owner", { ...full, scmCommitOrg: "other" }, scm, "topic"],
    [
      "falls back to the commit's repository",
      { ...noRepo, scmCommitRepo: "other" },
      { ...scm, repo: "other" },
      "topic",
    ],
    ["prefers the repository", { ...full, scmCommitRepo: "other" }, scm, "topic"],
    ["falls back to git's branch", { ...prOnly, gitCommitRef: "git" }, { ...scm, branch: "git" }, "git"],
    ["prefers its own branch", { ...full, gitCommitRef: "git" }, scm, "topic"],
    ["takes a pull request that is no number for none", { ...full, scmPrId: "topic" }, withoutPr, "topic"],
    ["takes one that is 0, negative or a fraction for none", { ...full, scmPrId: 0 }, withoutPr, "topic"],
    ["drops a branch that no branch is called", { ...full, scmCommitRef: "a\nb" }, withoutBranch, null],
    ["is absent without a commit", noSha, null, "topic"],
    ["is absent without an owner", noOrg, null, "topic"],
    ["is absent without a repository", noRepo, null, "topic"],
    ["is absent with a commit that is none", { ...full, scmCommitSha: "main" }, null, "topic"],
    ["is absent with an owner that is longer than any", { ...full, scmOrg: "a".repeat(101) }, null, "topic"],
    [
      "of a provider that is not mapped is a branch at most",
      { gitCommitSha: SHA, gitCommitRef: "topic" },
      null,
      "topic",
    ],
    ["of a deployment from the command line is nothing", {}, null, null],
  ];
  for (const [name, meta, expected, branch] of cases)
    it(name, () => {
      assert.deepEqual(gitMetadata({ ...meta }, "scm"), { scm: expected, branch });
    });

  it("can have another platform's names", () => {
    const other = {
      hubCommitSha: SHA,
      hubCommitOrg: "acme",
      hubRepo: "shop",
      hubPrId: "7",
      hubCommitRef: "topic",
    };
    assert.deepEqual(gitMetadata(other, "hub").scm, scm);
    assert.equal(gitMetadata(other, "scm").scm, null);
  });

  it("ignores inherited properties", () => {
    assert.deepEqual(gitMetadata(Object.create(full), "scm"), { scm: null, branch: null });
  });
});

describe("The run of a deployment", () => {
  const options = { url: URL, routes: [], routesFromConfig: false, metaPrefix: "scm" };
  const meta = { scmCommitSha: SHA, scmOrg: "acme", scmRepo: "shop" };
  const keyOf = (event: object) => runRequest(eventOf(event), options).idempotencyKey;

  it("captures only / unless routes are set, and leaves the routes to the configuration if a setting says so", () => {
    const event = eventOf(readyEvent({ deployment: { meta } }));
    assert.deepEqual(runRequest(event, options).body, {
      url: URL,
      routes: ["/"],
      partial: true,
      scm: { owner: "acme", repo: "shop", sha: SHA },
    });
    for (const routesFromConfig of [false, true]) {
      const { body } = runRequest(event, { ...options, routesFromConfig, routes: ["/a"] });
      assert.deepEqual([body.routes, body.partial], [["/a"], undefined]);
    }
    const { body } = runRequest(event, { ...options, routesFromConfig: true });
    assert.deepEqual([body.routes, body.partial], [undefined, undefined]);
  });

  it("without a repository keeps its baselines under the platform's project and branch", () => {
    const named = eventOf(readyEvent({ deployment: { meta: { gitCommitRef: "topic" } } }));
    assert.deepEqual(runRequest(named, options).body, {
      url: URL,
      routes: ["/"],
      partial: true,
      project: "shop",
      branch: "topic",
    });
    const unnamed = eventOf(readyEvent({ deployment: { name: 5 } }));
    assert.equal(runRequest(unnamed, options).body.project, "prj_unknown");
    const long = eventOf(readyEvent({ payload: { name: "x".repeat(201) } }));
    assert.equal(runRequest(long, options).body.project, undefined);
  });

  it("is the same for a repeated delivery, and for the other event of a deployment without a commit", () => {
    const deployment = { id: "dpl_same", meta: {} };
    const first = keyOf(readyEvent({ deployment }));
    assert.match(first ?? "", /^platform-[0-9a-f]{64}$/);
    assert.equal(keyOf(readyEvent({ deployment, type: "deployment.ready" })), first);
    assert.notEqual(keyOf(readyEvent({ deployment: { ...deployment, id: "dpl_other" } })), first);
    const commit = { id: "dpl_same", meta };
    assert.equal(
      keyOf(readyEvent({ id: "a", deployment: commit })),
      keyOf(readyEvent({ id: "a", deployment: commit })),
    );
    assert.notEqual(
      keyOf(readyEvent({ id: "a", deployment: commit })),
      keyOf(readyEvent({ id: "b", deployment: commit })),
    );
    assert.equal(keyOf(readyEvent({ id: null, deployment: { id: null } })), null);
  });
});

describe("The URL after an installation", () => {
  const [platform, own] = ["https://platform.example/new", "https://vrs.example/base"];
  const page = `${own}/api/installed`;
  const cases: [string | null, string][] = [
    ["https://platform.example/a?b=c#d", "https://platform.example/a?b=c#d"],
    ["HTTPS://PLATFORM.EXAMPLE/a", "https://platform.example/a"],
    ["https://platform.example:443/a", "https://platform.example/a"],
    ["https://vrs.example/docs", "https://vrs.example/docs"],
    [null, page],
    ["", page],
    ["/docs", page],
    ["//platform.example", page],
    ["https://evil.example", page],
    ["https://evil.example/https://platform.example", page],
    ["https://platform.example.evil.example", page],
    ["https://evilplatform.example", page],
    ["https://platform.example@evil.example", page],
    ["https://user@platform.example/a", page],
    ["https://platform.example:8443/a", page],
    ["http://platform.example/a", page],
    ["https://platform.example\\@evil.example", page],
    ["https:\\\\platform.example", page],
    ["https://platform.example/\r\nSet-Cookie: a=b", page],
    ["h\tttps://platform.example", page],
    [" https://platform.example", page],
    ["javascript:alert(1)", page],
    ["data:text/html,https://platform.example", page],
  ];
  for (const [asked, expected] of cases)
    it(`for ${JSON.stringify(asked)} is ${expected}`, () => {
      assert.equal(nextUrl(asked, [platform, own], page), expected);
    });
});
