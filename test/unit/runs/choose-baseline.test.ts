import assert from "node:assert/strict";
import { chooseBaseline } from "../../../services/runs/baselines/choose-baseline.rule.ts";
import {
  branchScope,
  defaultBranchFor,
  describeScope,
  scopeOf,
} from "../../../services/runs/baselines/scope.rule.ts";
import { classifyCapture, mayCarry } from "../../../services/runs/capture/classify-capture.rule.ts";

/** The latest approval in a scope; of no pixels where a removal was approved. */
const approval = (scope: string, hash: string | null) => ({
  scope,
  runId: `run of ${scope}`,
  hash,
  ...(hash === null
    ? { width: null, height: null, browser: null, rendering: null }
    : { width: 1280, height: 900, browser: "Chromium 153", rendering: null }),
});

describe("a run's scope", () => {
  it("is its pull request, else its branch, else the default branch", () => {
    const scm = { owner: "acme", repo: "shop", sha: "abcdef0" };
    assert.equal(scopeOf({ branch: "topic", scm: { ...scm, pr: 7 } }, "main"), "pr:7");
    assert.equal(scopeOf({ branch: "topic", scm }, "main"), "branch:topic");
    assert.equal(scopeOf({ branch: null, scm }, "trunk"), "branch:trunk");
    assert.equal(scopeOf({ branch: null, scm: null }, "main"), "branch:main");
  });

  it("is told in words", () => {
    assert.equal(describeScope("pr:7"), "pull request #7");
    assert.equal(describeScope(branchScope("pr:7")), "pr:7");
    assert.equal(describeScope(branchScope("feature/x")), "feature/x");
  });

  it("cannot be another's by a branch's name", () => {
    assert.notEqual(scopeOf({ branch: "pr:7", scm: null }, "main"), "pr:7");
  });

  it("lets a project's first run declare a usual default branch only", () => {
    assert.deepEqual(["master", "develop", "topic", null].map(defaultBranchFor), [
      "master",
      "develop",
      "main",
      "main",
    ]);
  });
});

describe("a screenshot's baseline", () => {
  const [main, topic, release] = ["branch:main", "branch:topic", "branch:release/2"];
  const order = { base: main, default: main, own: topic, mergeBase: null };
  const mergeBase = { sha: "0123456789".repeat(4), known: true };

  it("is the default branch's latest, also where the run's own branch has one", () => {
    const chosen = chooseBaseline([approval(topic, "own"), approval(main, "mains")], undefined, order);
    assert.deepEqual(chosen, {
      baselineHash: "mains",
      baselineRunId: "run of branch:main",
      baselineReason: "latest approved on main",
      baselineWidth: 1280,
      baselineHeight: 900,
      baselineBrowser: "Chromium 153",
      baselineRendering: null,
    });
  });

  it("is the run's own branch's where the default branch has none, or approved its removal", () => {
    for (const candidates of [[approval(topic, "own")], [approval(main, null), approval(topic, "own")]]) {
      const chosen = chooseBaseline(candidates, undefined, order);
      assert.equal(chosen.baselineHash, "own");
      assert.equal(chosen.baselineReason, "latest approved on topic");
    }
  });

  it("is none where nobody approved, or only others did, or only a removal", () => {
    for (const candidates of [
      [],
      [approval("pr:9", "others")],
      [approval(main, null), approval(topic, null)],
    ]) {
      assert.deepEqual(new Set(Object.values(chooseBaseline(candidates, undefined, order))), new Set([null]));
    }
  });

  const picked = (...asked: Parameters<typeof chooseBaseline>) => {
    const { baselineHash, baselineReason } = chooseBaseline(...asked);
    return [baselineHash, baselineReason];
  };

  it("is what the branch had at the merge base, where that is known", () => {
    const latest = [approval(main, "now"), approval(topic, "own")];
    assert.deepEqual(picked(latest, approval(main, "then"), { ...order, mergeBase }), [
      "then",
      "approved on main, as of the merge base 0123456",
    ]);
    // Its removal was approved by then, and taken back since.
    assert.deepEqual(picked(latest, approval(main, null), { ...order, mergeBase }), [
      "own",
      "latest approved on topic",
    ]);
  });

  it("is the branch's latest where it had none at the merge base, or that is not known, and says which", () => {
    const latest = [approval(main, "now")];
    assert.deepEqual(picked(latest, undefined, { ...order, mergeBase }), [
      "now",
      "latest approved on main, because it has none as of the merge base 0123456",
    ]);
    for (const sha of [null, mergeBase.sha])
      assert.deepEqual(picked(latest, undefined, { ...order, mergeBase: { sha, known: false } }), [
        "now",
        "latest approved on main, because the state at the merge base is unknown",
      ]);
  });

  it("is the base branch's before the default branch's, and says where it had none", () => {
    const into = { ...order, base: release };
    const mains = approval(main, "mains");
    assert.deepEqual(picked([mains, approval(release, "releases")], undefined, into), [
      "releases",
      "latest approved on release/2",
    ]);
    for (const latest of [[mains], [mains, approval(release, null)]])
      assert.deepEqual(picked(latest, undefined, { ...into, mergeBase }), [
        "mains",
        "latest approved on main, because release/2 has none",
      ]);
  });
});

