import { isEnded } from "../is-ended.ts";
import type { ReportModel } from "./report-model.ts";
import { sizeOf, type Tally, tallyOf } from "./tally.ts";
import { count, figure, type Standing } from "./words.ts";

/** What a run came to, in words. */
export interface Verdict {
  /** The status whose icon and colour stand beside it. */
  standing: Standing;
  title: string;
  detail: string;
}

type RunOfVerdict = Pick<ReportModel["run"], "status" | "conclusion" | "error">;

/** What the run came to, said as a person would. */
export function verdictOf({ run, screenshots }: ReportModel): Verdict {
  return verdictFrom(run, tallyOf(screenshots));
}

/** The same of screenshots that are counted and need not be there. */
export function verdictFrom(run: RunOfVerdict, tally: Tally): Verdict {
  if (!isEnded(run.status)) return progressOf(run, tally);
  if (run.status === "failed") {
    return { standing: "failed", title: "The run failed", detail: run.error ?? "Nothing could be rendered." };
  }
  if (run.status === "canceled") {
    const detail = run.error ?? "What had been rendered by then is below; it decides nothing.";
    return { standing: "failed", title: "The run was canceled", detail };
  }
  const verdict = conclusionOf(run, tally);
  const { failed } = tally;
  if (failed === 0) return verdict;
  const besides = `${count(failed, "screenshot")} could not be captured; the reasons are below.`;
  return { ...verdict, detail: `${verdict.detail} ${besides}`.trim() };
}

function conclusionOf(run: RunOfVerdict, { standings }: Tally): Verdict {
  const total = count(sizeOf({ standings }), "screenshot");
  const { changed = 0, removed = 0, carried = 0, approved = 0, failed = 0 } = standings;
  switch (run.conclusion) {
    case "approved": {
      const before = `${count(carried, "change")} ${carried === 1 ? "was" : "were"} approved before, in this pull request or branch.`;
      if (carried > 0 && approved === 0)
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
      const standing = failed === sizeOf({ standings }) ? "failed" : "unchanged";
      return { standing, title: "Nothing changed", detail: `${total} compared with the baseline.` };
    }
  }
}

function progressOf(run: RunOfVerdict, { standings }: Tally): Verdict {
  if (run.status === "queued") {
    return { standing: "pending", title: "Waiting to start", detail: "Nothing has been rendered yet." };
  }
  const all = sizeOf({ standings });
  const done = all - (standings.pending ?? 0);
  const title = run.status === "rendering" ? "Rendering" : "Comparing";
  const detail = `${done} of ${count(all, "screenshot")} done. The verdict is open until all are.`;
  return { standing: "pending", title, detail };
}
