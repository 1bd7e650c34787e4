import type { ReactNode } from "react";
import type { BaselineEntry } from "../../shared/contracts/baselines.ts";
import { percent } from "../../shared/report/words.ts";
import { ownLink } from "../api/shot.ts";
import { Link } from "../location.tsx";
import { SmallPicture } from "../ui/small-picture.tsx";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/time.tsx";
import { scopeInShort } from "./comparison.ts";

/** As wide as the pictures of the list, CSS px. */
const SHOWN_PX = 72;

interface TimelineProps {
  entries: readonly BaselineEntry[];
  chosenId: string;
  onChoose: (entry: BaselineEntry) => void;
  /** What can be done with the one that is chosen. */
  restore: (entry: BaselineEntry) => ReactNode;
}

/** The approvals, the latest first. */
export function Timeline({ entries, chosenId, onChoose, restore }: TimelineProps) {
  return (
    <ol className="timeline">
      {entries.map(entry => {
        const isChosen = entry.id === chosenId;
        return (
          <li key={entry.id} data-chosen={isChosen}>
            <button type="button" className="entry" aria-current={isChosen} onClick={() => onChoose(entry)}>
              <SmallPicture
                className="entry-picture"
                image={ownLink(entry.image)}
                width={entry.width}
                height={entry.height}
                shownPx={SHOWN_PX}
              />
              <span className="entry-words">
                <span className="entry-line">
                  <strong>{scopeInShort(entry)}</strong>
                  {entry.inForce && <Status name="approved" word="in force" />}
                  {entry.removed && <Status name="removed" />}
                </span>
                <span className="quiet">
                  {entry.approvedBy.join(", ") || "approved"}, <Time iso={entry.approvedAt} />
                </span>
                <span className="quiet">{factsOf(entry)}</span>
                {entry.restored && (
                  <span className="quiet">
                    made the baseline again by {entry.restored.by}, <Time iso={entry.restored.at} />
                  </span>
                )}
              </span>
            </button>
            {isChosen && (
              <p className="entry-acts">
                {entry.runKept && (
                  <Link className="button" to={{ page: "review", id: entry.runId, shot: entry.screenshotId }}>
                    Open in its run
                  </Link>
                )}
                {restore(entry)}
              </p>
            )}
          </li>
        );
      })}
    </ol>
  );
}

function factsOf({ commit, change, carriedFrom, runKept, width, height }: BaselineEntry): string {
  const parts = [
    commit?.slice(0, 7),
    change?.diffRatio ? `${percent(change.diffRatio)} changed` : null,
    width !== null && height !== null ? `${width} × ${height.toLocaleString("en")} px` : null,
    carriedFrom ? "carried" : null,
    runKept ? null : "its run is not kept any more",
  ];
  return parts.filter(part => part).join(" · ");
}
