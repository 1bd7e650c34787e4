import type { RunView } from "../../shared/contracts/http.ts";
import type { IconName } from "../../shared/report/icons.ts";
import { approvalsInWords } from "../../shared/report/review-words.ts";
import { standingOf } from "../../shared/report/words.ts";
import type { Shot } from "../api/shot.ts";
import { Icon } from "./icon.tsx";

/** A status with its icon, its word and its colour. */
export function Status({ name, word = name }: { name: IconName; word?: string }) {
  return (
    <span className="status" data-standing={name}>
      <Icon name={name} />
      {word}
    </span>
  );
}

/** How a screenshot stands: what was decided, how far that is, or what it is in itself. */
export function statusOf(shot: Shot): { name: IconName; word: string } {
  const { review } = shot;
  if (review?.state === "pending") return { name: "pending", word: approvalsInWords(review) };
  const standing = standingOf(shot);
  return { name: standing, word: standing };
}

interface Outcome {
  standing: IconName;
  word: string;
}

/** How a run is to be shown in one word. */
export function outcomeOf({ status, conclusion }: Pick<RunView, "status" | "conclusion">): Outcome {
  if (status === "failed") return { standing: "failed", word: "failed" };
  if (status === "canceled") return { standing: "removed", word: "canceled" };
  if (status !== "completed") return { standing: "pending", word: status };
  switch (conclusion) {
    case "changed":
      return { standing: "changed", word: "needs review" };
    case "passed":
      return { standing: "approved", word: "passed" };
    case null:
      return { standing: "pending", word: "completed" };
    default:
      return { standing: conclusion, word: conclusion };
  }
}
