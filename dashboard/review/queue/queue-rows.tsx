import { pageName } from "../../../shared/contracts/capture/screenshot-key.ts";
import { formatDifference } from "../../../shared/report/describe-screenshot.ts";
import type { Screenshot } from "../../api/screenshot.ts";
import { commentTexts } from "../../texts/comments.ts";
import { number } from "../../texts/format.ts";
import { reviewTexts } from "../../texts/review.ts";
import { Icon } from "../../ui/icon.tsx";
import { statusOf } from "../../ui/status.tsx";
import { PageName } from "../../ui/text/page-name.tsx";
import { shortDifference } from "../../ui/text/short-difference.ts";
import { isUndecided } from "../decisions/decision.ts";
import type { Section } from "./queue.ts";

/** Padding of a row, and what each level of a tree adds. */
const PADDING_PX = 12;
const INDENT_PX = 12;

interface FoldProps {
  depth: number;
  isFolded: boolean;
  onFold: () => void;
}

/** A folder of components. */
export function FolderRow({
  folder,
  shots,
  ...fold
}: FoldProps & { folder: string; shots: readonly Screenshot[] }) {
  return (
    <div className="queue-section" style={indent(fold.depth)}>
      <h2>
        <Fold {...fold} name={folder} />
        <LeftOf shots={shots} />
      </h2>
    </div>
  );
}

/** A name whose button folds what is below. */
function Fold({ isFolded, onFold, name }: FoldProps & { name: string }) {
  return (
    <button type="button" className="queue-fold" aria-expanded={!isFolded} title={name} onClick={onFold}>
      <span className="cut-end">{name}</span>
    </button>
  );
}

function LeftOf({ shots }: { shots: readonly Screenshot[] }) {
  const left = shots.filter(isUndecided).length;
  return (
    <span className="count">
      {left > 0 && left < shots.length ? reviewTexts.partOf(left, shots.length) : number(shots.length)}
    </span>
  );
}

/** Indents a row of the tree. Others keep their padding. */
function indent(depth: number): { paddingLeft: number } | undefined {
  return depth === 0 ? undefined : { paddingLeft: PADDING_PX + depth * INDENT_PX };
}

interface SectionRowProps extends FoldProps {
  section: Section;
  /** Approves a group; null if the reader may not. */
  onApprove: ((shots: readonly Screenshot[]) => void) | null;
}

/** A heading of the queue, with the button that approves its group. */
export function SectionRow({
  section: { title, shots, isGroup, path },
  onApprove,
  ...fold
}: SectionRowProps) {
  const left = shots.filter(isUndecided).length;
  return (
    <div className="queue-section" style={indent(fold.depth)}>
      <h2>
        {path ? (
          <Fold {...fold} name={path.at(-1) ?? title} />
        ) : (
          <span className="cut-end" title={title}>
            {title}
          </span>
        )}{" "}
        <LeftOf shots={shots} />
      </h2>
      {onApprove && isGroup && left > 0 && (
        <button type="button" className="text-button" aria-keyshortcuts="G" onClick={() => onApprove(shots)}>
          {reviewTexts.approveGroup}
          <span className="hidden"> {title}</span>
        </button>
      )}
    </div>
  );
}

interface ScreenshotRowProps {
  shot: Screenshot;
  /** Number of open threads. */
  threads: number;
  isCurrent: boolean;
  depth: number;
  /** Whether the row is below its component, so that the story's own name suffices. */
  isStory: boolean;
  onOpen: (shot: Screenshot) => void;
}

/** A screenshot of the queue. */
export function ScreenshotRow({ shot, threads, isCurrent, depth, isStory, onOpen }: ScreenshotRowProps) {
  const { name, word } = statusOf(shot);
  const { story, ...page } = shot;
  return (
    <button
      type="button"
      className="queue-shot"
      style={indent(depth)}
      aria-current={isCurrent}
      data-standing={name}
      data-decided={shot.review !== null && !isUndecided(shot)}
      onClick={() => onOpen(shot)}
    >
      <span className="status">
        <Icon name={name} />
        <span className="hidden">{word}</span>
      </span>
      <span className="queue-route" title={pageName(shot)}>
        <PageName page={isStory && story ? { ...page, route: story.name } : shot} />
      </span>
      {threads > 0 && (
        <span className="queue-comments" title={commentTexts.openThreads(threads)}>
          <Icon name="comment" /> {number(threads)}
        </span>
      )}
      <span className="queue-width">{shot.viewport}</span>
      {shot.diffRatio !== null && (shot.status === "changed" || shot.minor) ? (
        <span className="queue-ratio" title={formatDifference(shot)}>
          {shortDifference(shot.diffRatio, shot.faintPixels)}
        </span>
      ) : (
        <span className="queue-ratio" />
      )}
    </button>
  );
}
