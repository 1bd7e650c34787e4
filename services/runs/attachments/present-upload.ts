import type { AttachmentView, UploadedAttachment } from "../../../shared/contracts/builds/attachments.ts";
import type { StoredUpload, UploadView } from "../../../shared/contracts/builds/uploaded-screenshot.ts";
import type { LinkedRun, Links } from "../../../shared/links/links.ts";
import type { Run } from "../run.entity.ts";

const FILE_NAME_CHARS = 60;
/** Endings that a name may have. */
const ENDINGS = { zip: /\.zip$/, text: /\.(txt|har|json)$/ };

/** Returns the metadata of an uploaded screenshot as in responses. @param files the project's attachments by hash */
export function viewOfUpload(
  { attachments, ...upload }: StoredUpload,
  files: ReadonlyMap<string, UploadedAttachment>,
  of: { run: LinkedRun & Pick<Run, "teamId">; links: Links },
): UploadView {
  if (!attachments) return upload;
  return { ...upload, attachments: attachments.flatMap(each => viewOfAttachment(each, files, of)) };
}

function viewOfAttachment(
  { name, url, hash = "" }: NonNullable<StoredUpload["attachments"]>[number],
  files: ReadonlyMap<string, UploadedAttachment>,
  { run, links }: { run: LinkedRun & Pick<Run, "teamId">; links: Links },
): AttachmentView[] {
  if (url !== undefined) return [{ name, url, kind: "link", bytes: null }];
  const file = files.get(hash);
  if (!file) return [];
  const link = links.attachment(run.teamId, { hash, fileName: fileNameOf(name, file) }, run);
  return [{ name, url: link, kind: file.kind, bytes: file.bytes }];
}

/** Returns a name for downloads. Its ending says what the file is, whatever its own name says. */
function fileNameOf(name: string, { kind }: UploadedAttachment): string {
  const plain = name
    .replaceAll(/[^A-Za-z0-9._-]+/g, "-")
    .replaceAll(/^[.-]+|[.-]+$/g, "")
    .slice(0, FILE_NAME_CHARS);
  const base = plain === "" ? "attachment" : plain;
  return ENDINGS[kind].test(base) ? base : base + (kind === "zip" ? ".zip" : ".txt");
}
