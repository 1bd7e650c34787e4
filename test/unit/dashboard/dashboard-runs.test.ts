import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { shownScreenshots, tallySoFar } from "../../../dashboard/run/grid-rows.ts";
import { readRunForm, withScheme } from "../../../dashboard/runs/run-body.ts";
import type { RunView } from "../../../shared/contracts/runs/runs.ts";
import { submitRunBody } from "../../../shared/contracts/runs/submit-run.ts";
import { screenshot } from "../../support/fixtures/report-sample.ts";

describe("The form that starts a run", () => {
  const bodyOf = (fields: Record<string, string>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ url: "https://example.com", ...fields }))
      form.set(name, value);
    return readRunForm(form);
  };

  it("sends the threshold as a ratio, with a dot or a comma", () => {
    assert.equal(bodyOf({ threshold: "0" }).threshold, 0);
    assert.equal(bodyOf({ threshold: "0.3" }).threshold, 0.003);
    assert.equal(bodyOf({ threshold: "2,5" }).threshold, 0.025);
  });

  it("leaves empty fields to the service", () => {
    assert.deepEqual(bodyOf({ threshold: "", routes: " ", project: "" }), { url: "https://example.com" });
  });

  it("sends invalid thresholds, which the service refuses", () => {
    for (const threshold of ["a", "-1", "101"])
      assert.equal(submitRunBody.safeParse(bodyOf({ threshold })).success, false, threshold);
  });

  it("adds the scheme that a URL lacks", () => {
    const table = [
      ["localhost:3000/x", "http://localhost:3000/x"],
      ["127.0.0.1", "http://127.0.0.1"],
      ["[::1]:3000", "http://[::1]:3000"],
      ["web.internal/a", "http://web.internal/a"],
      ["example.com", "https://example.com"],
      ["example.com:8080/a?b", "https://example.com:8080/a?b"],
      ["http://example.com", "http://example.com"],
      ["", ""],
    ];
    for (const [given = "", sent] of table) assert.equal(withScheme(given), sent, given);
    assert.equal(submitRunBody.safeParse({ url: withScheme("javascript:alert(1)") }).success, false);
  });

  it("requests a partial run only if the box is checked", () => {
    assert.equal(bodyOf({ partial: "on" }).partial, true);
    assert.ok(!("partial" in bodyOf({})));
  });
});

describe("A run in progress", () => {
  const shots = (["removed", "pending", "new"] as const).map(status => ({
    ...screenshot({ id: status, route: `/${status}`, status }),
    ownDecision: null,
  }));

  it("shows removed pages once it has ended", () => {
    const shown = (status: RunView["status"]) => shownScreenshots(shots, status).map(shot => shot.status);
    assert.deepEqual(shown("queued"), ["pending", "new"]);
    assert.deepEqual(shown("rendering"), ["pending", "new"]);
    assert.deepEqual(shown("completed"), ["removed", "pending", "new"]);
  });

  it("counts removed pages once it has ended", () => {
    const tally = { standings: { removed: 17, pending: 1 }, minor: {}, failed: 0 };
    assert.deepEqual(tallySoFar(tally, "queued").standings, { pending: 1 });
    assert.equal(tallySoFar(tally, "completed").standings.removed, 17);
  });
});
