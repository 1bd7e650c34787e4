import assert from "node:assert/strict";
import { chooseBaseline } from "../../../services/runs/baselines/choose-baseline.rule.ts";
import {
  branchOrPullRequestOf,
  branchScope,
  commitOf,
  defaultBranchFor,
  describeScope,
  scopeOf,
} from "../../../services/runs/baselines/scope.rule.ts";
import { classifyCapture, mayCarry } from "../../../services/runs/capture/classify-capture.rule.ts";
import { NO_DIAGNOSTICS } from "../../../shared/contracts/capture/diagnostics.ts";

/** Returns the latest approval in a scope. The hash is null if a removal was approved. */
const approval = (scope: string, hash: string | null) => ({
  scope,
  runId: `run of ${scope}`,
  hash,
  ...(hash === null
    ? { width: null, height: null, browser: null, rendering: null, selectorRegions: null }
    : { width: 1280, height: 900, browser: "Chromium 153", rendering: null, selectorRegions: null }),
});

describe("scopeOf", () => {
  it("returns the pull request, else the branch, else the default branch", () => {
    const scm = { owner: "acme", repo: "shop", sha: "abcdef0" };
    assert.equal(scopeOf({ branch: "topic", scm: { ...scm, pr: 7 } }, "main"), "pr:7");
    assert.equal(scopeOf({ branch: "topic", scm }, "main"), "branch:topic");
    assert.equal(scopeOf({ branch: null, scm }, "trunk"), "branch:trunk");
    assert.equal(scopeOf({ branch: null, scm: null }, "main"), "branch:main");
  });

  it("describes scopes as text", () => {
    assert.equal(describeScope("pr:7"), "pull request #7");
    assert.equal(describeScope(branchScope("pr:7")), "pr:7");
    assert.equal(describeScope(branchScope("feature/x")), "feature/x");
  });

  it("gives a branch named like a pull request its own scope", () => {
    assert.notEqual(scopeOf({ branch: "pr:7", scm: null }, "main"), "pr:7");
  });

  it("lets a project's first run declare only a usual default branch", () => {
    assert.deepEqual(["main", "master", "trunk", "develop"].map(defaultBranchFor), [
      "main",
      "master",
      "trunk",
      "develop",
    ]);
    assert.deepEqual(["topic", "", null].map(defaultBranchFor), ["main", "main", "main"]);
  });

  const parts: [scope: string, branch: string | null, pr: number | null][] = [
    ["pr:7", null, 7],
    ["branch:main", "main", null],
    ["branch:pr:7", "pr:7", null],
  ];
  for (const [scope, branch, pr] of parts)
    it(`splits ${scope} into its branch or pull request`, () => {
      assert.deepEqual(branchOrPullRequestOf(scope), { branch, pr });
    });
});

describe("commitOf", () => {
  const full = "abcdef0123".repeat(4);
  const cases: [title: string, sha: string, commit: string | null][] = [
    ["a full SHA-1", full, full],
    ["a full SHA-256", "f0".repeat(32), "f0".repeat(32)],
    ["a full SHA in upper case", full.toUpperCase(), full],
    ["an abbreviated SHA", full.slice(0, 7), null],
    ["one digit", "f", null],
    ["one digit too many", `${full}0`, null],
    ["other characters", "g".repeat(40), null],
    ["64 other characters", "g".repeat(64), null],
  ];
  for (const [title, sha, commit] of cases)
    it(`returns ${commit === null ? "null" : "the commit"} for ${title}`, () => {
      assert.equal(commitOf({ owner: "acme", repo: "shop", sha }), commit);
    });

  it("returns null for a run without a commit", () => assert.equal(commitOf(null), null));
});