describe("a capture", () => {
  const order = { base: "branch:main", default: "branch:main", own: "branch:main", mergeBase: null };
  const none = chooseBaseline([], undefined, order);
  const old = chooseBaseline([approval("branch:main", "old")], undefined, order);
  const at = (baseline: typeof old) => ({ ...baseline, ignoreRegions: [] });
  const capture = {
    runId: "run",
    screenshotId: "shot",
    hash: "now",
    width: 1280,
    height: 1000,
    stable: true,
    moving: [],
    attempts: 1,
    cutFromHeight: null,
    browser: "Chromium 154",
    rendering: null,
    timings: { load: 12 },
  };

  it("is new without a baseline, unchanged with equal bytes, else waits for its comparison", () => {
    assert.equal(classifyCapture(at(none), capture, undefined).status, "new");
    assert.equal(classifyCapture(at(old), { ...capture, hash: "old" }, undefined).status, "unchanged");
    assert.equal(classifyCapture(at(old), capture, undefined).status, "pending");
  });

  it("is recorded with its facts beside its baseline's", () => {
    const { screenshotId: _screenshotId, ...facts } = capture;
    assert.deepEqual(classifyCapture(at(old), capture, undefined), {
      id: "shot",
      ...facts,
      movingRegions: [],
      ...old,
      replacedBaseline: null,
      status: "pending",
    });
  });

  it("is noise only where its takes differed outside of ignore regions", () => {
    const [ignored, clock] = [
      { x: 0, y: 0, width: 100, height: 50 },
      { x: 0, y: 60, width: 40, height: 10 },
    ];
    const inside = { x: 50, y: 10, width: 60, height: 20 };
    const record = classifyCapture(
      { ...old, ignoreRegions: [ignored] },
      { ...capture, movingRegions: [inside, clock] },
      undefined,
    );
    assert.deepEqual(record.movingRegions, [clock]);
  });

  it("is unchanged when these pixels were approved where the run belongs, and says so", () => {
    const record = classifyCapture(at(old), capture, approval("pr:7", "now"));
    assert.equal(record.status, "unchanged");
    assert.equal(record.baselineHash, "now");
    assert.equal(record.baselineRunId, "run of pr:7");
    assert.equal(record.baselineReason, "identical screenshot approved on pull request #7");
    assert.deepEqual(record.replacedBaseline, old);
  });

  it("may be spoken for by an approval off the default branch, if its baseline is not these pixels already", () => {
    const [main, topic] = [
      { scope: "branch:main", defaultScope: "branch:main" },
      { scope: "pr:7", defaultScope: "branch:main" },
    ];
    assert.equal(mayCarry(topic, { baselineHash: "old" }, { hash: "now" }), true);
    assert.equal(mayCarry(topic, { baselineHash: null }, { hash: "now" }), true);
    assert.equal(mayCarry(topic, { baselineHash: "now" }, { hash: "now" }), false);
    assert.equal(mayCarry(main, { baselineHash: "old" }, { hash: "now" }), false);
  });
});
