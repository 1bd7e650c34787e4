import assert from "node:assert/strict";
import { NO_TALLY } from "../../../services/runs/capture/conclude.rule.ts";
import { EndedRuns } from "../../../services/runs/capture/ended-runs.ts";
import type { RunView } from "../../../shared/contracts/runs/runs.ts";

const view = (completedAt: string | null): RunView => ({
  id: "run_a",
  kind: "run",
  source: "capture",
  status: completedAt ? "completed" : "rendering",
  conclusion: completedAt ? "new" : null,
  project: "shop",
  url: "https://example.com",
  branch: null,
  scm: null,
  threshold: 0.01,
  submittedBy: null,
  progress: NO_TALLY,
  counts: NO_TALLY,
  createdAt: "2026-01-01T00:00:00.000Z",
  startedAt: null,
  completedAt,
  error: null,
  warnings: [],
  causes: [],
  links: { self: "", report: "" },
});
const ended = view("2026-01-01T00:00:01.000Z");

describe("Ended runs", () => {
  it("are served from memory to their own team", () => {
    const runs = new EndedRuns();
    runs.store("team_a", ended, runs.generation);
    assert.equal(runs.get("team_a", "run_a"), ended);
    assert.equal(runs.get("team_b", "run_a"), null);
  });

  it("are evicted when they change, and cached only once they have ended", () => {
    const runs = new EndedRuns();
    runs.store("team_a", view(null), runs.generation);
    assert.equal(runs.get("team_a", "run_a"), null);
    runs.store("team_a", ended, runs.generation);
    runs.delete("run_a");
    assert.equal(runs.get("team_a", "run_a"), null);
  });

  it("are not cached by a read that was running when they changed", () => {
    const runs = new EndedRuns();
    const { generation } = runs;
    runs.delete("run_a");
    runs.store("team_a", ended, generation);
    assert.equal(runs.get("team_a", "run_a"), null);
  });
});
