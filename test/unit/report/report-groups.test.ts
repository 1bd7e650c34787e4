import assert from "node:assert/strict";
import { isOpen } from "../../../dashboard/review/decisions/decision.ts";
import { EXPLANATION_BOUNDS } from "../../../shared/contracts/runs/explanation.ts";
import { SCREENSHOT_STATUSES } from "../../../shared/contracts/runs/screenshots.ts";
import { describeConclusion } from "../../../shared/report/conclusion.ts";
import { describeRunCause, leadingCauses } from "../../../shared/report/describe-explanation.ts";
import { describeDifference } from "../../../shared/report/describe-screenshot.ts";
import type { DisplayStatus } from "../../../shared/report/display-status.ts";
import { groupScreenshots } from "../../../shared/report/group-screenshots.ts";
import type { ReportScreenshot } from "../../../shared/report/report-model.ts";
import { sharedNotes } from "../../../shared/report/shared-notes.rule.ts";
import { explanationWith } from "../../support/fixtures/explanations.ts";
import { report, screenshot } from "../../support/fixtures/report-sample.ts";

const idsOf = (groups: ReturnType<typeof groupScreenshots<ReportScreenshot>>) =>
  groups.map(({ name, stacks }) => [name, stacks.map(stack => stack.map(shot => shot.id))]);

/** Counts by display status. */
type Mix = Partial<Record<DisplayStatus, number>>;

const inMix = (mix: Mix) =>
  Object.entries(mix)
    .map(([name, size]) => `${size} ${name}`)
    .join(", ");

/** One of each decided kind is changed, new and removed. */
function shotsOf(mix: Mix): ReportScreenshot[] {
  const decidedOf = ["changed", "new", "removed"] as const;
  return Object.entries(mix).flatMap(([name, size]) =>
    Array.from({ length: size }, (_, index) => {
      const id = `${name} ${index}`;
      const status = decidedOf[index % 3] ?? "changed";
      if (name === "approved") return screenshot({ id, status, review: approved });
      if (name === "rejected") return screenshot({ id, status, review: { ...approved, state: "rejected" } });
      if (name === "carried")
        return screenshot({ id, status: "changed", review: approved, carried: CARRIED });
      if (name === "minor") return screenshot({ id, minor: true, diffPixels: 7, diffRatio: 0.001 });
      return screenshot({ id, status: SCREENSHOT_STATUSES.find(known => known === name) ?? "unchanged" });
    }),
  );
}

const CARRIED = { runId: "run_1", by: ["bob"], at: "2026-11-19T16:20:00.000Z" };
const approved = { state: "approved", approvals: 1, required: 1 } as const;

describe("screenshots with causes", () => {
  const changed = (id: string, fingerprint: string | null, ...causes: string[]) =>
    screenshot({ id, status: "changed", fingerprint, explanation: explanationWith(...causes) });

  it("are one line of a run if they read the same", () => {
    const of = (key: string, text: string, screenshots: number) => ({
      key,
      kind: "text" as const,
      text,
      screenshots,
    });
    const lines = leadingCauses([
      of("a", "`.card` padding 12px → 16px, 2 elements, by `app.css` (changed)", 2),
      of("b", "`p` was added, by the page's HTML (changed)", 1),
      of("c", "`p` was added, 3 elements, by the page's HTML (changed)", 3),
      of("d", "`i` was removed", 1),
    ]).map(describeRunCause);
    assert.deepEqual(lines, [
      "`p` was added, by the page's HTML (changed): 4 screenshots",
      "`.card` padding 12px → 16px, by `app.css` (changed): 2 screenshots",
    ]);
    const alone = leadingCauses([of("a", "`.card` padding 12px → 16px, 2 elements", 1)]).map(
      describeRunCause,
    );
    assert.deepEqual(alone, ["`.card` padding 12px → 16px, 2 elements: 1 screenshot"]);
  });

  it("are one group per cause, over pages and widths with other pixels", () => {
    const shots = [
      changed("/ 375", "f1", "padding of .card"),
      changed("/ 1280", "f2", "padding of .card"),
      changed("/cart", "f3", "padding of .card", "another change"),
      changed("/about", "f1"),
      changed("/new", null),
    ];
    assert.deepEqual(idsOf(groupScreenshots(shots)), [
      ["review", [["/ 375", "/ 1280", "/about"], ["/cart"], ["/new"]]],
    ]);
  });

  it("are no group if the explanation is full, since it may leave out other causes", () => {
    const many = Array.from({ length: EXPLANATION_BOUNDS.causes }, (_, index) => `cause ${index}`);
    const shots = [changed("/", "f1", ...many), changed("/cart", "f2", ...many)];
    assert.deepEqual(idsOf(groupScreenshots(shots)), [["review", [["/"], ["/cart"]]]]);
  });

  it("are the same groups if only the keys are loaded", () => {
    const outline = (id: string, fingerprint: string, causeKeys: string[] | null) => {
      const { explanation: _, ...shot } = changed(id, fingerprint);
      return { ...shot, causeKeys };
    };
    const [group] = groupScreenshots([
      outline("a", "f1", ["k"]),
      outline("b", "f2", ["k"]),
      outline("c", "f3", null),
    ]);
    assert.deepEqual(
      group?.stacks.map(stack => stack.map(({ id }) => id)),
      [["a", "b"], ["c"]],
    );
  });
});

