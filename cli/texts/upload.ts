/** `vrs upload`. */
import { count, figure, formatBytes } from "../../shared/text/format.ts";

export const UPLOAD_TEXTS = {
  sending: (images: number, unknown: number, bytes: number) =>
    `${figure(images)} of ${count(unknown, "image")} uploaded, ${formatBytes(bytes)}`,
  sent: (id: string, project: string, screenshots: number, images: number, bytes: number) =>
    `Build ${id} of ${project}: ${count(screenshots, "screenshot")}, ${images === 0 ? "nothing new to upload" : `${count(images, "new image")} uploaded (${formatBytes(bytes)})`}`,
  sentAttachments: (attachments: number) => `, ${count(attachments, "attachment")}`,
  skipped: (path: string, why: string) => `${path} was not uploaded. ${why}`,
  emptyShard: (why: string) => `${why} This job continues without them.`,
  waitsForShards: (finalized: number, total: number) =>
    `${figure(finalized)} of ${count(total, "shard")} are complete. The job with the last one waits for the result.`,
  wouldUpload: (screenshots: number, project: string) =>
    `${count(screenshots, "screenshot")} would be uploaded to ${project}. Nothing was sent.`,
};

export const UPLOAD_ERRORS = {
  noNonce:
    "There is nothing that identifies the build of these jobs. Add --nonce with a text that is equal in all of them, such as the id of the CI workflow.",
  parallel: (text: string) =>
    `--parallel must be the position and the number of this job, such as 2/4, or auto. You gave "${text}".`,
  noPosition:
    "--parallel auto found no variables of a CI service about parallel jobs. Give the position and the number of this job, such as --parallel 2/4.",
  noProject:
    "There is no project. Add --project, or run this in a git repository with a remote named origin.",
  build: "The build",
  invalid: (failures: readonly string[]) => `The build is invalid. ${failures.join(" ")}`,
  changed: (path: string) => `${path} was removed during the upload. Run the command again.`,
  noToken: (why: string) =>
    `GitHub Actions gave no OIDC token: ${why}. Repeat the job, or set SERVICE_API_KEY.`,
  noKey: (url: string, why: string) => `${url} gave no key for the OIDC token of this job. ${why}`,
  needsParallel: "--nonce is for parallel jobs. Use it with --parallel.",
};
