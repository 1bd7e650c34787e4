import { timeInWords } from "../../../shared/text/dates.ts";
import { count, figure } from "../../../shared/text/format.ts";

/** Errors of requests. */

export const ACCESS_ERRORS = {
  missingKey: "No API key was sent. Send the header Authorization: Bearer <API key>, or sign in.",
  wrongKey: "This API key is unknown, expired or revoked. A team admin can create one on the API keys page.",
  sessionOver: "This session has expired. Sign in again.",
  keyInUrl: (parameter: string) =>
    `The parameter ${parameter} looks like an API key. URLs end up in logs, so revoke the key. Don't put API keys in URLs: send the header Authorization: Bearer <API key>.`,
  foreignSite:
    "This request comes from another site, so the session doesn't count. Send the header Origin with the URL of this service, or use an API key.",
  operatorsOnly: "This page covers all teams. Only admins of the default team can see it.",
  noSuchTeam: (id: string) => `You aren't a member of the team ${id}. Check the id.`,
  noTeam: "You aren't a member of any team. Ask a team admin to invite you.",
  deletedTeam: (id: string, deletesAt: string) =>
    `This team was deleted and will be erased on ${timeInWords(deletesAt)}. To restore it, send POST /v1/teams/${id}/restore.`,
  keyNeedsRole: (least: string, name: string, role: string) =>
    `This requires an API key with the role ${least}. "${name}" has the role ${role}.`,
  onlyProvisions: "This API key can only provision users by SCIM. Use another API key.",
  needsScimKey:
    "Only API keys with the scope scim can provision users. A team admin can create one on the sign-in page.",
  onlyUploads: (project: string) =>
    `This API key can only upload builds and archives to the project ${project}, and get their results. Use another API key.`,
  userNeedsRole: (least: string, name: string, role: string, team: string) =>
    `This requires the role ${least}. ${name} has the role ${role} in ${team}. Ask a team admin to change it.`,
  /** The sign-in page knows the button. */
  otherSignIn: (team: string) =>
    `The team ${team} only allows sign-in with its identity provider. Sign in again, with the provider.`,
  privateLinks: "Only members can open this team's links. Sign in first.",
  deadImageLink: "This image link has expired or was revoked. Fetch the screenshot again for a new link.",
  foreignSiteLink: "This link to a story is invalid. Copy it from the screenshot again.",
  deadSiteLink:
    "This link to a story has expired, was revoked, or its run was deleted. Open the screenshot again.",
  foreignImageLink:
    "The signature of this image link is invalid. Copy the whole link from the screenshot's metadata.",
};

export const FLEET_FAILURES = {
  noRenderer:
    "No renderer is connected. Runs wait until one starts. Start one with SERVICES=renderer npm start.",
};

export const REQUEST_ERRORS = {
  notJson: "The body has the wrong media type. Send JSON with the header Content-Type: application/json.",
  tooLarge: (mebibytes: number) => `The body is larger than ${mebibytes} MiB. Send less.`,
  malformed: "The body is not valid JSON.",
  notUtf8: "The body is not valid UTF-8. Encode it as UTF-8.",
  charset: "The body's charset is not supported. Encode it as UTF-8.",
  encoding: (encoding: string | undefined) =>
    `The Content-Encoding ${encoding} is not supported. Use gzip, deflate, br, or zstd, or none.`,
  cutShort: "The connection closed before the end of the body. Send the request again.",
  corrupt: (encoding: string) => `The body is not valid ${encoding}, although its Content-Encoding says so.`,
  body: "The body",
  more: (others: number) => ` See errors for ${count(others, "more invalid field")}.`,
  unknownField: "is not a known field",
  tooManyFields: (most: number) => `must have at most ${figure(most)} fields`,
  notStorable: "must not contain NUL or unpaired surrogates",
  tunnelId: "must be 32 random bytes in base64url",
  noWebSocket:
    "This path opens a tunnel. Send the request as a WebSocket, as `vrs run --render remote` does.",
  idempotencyKey: "must be 1 to 200 printable ASCII characters without spaces",
  badPath: "The path contains a character that no id has. Check the id.",
  noSuchPath: (path: string) => `There is no route ${path}. See /docs for all routes.`,
  servedElsewhere: (path: string) =>
    `This node does not serve ${path}, because it runs only an integration. Send the request to the service at its SERVICE_API_URL.`,
  noSuchMethod: (path: string, method: string | undefined, allow: string) =>
    `${path} does not support ${method}. Use ${allow}.`,
};

