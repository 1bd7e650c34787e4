import { useState } from "react";
import type { InboxItem } from "../../shared/contracts/reviews/inbox.ts";
import { cropAround } from "../../shared/report/crop.ts";
import { ownLink } from "../api/screenshot.ts";
import type { AppLocation } from "../app-location.ts";
import { ProjectName } from "../monitors/project-name.tsx";
import { Link } from "../navigation.tsx";
import { commonTexts } from "../texts/common.ts";
import { formatHost } from "../texts/format.ts";
import { inboxTexts, reviewerTexts } from "../texts/people.ts";
import { PageThumbnail } from "../ui/screenshots/page-thumbnail.tsx";
import { outcomeOf, Status } from "../ui/status.tsx";
import { Time } from "../ui/text/time.tsx";
import { WebLink } from "../ui/text/web-link.tsx";

/** Width of a thumbnail, CSS px. */
const SHOWN_PX = 144;

/** Shows a run that waits for the reader: its commit, its largest changes, and the comments that mention the reader. */
export function InboxRow({ item }: { item: InboxItem }) {
  const { run, open, screenshots, mentions, reviewers, superseded } = item;
  const { status, word } = outcomeOf(run);
  const [first] = screenshots;
  const review: AppLocation =
    open > 0 && first ? { page: "review", id: run.id, shot: first.id } : { page: "run", id: run.id };
  return (
    <li className="inbox-item">
      <div className="inbox-text">
        <p className="inbox-line">
          <Status name={status} word={word} />
          <Link className="inbox-project" to={{ page: "run", id: run.id }}>
            <ProjectName project={run.project} />
          </Link>
          <span className="quiet">
            <Time iso={run.completedAt ?? run.createdAt} />
          </span>
        </p>
        <Commit item={item} />
        <p className="quiet inbox-line">
          <span>{open > 0 ? inboxTexts.open(open) : inboxTexts.nothingOpen}</span>
          {reviewers.length > 0 && (
            <span>
              {reviewerTexts.title}: {reviewers.map(({ login }) => login).join(", ")}
            </span>
          )}
          {superseded.length > 0 && <Superseded ids={superseded} />}
        </p>
        {mentions.map(mention => (
          <p key={mention.commentId} className="inbox-mention">
            <span className="quiet">{inboxTexts.mentioned(mention.by)}</span>{" "}
            <Link
              to={{
                page: "review",
                id: run.id,
                comment: mention.commentId,
                ...(mention.screenshotId && { shot: mention.screenshotId }),
              }}
            >
              {mention.text}
            </Link>
          </p>
        ))}
      </div>
      <div className="inbox-shots">
        {screenshots.map(shot => (
          <InboxThumbnail key={shot.id} runId={run.id} shot={shot} />
        ))}
        {open > screenshots.length && (
          <span className="quiet">{inboxTexts.moreScreenshots(open - screenshots.length)}</span>
        )}
      </div>
      <Link className="button inbox-open" to={review}>
        {inboxTexts.review}
        <span className="hidden"> {run.project}</span>
      </Link>
    </li>
  );
}

function Commit({ item: { run, commit } }: { item: InboxItem }) {
  const { links, message, author } = commit;
  const { scm, branch } = run;
  const head = scm?.branch ?? branch;
  return (
    <>
      <p className="inbox-message">{message ?? (scm ? inboxTexts.noCommit : formatHost(run.url))}</p>
      <p className="quiet inbox-line">
        {head && <Named url={links.branch} text={head} />}
        {scm?.pr !== undefined && <Named url={links.pullRequest} text={commonTexts.pullRequest(scm.pr)} />}
        {scm && <Named url={links.commit} text={scm.sha.slice(0, 7)} />}
        {author && <span>{inboxTexts.by(author)}</span>}
      </p>
    </>
  );
}

function Named({ url, text }: { url: string | null; text: string }) {
  return url === null ? <span>{text}</span> : <WebLink url={url}>{text}</WebLink>;
}

/** Folds the runs that a newer one replaces. */
function Superseded({ ids }: { ids: readonly string[] }) {
  const [isUnfolded, setUnfolded] = useState(false);
  return (
    <span>
      <button
        type="button"
        className="text-button"
        aria-expanded={isUnfolded}
        onClick={() => setUnfolded(!isUnfolded)}
      >
        {inboxTexts.superseded(ids.length)}
      </button>
      {isUnfolded && (
        <ul className="inbox-earlier" aria-label={inboxTexts.earlier}>
          {ids.map(id => (
            <li key={id}>
              <Link to={{ page: "run", id }}>
                <code>{id}</code>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </span>
  );
}

function InboxThumbnail({ runId, shot }: { runId: string; shot: InboxItem["screenshots"][number] }) {
  const { id, image, width, height, regions } = shot;
  const title = commonTexts.pageAt(shot);
  return (
    <Link
      className="inbox-shot"
      to={{ page: "review", id: runId, shot: id }}
      title={title}
      aria-label={title}
    >
      {image !== null && width !== null && height !== null && (
        <PageThumbnail
          {...{ width, height, regions }}
          image={ownLink(image)}
          crop={cropAround(regions[0], { width, height })}
          shownPx={SHOWN_PX}
        />
      )}
    </Link>
  );
}