describe("notes of a report", () => {
  it("are shared from three screenshots on, the most frequent first", () => {
    const noted = (...notes: string[]) => ({ notes });
    assert.deepEqual(
      sharedNotes([noted("font", "cut"), noted("font"), noted("font", "font"), noted("cut"), noted()]),
      [{ note: "font", screenshots: 3 }],
    );
    assert.deepEqual(
      sharedNotes(["a", "b", "c", "d"].map(name => (name === "d" ? noted("b") : noted("a", "b")))),
      [
        { note: "b", screenshots: 4 },
        { note: "a", screenshots: 3 },
      ],
    );
  });
});

describe("groups of a report", () => {
  it("folds identical changes, the most frequent first, and keeps those without a fingerprint apart", () => {
    const groups = groupScreenshots([
      screenshot({ id: "alone", status: "changed", fingerprint: "x" }),
      screenshot({ id: "first", status: "changed", fingerprint: "header" }),
      screenshot({ id: "none1", status: "changed" }),
      screenshot({ id: "none2", status: "changed" }),
      screenshot({ id: "second", status: "changed", fingerprint: "header" }),
    ]);
    assert.deepEqual(idsOf(groups), [["review", [["first", "second"], ["alone"], ["none1"], ["none2"]]]]);
  });

  it("separates minor changes from the unchanged ones, the largest first, and folds equal ones", () => {
    const minor = (id: string, diffRatio: number, more = {}) =>
      screenshot({ id, minor: true, diffRatio, diffPixels: 9, ...more });
    const groups = groupScreenshots([
      screenshot({ id: "same" }),
      minor("little", 0.001, { fingerprint: "footer" }),
      minor("restless", 0.002, { stable: false }),
      minor("more", 0.009),
      minor("least", 0.0001, { fingerprint: "footer" }),
      minor("decided", 0.008, { review: approved }),
      screenshot({ id: "same too", diffRatio: null }),
    ]);
    assert.deepEqual(idsOf(groups), [
      ["minor", [["more"], ["restless"], ["little", "least"]]],
      ["reviewed", [["decided"]]],
      ["unchanged", [["same"], ["same too"]]],
    ]);
  });

  it("keeps approved and rejected changes apart", () => {
    const groups = groupScreenshots([
      screenshot({ id: "yes", status: "changed", fingerprint: "f", review: approved }),
      screenshot({
        id: "no",
        status: "changed",
        fingerprint: "f",
        review: { ...approved, state: "rejected" },
      }),
      screenshot({ id: "open", status: "changed", fingerprint: "f" }),
    ]);
    assert.deepEqual(idsOf(groups), [
      ["review", [["open"]]],
      ["reviewed", [["yes"], ["no"]]],
    ]);
  });

  it("separates decided screenshots from undecided ones of any status", () => {
    const groups = groupScreenshots([
      screenshot({ id: "old", status: "new", review: approved }),
      screenshot({ id: "gone", status: "removed", review: approved }),
      screenshot({ id: "fresh", status: "new" }),
      screenshot({ id: "half", status: "new", review: { state: "pending", approvals: 1, required: 2 } }),
      screenshot({ id: "broken", status: "failed", review: { ...approved, state: "rejected" } }),
    ]);
    assert.deepEqual(idsOf(groups), [
      ["new", [["fresh"], ["half"]]],
      ["failed", [["broken"]]],
      ["reviewed", [["old"], ["gone"]]],
    ]);
  });

  it("describes no approved page as one without a baseline", () => {
    const fresh = screenshot({ id: "n", status: "new" });
    assert.equal(describeDifference(fresh), "no baseline yet");
    assert.equal(
      describeDifference({ ...fresh, review: { ...approved, state: "rejected" } }),
      "no baseline yet",
    );
    assert.equal(describeDifference({ ...fresh, review: approved }), "became the baseline");
  });

  it("sorts by the need for review, and separates unstable pages from the unchanged ones", () => {
    const groups = groupScreenshots([
      screenshot({ id: "u" }),
      screenshot({ id: "m", stable: false }),
      screenshot({ id: "f", status: "failed" }),
      screenshot({ id: "r", status: "removed" }),
      screenshot({ id: "n", status: "new" }),
      screenshot({ id: "c", status: "changed" }),
    ]);
    const names = groups.map(group => group.name);
    assert.deepEqual(names, ["review", "new", "removed", "failed", "unstable", "unchanged"]);
  });
});

