import type { ReactNode } from "react";
import type { AttachmentView } from "../../shared/contracts/builds/attachments.ts";
import type { UploadView } from "../../shared/contracts/builds/uploaded-screenshot.ts";
import { formatBytes } from "../../shared/text/format.ts";
import { number } from "../texts/format.ts";
import { testTexts } from "../texts/review.ts";
import { WebLink } from "../ui/text/web-link.tsx";
import { SCREENSHOT_PANELS } from "./history-panel.tsx";
import { placeOf, traceViewerOf } from "./test-facts.ts";

/** Shows the test that made an uploaded screenshot, above the screenshot. */
export function TestPanel({ upload }: { upload: UploadView }) {
  const { titlePath = [], tags = [], url, retry = 0, note, previousNames = [], attachments = [] } = upload;
  const place = placeOf(upload);
  const facts: [string, ReactNode][] = [
    [testTexts.file, place && <code>{place}</code>],
    [testTexts.title, titlePath.join(" › ")],
    [testTexts.tags, tags.join(", ")],
    [testTexts.url, url && <WebLink url={url} />],
    [testTexts.retries, retry > 0 && testTexts.retriesAre(number(retry))],
    [testTexts.note, note],
    [testTexts.previousNames, previousNames.join(", ")],
    [testTexts.attachments, attachments.length > 0 && <Attachments attachments={attachments} />],
  ];
  const known = facts.filter(([, value]) => value);
  if (known.length === 0) return null;
  return (
    <details className="viewer-facts" name={SCREENSHOT_PANELS}>
      <summary>{testTexts.test}</summary>
      <div>
        <dl className="facts">
          {known.map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name} value`}>{value}</dd>])}
        </dl>
      </div>
    </details>
  );
}

function Attachments({ attachments }: { attachments: readonly AttachmentView[] }) {
  return (
    <ul className="attachments">
      {attachments.map(attachment => {
        const { name, url, kind, bytes } = attachment;
        const viewer = traceViewerOf(attachment);
        return (
          <li key={`${name} ${url}`}>
            {kind === "link" ? (
              <WebLink url={url}>{name}</WebLink>
            ) : (
              <a href={url} rel="noopener noreferrer" target="_blank">
                {name}
              </a>
            )}
            {bytes !== null && ` (${formatBytes(bytes)})`}
            {viewer !== null && (
              <>
                {" · "}
                <a href={viewer} rel="noopener noreferrer" target="_blank">
                  {testTexts.openTrace}
                </a>
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}
