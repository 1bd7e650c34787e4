import { count, figure, listed } from "../../../shared/text/format.ts";

/** Texts of uploaded archives, builds and exports for users. */

/** Why a request about an archive is refused. */
export const ARCHIVE_ERRORS = {
  otherProject: (project: string) =>
    `This API key can't upload archives to the project ${project}. Use the project that the key was created for.`,
  onlyArchives: "This API key can only submit runs of archives. Use a key of the team.",
  noSecrets:
    "This API key can't submit runs that use secrets. Use a key of the team, or remove the secrets from the options.",
  noRoom: (bytes: number) =>
    `The team's archives and attachments together have ${figure(Math.floor(bytes / 1024 ** 3))} GiB, which is the limit. Archives are deleted a day after their last run. Ask the operator to raise ARCHIVE_TEAM_GIB.`,
  unknown: (project: string) =>
    `is not an archive of the project ${project}. Upload it first with POST /v1/archives`,
};

/** Why a request about a build is refused, or the build failed. */
export const BUILD_ERRORS = {
  closed: (id: string, status: string) =>
    `${id} is ${status} and accepts no more screenshots. Create another build, with another nonce if it is parallel.`,
  otherProject: (project: string) =>
    `This API key can't upload builds to the project ${project}. Use the project that the key was created for.`,
  otherRepository:
    "This API key can't upload builds of commits in another repository. Use a key for that repository's project.",
  otherCommit: (id: string) =>
    `The build with this nonce, ${id}, is of another commit. Use a nonce that each build has alone.`,
  shardIsRequired: "is required, because the build is parallel",
  duplicate: "has the name, environment and viewport of an earlier one, but other bytes",
  contested: (name: string) =>
    `contains ${name}, which another shard listed with other bytes. Give it another name or environment`,
  tooMany: (count: number, most: number) =>
    `make ${figure(count)} screenshots with the earlier ones. A build has at most ${figure(most)}`,
  missing: (images: number, first: string) =>
    `${count(images, "image")} of the build must be uploaded first, such as ${first}. Get the build for their upload URLs.`,
  unusable: (hash: string, why: string) =>
    `The uploaded image ${hash} can't be used: ${why}. Upload a complete PNG, JPEG or WebP file.`,
  otherHash: "it has another SHA-256",
  tooLarge: (most: number) => `it has more than ${most / 1024 / 1024} MiB`,
  empty: (id: string) => `${id} has no screenshots. List some before you finalize it.`,
  abandoned: (minutes: number, finalized: number, total: number | null) =>
    `Nothing was uploaded for ${count(minutes, "minute")}, and ${total === null ? "the build was not finalized" : `only ${finalized} of ${count(total, "shard")} were finalized`}. Check the CI jobs that upload, and start them again.`,
};

export const ATTACHMENT_ERRORS = {
  noRoom: (bytes: number) =>
    `The team's archives and attachments together have ${figure(Math.floor(bytes / 1024 ** 3))} GiB, which is the limit. Attachments are deleted with their runs. Ask the operator to raise ARCHIVE_TEAM_GIB.`,
};

/** Texts of exports and imports. */
export const TRANSFER_ERRORS = {
  none: (kind: "export" | "import") => `This team has no ${kind} yet. Start one first.`,
  notCompleted: (status: string) => `The export is ${status}. Download its file once it is completed.`,
  laterVersion: (version: number) =>
    `The file has version ${version} of the format. Update this service, then import it.`,
  existing: (names: readonly string[]) =>
    `This team already has ${listed(names.slice(0, 5))}${names.length > 5 ? ` and ${count(names.length - 5, "other project")}` : ""}. Nothing was imported. Set \`existing\` to \`rename\` or \`skip\`.`,
  running: "An import of this team is running. Wait until it ends.",
  notResumable:
    "The upload can't continue here. Get the import: `receivedBytes` says where it continues. Without it, send the whole file.",
  otherUpload:
    "The upload that broke off was of another file, or had other options. Send the whole file, or use the same ones.",
  replaced: "This import is not waiting for its file. Start it again.",
  invalidRow: (table: string) =>
    `The file has a row of ${table} that no export has. Export the team again, then import that file.`,
  otherRows: (table: string) =>
    `A part of ${table} has another number of rows than the manifest says. Export the team again.`,
  unknownTable: (table: string) =>
    `The file has a table ${table} that this service doesn't know. Update the service.`,
  noAddress: (name: string) =>
    `${name} has no login of the code host and no email address. Invite the member by hand.`,
  notInvited: (name: string, why: string) => `${name} was not invited: ${why}`,
  gaveUp: (days: number) =>
    `It failed for ${count(days, "day")}. Start it again. If it fails again, ask the operator to look into the log.`,
};
