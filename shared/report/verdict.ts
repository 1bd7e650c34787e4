import { isEnded } from "../is-ended.ts";
import type { ReportModel } from "./report-model.ts";
import { count, figure, type Standing, standingOf } from "./words.ts";

/** What a run came to, in words. */
export interface Verdict {
  /** The status whose icon and colour stand beside it. */
  standing: Standing;
  title: string;
  detail: string;
}

/** What the run came to, said as a person would. */
export function verdictOf(model: ReportModel): Verdict {
  const { run, screenshots } = model;
  if (!isEnded(run.status)) return progressOf(model);
  if (run.status === "failed") {
    return { standing: "failed", title: "The run failed", detail: run.error ?? "Nothing could be rendered." };
  }
  if (run.status === "canceled") {
    const detail = run.error ?? "What had been rendered by then is below; it decides nothing.";
    return { standing: "failed", title: "The run was canceled", detail };
  }
  const verdict = conclusionOf(model);
  const failed = screenshots.filter(shot => shot.status === "failed").length;
  if (failed === 0) return verdict;
  const besides = `${count(failed, "screenshot")} could not be captured; the reasons are below.`;
  return { ...verdict, detail: `${verdict.detail} ${besides}`.trim() };
}

function conclusionOf({ run, screenshots }: ReportModel): Verdict {
  const total = count(screenshots.length, "screenshot");
  const standings = screenshots.map(standingOf);
  const changed = standings.filter(standing => standing === "changed").length;
  const removed = standings.filter(standing => standing === "removed").length;
  switch (run.conclusion) {
    case "approved": {
      const carried = standings.filter(standing => standing === "carried").length;
      const before = `${count(carried, "change")} ${carried === 1 ? "was" : "were"} approved before, in this pull request or branch.`;
      if (carried > 0 && !standings.includes("approved"))
        return { standing: "carried", title: "Approved before", detail: before };
      const detail = "The next run is compared with these screenshots.";
      return {
        standing: "approved",
        title: "Approved",
        detail: carried > 0 ? `${detail} ${before}` : detail,
      };
    }
    case "rejected":
      return { standing: "rejected", title: "Rejected", detail: "The baseline stays as it was." };
    case "new": {
      const detail = "There is nothing to compare with. Approve these screenshots to make them the baseline.";
      return { standing: "new", title: "New, no baseline yet", detail };
    }
    case "changed": {
      const left = [
        changed > 0 ? count(changed, "change") : null,
        removed > 0 ? count(removed, "removed page") : null,
      ].filter(part => part !== null);
      if (left.length === 0) return { standing: "changed", title: "Every change was decided", detail: "" };
      const detail = `Of ${total}, ${figure(changed + removed)} differ from the baseline and wait for a decision.`;
      return { standing: "changed", title: `${left.join(" and ")} to review`, detail };
    }
    default: {
      const standing = standings.every(each => each === "failed") ? "failed" : "unchanged";
      return { standing, title: "Nothing changed", detail: `${total} compared with the baseline.` };
    }
  }
}

function progressOf({ run, screenshots }: ReportModel): Verdict {
  if (run.status === "queued") {
    return { standing: "pending", title: "Waiting to start", detail: "Nothing has been rendered yet." };
  }
  const done = screenshots.filter(shot => shot.status !== "pending").length;
  const title = run.status === "rendering" ? "Rendering" : "Comparing";
  const detail = `${done} of ${count(screenshots.length, "screenshot")} done. The verdict is open until all are.`;
  return { standing: "pending", title, detail };
}
