import type { ReactNode } from "react";
import type { BaselineEntry } from "../../shared/contracts/runs/baselines.ts";
import { STATUS_NAMES } from "../../shared/report/texts.ts";
import { ownLink } from "../api/screenshot.ts";
import { Link } from "../navigation.tsx";
import { historyTexts } from "../texts/baselines.ts";
import { fill } from "../ui/fill.ts";
import { SmallScreenshot } from "../ui/screenshots/small-screenshot.tsx";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/text/time.tsx";
import { scopeInShort } from "./comparison.ts";

/** Width of thumbnails in the list, CSS px. */
const SHOWN_PX = 72;

interface TimelineProps {
  entries: readonly BaselineEntry[];
  chosenId: string;
  onChoose: (entry: BaselineEntry) => void;
  /** Actions for the selected entry. */
  restore: (entry: BaselineEntry) => ReactNode;
}

/** Lists the approvals, the latest first. */
export function Timeline({ entries, chosenId, onChoose, restore }: TimelineProps) {
  return (
    <ol className="timeline">
      {entries.map(entry => {
        const isChosen = entry.id === chosenId;
        return (
          <li key={entry.id} data-chosen={isChosen}>
            <button type="button" className="entry" aria-current={isChosen} onClick={() => onChoose(entry)}>
              <SmallScreenshot
                className="entry-picture"
                image={ownLink(entry.image)}
                width={entry.width}
                height={entry.height}
                shownPx={SHOWN_PX}
              />
              <span className="entry-words">
                <span className="entry-line">
                  <strong>{scopeInShort(entry)}</strong>
                  {entry.inForce && <Status name="approved" word={historyTexts.current} />}
                  {entry.removed && <Status name="removed" word={STATUS_NAMES.removed} />}
                </span>
                <span className="quiet">
                  {fill(historyTexts.approvedBy, {
                    names: entry.approvedBy.join(", ") || historyTexts.approved,
                    time: <Time iso={entry.approvedAt} />,
                  })}
                </span>
                <span className="quiet">{factsOf(entry)}</span>
                {entry.restored && (
                  <span className="quiet">
                    {fill(historyTexts.restoredBy, {
                      name: entry.restored.by,
                      time: <Time iso={entry.restored.at} />,
                    })}
                  </span>
                )}
              </span>
            </button>
            {isChosen && (
              <p className="entry-acts">
                {entry.runKept && (
                  <Link className="button" to={{ page: "review", id: entry.runId, shot: entry.screenshotId }}>
                    {historyTexts.openRun}
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
    change?.diffRatio ? historyTexts.changed(change.diffRatio) : null,
    width !== null && height !== null ? historyTexts.size(width, height) : null,
    carriedFrom ? historyTexts.carried : null,
    runKept ? null : historyTexts.runDeleted,
  ];
  return parts.filter(part => part).join(" · ");
}