/** Why an uploaded archive is refused. */
export const ARCHIVE_UPLOAD_ERRORS = {
  tooLarge: (mebibytes: number) =>
    `The archive has more than ${mebibytes} MiB. Leave out files that no page needs, or ask the operator to raise ARCHIVE_MAX_MIB.`,
  cutShort: "The archive is incomplete, because the connection was interrupted. Upload it again.",
};

/** What is wrong with the file of an import, mostly after "The body". */
export const IMPORT_ERRORS = {
  noRows: (id: string) => `Rows of ${id} are missing from the store. Export the team again.`,
  noManifest: "is not the file of an export. Send the tar that the export's link downloads",
  manifest: (field: string) => `has a manifest with an invalid \`${field}\`. Export the team again`,
  entry: (name: string) => `has an entry "${name}" that no export has. Send the unchanged file`,
  large: (name: string) => `has an entry "${name}" that is too large. Send the unchanged file`,
  otherPart: (name: string) => `has other rows in "${name}" than its manifest lists. Send the unchanged file`,
  otherHash: (name: string) => `has other bytes in "${name}" than its name says. Send the unchanged file`,
  image: (name: string, why: string) => `has an image "${name}" that can't be used: ${why}`,
  damaged: (why: string) => `is not a complete tar: ${why}. Download the file again`,
  cutShort: "is incomplete. Download the file again, then send it",
};

/** Why an uploaded image or attachment is refused. */
export const UPLOAD_ERRORS = {
  otherHash: "has another SHA-256 than the URL. Send the unchanged bytes of the file",
  unreadable: (why: string) => `can't be used: ${why}. Upload a complete PNG, JPEG or WebP file`,
  tooLarge: (most: number) => `The image is too large. At most ${most / 1024 / 1024} MiB can be uploaded.`,
  attachmentTooLarge: (most: number) =>
    `The attachment is too large. At most ${most / 1024 / 1024} MiB can be uploaded. Link larger files with \`url\`.`,
  unknownKind: "is neither a zip file nor text in UTF-8. Link other files with `url`",
};

export const LIMIT_ERRORS = {
  thisKey: "This API key",
  thisAddress: "This IP address",
  requests: (client: string, perMinute: number, seconds: number) =>
    `${client} can send ${figure(perMinute)} requests per minute. Retry in ${seconds} seconds.`,
  wrongKeys: (perMinute: number, seconds: number) =>
    `This IP address sent more than ${figure(perMinute)} requests with invalid credentials in a minute. Valid credentials still work. Check your API key and retry in ${seconds} seconds.`,
  tunnels: (most: number) =>
    `A team can have at most ${most} open tunnels. Wait until another \`vrs run --render remote\` has ended.`,
  allTunnels: "This node has too many open tunnels. Retry in a minute.",
  runStreams: (most: number) =>
    `An API key or user can open at most ${most} progress streams. Close one and retry.`,
  teamStreams: (ofActor: number, ofTeam: number) =>
    `An API key or user can open at most ${ofActor} event streams, and a team at most ${ofTeam}. Close one and retry.`,
  sameReport: "This report is being downloaded too often at the same time. Retry when one download is done.",
  otherReports: "Too many reports are being downloaded. Retry in a few seconds.",
  openedReports: "Too many reports are being opened. Retry in a few seconds.",
  imports: "Too many imports are being uploaded. Retry in a moment.",
  archives: "Too many archives are being uploaded. Retry in a moment.",
  uploads: "Too many files are being uploaded. Retry in a moment.",
  deliveries: "Too many webhook deliveries are being received. Retry in a moment.",
  teamUploads: "Your team is uploading too many files at the same time. Retry in a moment.",
  thumbnails: "Too many thumbnails are being created. Retry in a moment.",
};

export const UNAVAILABLE_ERRORS = {
  part: "Part of the service did not respond. No data was lost. Retry shortly.",
  imageStore: "The image store did not respond. No data was lost. Retry shortly.",
  internal:
    "The request failed because of an internal error. Retry it. If it fails again, send the requestId to the operator.",
  noImageStore: "The image store is not available",
};