describe("chooseBaseline", () => {
  const [main, topic, release] = ["branch:main", "branch:topic", "branch:release/2"];
  const order = { base: main, default: main, own: topic, mergeBase: null };
  const mergeBase = { sha: "0123456789".repeat(4), known: true };

  it("prefers the default branch's latest to the own branch's", () => {
    const chosen = chooseBaseline([approval(topic, "own"), approval(main, "mains")], undefined, order);
    assert.deepEqual(chosen, {
      baselineHash: "mains",
      baselineRunId: "run of branch:main",
      baselineReason: "latest approved on main",
      baselineWidth: 1280,
      baselineHeight: 900,
      baselineBrowser: "Chromium 153",
      baselineRendering: null,
      baselineSelectorRegions: null,
    });
  });

  it("uses the own branch's baseline if the default branch has none or approved its removal", () => {
    for (const candidates of [[approval(topic, "own")], [approval(main, null), approval(topic, "own")]]) {
      const chosen = chooseBaseline(candidates, undefined, order);
      assert.equal(chosen.baselineHash, "own");
      assert.equal(chosen.baselineReason, "latest approved on topic");
    }
  });

  it("chooses none without an approval in these scopes", () => {
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

  it("uses the branch's baseline at a known merge base", () => {
    const latest = [approval(main, "now"), approval(topic, "own")];
    assert.deepEqual(picked(latest, approval(main, "then"), { ...order, mergeBase }), [
      "then",
      "approved on main, as of the merge base 0123456",
    ]);
    // The page's removal was approved at that time, and undone since.
    assert.deepEqual(picked(latest, approval(main, null), { ...order, mergeBase }), [
      "own",
      "latest approved on topic",
    ]);
  });

  it("uses the branch's latest without a merge base", () => {
    assert.deepEqual(picked([approval(main, "now")], approval(main, "then"), order), [
      "now",
      "latest approved on main",
    ]);
  });

  it("falls back to the branch's latest, and gives the reason", () => {
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

  it("prefers the base branch to the default branch, and gives the reason for a fallback", () => {
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

describe("classifyCapture", () => {
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

  it("returns new without a baseline, unchanged for equal bytes, else pending", () => {
    assert.equal(classifyCapture(at(none), capture, undefined).status, "new");
    assert.equal(classifyCapture(at(old), { ...capture, hash: "old" }, undefined).status, "unchanged");
    assert.equal(classifyCapture(at(old), capture, undefined).status, "pending");
  });

  it("records the capture's fields beside its baseline's", () => {
    const { screenshotId: _screenshotId, ...facts } = capture;
    assert.deepEqual(classifyCapture(at(old), capture, undefined), {
      id: "shot",
      ...facts,
      movingRegions: [],
      ignoreRegions: [],
      selectorRegions: null,
      diagnostics: null,
      ...old,
      replacedBaseline: null,
      status: "pending",
    });
  });

  it("tells quiet pages from pages whose diagnostics are unknown", () => {
    const diagnosticsOf = (more: object) =>
      classifyCapture(at(old), { ...capture, ...more }, undefined).diagnostics;
    assert.equal(diagnosticsOf({}), null);
    assert.deepEqual(diagnosticsOf({ diagnostics: null }), NO_DIAGNOSTICS);
  });

  it("keeps only moving regions outside of ignore regions", () => {
    const [ignored, clock] = [
      { x: 0, y: 0, width: 100, height: 50 },
      { x: 0, y: 60, width: 40, height: 10 },
    ];
    const inside = { x: 50, y: 10, width: 60, height: 20 };
    const record = classifyCapture(
      { ...old, ignoreRegions: [ignored, { x: 500, y: 500, width: 10, height: 10 }] },
      { ...capture, movingRegions: [inside, clock] },
      undefined,
    );
    assert.deepEqual(record.movingRegions, [clock]);
  });

  it("ignores elements where they are and where they were, and finds them again in each capture", () => {
    const box = { x: 0, y: 0, width: 9, height: 9 };
    const [before, now] = [
      { ...box, y: 20 },
      { ...box, y: 50 },
    ];
    const elements = (region: typeof box, selector = ".ad") => ({ selector, matches: 1, regions: [region] });
    const record = classifyCapture(
      {
        ...old,
        baselineSelectorRegions: [elements(before), elements(before, ".old")],
        ignoreRegions: [box, { ...before, selector: ".stale" }],
      },
      { ...capture, selectorRegions: [elements(now)], movingRegions: [now, { ...box, x: 90 }] },
      undefined,
    );
    assert.deepEqual(record.ignoreRegions, [
      box,
      { ...now, selector: ".ad" },
      { ...before, selector: ".ad" },
    ]);
    assert.deepEqual(record.selectorRegions, [elements(now)]);
    assert.deepEqual(record.movingRegions, [{ ...box, x: 90 }]);
  });

  it("returns unchanged for pixels that are approved in the run's scope, with the reason", () => {
    const record = classifyCapture(at(old), capture, approval("pr:7", "now"));
    assert.equal(record.status, "unchanged");
    assert.equal(record.baselineHash, "now");
    assert.equal(record.baselineRunId, "run of pr:7");
    assert.equal(record.baselineReason, "identical screenshot approved on pull request #7");
    assert.deepEqual(record.replacedBaseline, old);
  });

  it("can carry an approval only off the default branch, and only for other pixels than the baseline's", () => {
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