describe("the conclusion of a report", () => {
  const changed = screenshot({ id: "c", status: "changed" });

  // The counts, and the headline with the line below it.
  const TABLE: [Mix, string, RegExp][] = [
    [{ unchanged: 3 }, "Nothing changed", /^3 screenshots compared/],
    [
      { unchanged: 40, minor: 3 },
      "40 screenshots unchanged, 3 with minor changes",
      /^Minor changes are within the threshold and don't need review\.$/,
    ],
    [{ minor: 1 }, "1 screenshot with a minor change", /^Minor changes/],
    [{ changed: 1, minor: 2 }, "1 changed screenshot to review", /^1 of 3 .* 2 more screenshots have minor/],
    [{ approved: 2, minor: 1 }, "Approved", /^The next run .* 1 more screenshot has a minor change/],
    [{ unchanged: 3, failed: 2, minor: 4 }, "2 screenshots couldn't be captured", /^3 others are unchanged/],
    [{ new: 8 }, "8 new screenshots to review", /no baseline/],
    [
      { new: 8, failed: 8 },
      "8 new screenshots to review",
      /^8 of 16 screenshots need review\. .*8 screenshots couldn't be/,
    ],
    [{ unchanged: 3, new: 1 }, "1 new screenshot to review", /^1 of 4 screenshots needs review\./],
    [
      { changed: 18, new: 2, removed: 2, failed: 2 },
      "18 changed, 2 new, and 2 removed screenshots to review",
      /^22 of 24 screenshots need review\. 2 screenshots couldn't be captured/,
    ],
    [{ changed: 1, approved: 1 }, "1 changed screenshot to review", /^1 of 2 /],
    [
      { changed: 2, removed: 1 },
      "2 changed and 1 removed screenshot to review",
      /^3 of 3 screenshots need review/,
    ],
    [{ new: 1, approved: 2, unchanged: 1 }, "1 new screenshot to review", /^1 of 4 /],
    [{ removed: 2, unchanged: 1 }, "2 removed screenshots to review", /^2 of 3 /],
    [{ approved: 2, unchanged: 1 }, "Approved", /^The next run/],
    [{ approved: 2, failed: 1 }, "Approved", /1 screenshot couldn't be captured\. The reason is below\.$/],
    [{ carried: 2, approved: 1 }, "Approved", /2 changes have a carried approval/],
    [{ carried: 1, unchanged: 1 }, "Approved earlier", /^1 change has a carried approval/],
    [{ carried: 1, failed: 1 }, "1 screenshot couldn't be captured", /^1 change has a carried approval/],
    [
      { unchanged: 3, failed: 2 },
      "2 screenshots couldn't be captured",
      /^3 others are unchanged\. The reasons are below\.$/,
    ],
    [{ rejected: 1, approved: 2 }, "Rejected", /^1 screenshot was rejected/],
    [{ rejected: 2, changed: 3, new: 1 }, "Rejected, 4 more to review", /^2 screenshots were rejected/],
  ];
  for (const [mix, title, detail] of TABLE)
    it(`says "${title}" of ${inMix(mix)}`, () => {
      const verdict = describeConclusion(report(shotsOf(mix)));
      assert.equal(verdict.title, title);
      assert.match(verdict.detail, detail);
    });

  it("counts the same screenshots for review as the page's button, in every mix", () => {
    const kinds = [
      "unchanged",
      "minor",
      "changed",
      "new",
      "removed",
      "failed",
      "approved",
      "carried",
    ] as const;
    for (let bits = 1; bits < 2 ** kinds.length; bits += 1) {
      const mix: Mix = Object.fromEntries(
        kinds.flatMap((kind, at) => ((bits >> at) & 1 ? [[kind, at + 2]] : [])),
      );
      const open = shotsOf(mix).filter(shot => isOpen({ ...shot, ownDecision: null })).length;
      const { title } = describeConclusion(report(shotsOf(mix)));
      const counted = [...title.matchAll(/\d+/g)].reduce((sum, [digits]) => sum + Number(digits), 0);
      if (title.endsWith("to review")) assert.equal(counted, open, `${title} of ${inMix(mix)}`);
      else assert.equal(open, 0, `${title} of ${inMix(mix)}`);
    }
  });

  it("is the same for decided minor changes, as the run's is", () => {
    const minor = (id: string, review: ReportScreenshot["review"]) =>
      screenshot({ id, minor: true, diffPixels: 7, diffRatio: 0.001, review });
    const of = (...shots: ReportScreenshot[]) => {
      const { status, title, detail } = describeConclusion(report(shots));
      return { status, title, detail };
    };
    const title = "1 screenshot unchanged, 2 with minor changes";
    const same = screenshot({ id: "same" });
    assert.deepEqual(of(same, minor("a", approved), minor("b", null)), {
      ...{ status: "minor", title },
      detail: "Minor changes are within the threshold and don't need review. 1 of them is approved.",
    });
    assert.deepEqual(of(same, minor("a", approved), minor("b", approved)), {
      ...{ status: "approved", title },
      detail: "The minor changes are approved. The next run is compared with these screenshots.",
    });
    assert.equal(of(minor("a", approved), screenshot({ id: "f", status: "failed" })).status, "failed");
    assert.equal(of(minor("a", { ...approved, state: "rejected" })).title, "Rejected");
  });

  it("names a null rerun and its result", () => {
    const verdict = (mix: Mix) => {
      const { status, title, detail } = describeConclusion(report(shotsOf(mix), { kind: "null-rerun" }));
      return [status, title, detail];
    };
    assert.deepEqual(verdict({ unchanged: 3 }), [
      ...["unchanged", "Null rerun: no false alarms"],
      "3 screenshots compared with the original run. There is nothing to review.",
    ]);
    const [status, title, detail] = verdict({ changed: 2, unchanged: 1, failed: 1 });
    assert.deepEqual([status, title], ["changed", "Null rerun: 2 false alarms"]);
    assert.match(detail ?? "", /^3 screenshots compared .* 1 screenshot couldn't be captured/);
  });

  it("stays open while a run is in progress", () => {
    const running = { status: "rendering", conclusion: null, completedAt: null } as const;
    const verdict = describeConclusion(
      report([changed, screenshot({ id: "p", status: "pending" })], running),
    );
    assert.equal(verdict.title, "Rendering");
    assert.match(verdict.detail, /^1 of 2 screenshots done\. The conclusion follows/);
  });

  it("has the reason of a failed run", () => {
    const verdict = describeConclusion(
      report([], { status: "failed", conclusion: null, error: "The host is private." }),
    );
    assert.deepEqual(verdict, {
      status: "failed",
      title: "The run failed",
      detail: "The host is private.",
    });
  });
});
