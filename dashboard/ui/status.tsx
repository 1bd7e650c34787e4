import type { RunView } from "../../shared/contracts/runs/runs.ts";
import { formatApprovals } from "../../shared/report/describe-review.ts";
import { displayStatusOf } from "../../shared/report/display-status.ts";
import type { IconName } from "../../shared/report/render/icons.ts";
import { STATUS_NAMES } from "../../shared/report/texts.ts";
import type { Screenshot } from "../api/screenshot.ts";
import { conclusionNames, runStatusNames } from "../texts/common.ts";
import { Icon } from "./icon.tsx";

/** Shows a status with its icon, name and color. */
export function Status({ name, word }: { name: IconName; word: string }) {
  return (
    <span className="status" data-standing={name}>
      <Icon name={name} />
      {word}
    </span>
  );
}

/** Returns the status of a screenshot: its decision, the progress of its approval, or its own status. */
export function statusOf(shot: Screenshot): { name: IconName; word: string } {
  const { review } = shot;
  if (review?.state === "pending") return { name: "pending", word: formatApprovals(review) };
  const standing = displayStatusOf(shot);
  return { name: standing, word: STATUS_NAMES[standing] };
}

interface Outcome {
  status: IconName;
  word: string;
}

/** Returns the result of a run in one word. */
export function outcomeOf({ status, conclusion }: Pick<RunView, "status" | "conclusion">): Outcome {
  if (status === "failed") return { status: "failed", word: runStatusNames.failed };
  if (status === "canceled") return { status: "removed", word: runStatusNames.canceled };
  if (status !== "completed") return { status: "pending", word: runStatusNames[status] };
  if (conclusion === null) return { status: "pending", word: runStatusNames.completed };
  return { status: conclusion === "passed" ? "approved" : conclusion, word: conclusionNames[conclusion] };
}
