import type { Build as BuildView, Upload } from "../../../shared/contracts/builds/builds.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { notFound, ServiceError } from "../../../shared/errors.ts";
import { findMissingAttachments } from "../attachments/attachment.store.ts";
import type { Run } from "../run.entity.ts";
import { findRun, tallyRuns } from "../run.store.ts";
import type { RunsContext } from "../runs-context.ts";
import { BUILD_ERRORS } from "../texts/uploads.ts";
import { type Build, countBuild, findBuild } from "./build.store.ts";
import { findMissing } from "./listed-screenshot.store.ts";
import { receivedName } from "./received-name.ts";
import { maySeeRun } from "./upload-keys.rule.ts";

/** Images in one response. More would not fit into a message on the bus. */
export const MAX_UPLOADS = 500;

/** No files to upload. */
export const NOTHING = { images: [], attachments: [] };

/** A build with its run. */
export interface BuildOfRun {
  build: Build;
  run: Run;
}

/** Returns the team's build with this id. @throws ServiceError not_found */
export async function buildOf(context: RunsContext, caller: Caller, id: string): Promise<BuildOfRun> {
  const em = context.em();
  const run = await findRun(em, caller.teamId, id);
  const build = run?.source === "upload" ? await findBuild(em, id) : null;
  if (!run || !build || !maySeeRun(caller, run)) throw notFound("build", id);
  return { build, run };
}

/** Checks that a build accepts screenshots. @throws ServiceError conflict */
export function requireOpen({ build, run }: BuildOfRun): void {
  if (!isOpen({ build, run })) throw new ServiceError("conflict", BUILD_ERRORS.closed(run.id, run.status));
}

function isOpen({ build, run }: BuildOfRun): boolean {
  return build.closedAt === null && run.completedAt === null;
}

/** Hashes of the files that a client should upload. */
export interface NeededFiles {
  images: readonly string[];
  attachments: readonly string[];
}

/** Returns a build as in responses. @param needed files that the caller should upload */
export async function viewOfBuild(
  context: RunsContext,
  caller: Caller,
  id: string,
  needed: NeededFiles,
): Promise<BuildView> {
  const { build, run } = await buildOf(context, caller, id);
  const em = context.em();
  const { screenshots, seen, finalized } = await countBuild(em, id);
  const tally = build.finalizedAt === null ? null : (await tallyRuns(em, [run])).get(id);
  return {
    id,
    status: run.status,
    project: run.project,
    name: build.name,
    open: isOpen({ build, run }),
    screenshots: tally?.total ?? screenshots,
    shards: { total: build.total, seen, finalized },
    ...(await uploadsOf(context, id, isOpen({ build, run }) ? needed : NOTHING)),
    error: run.error,
    links: { self: context.links.run(id), report: context.links.report(id, run.linkGeneration) },
  };
}

/** Returns a build with the images that it needs. @throws ServiceError not_found */
export async function getBuild(context: RunsContext, caller: Caller, id: string): Promise<BuildView> {
  const { build } = await buildOf(context, caller, id);
  const em = context.em();
  const limit = MAX_UPLOADS;
  return viewOfBuild(context, caller, id, {
    images: await findMissing(em, build, { limit }),
    attachments: await findMissingAttachments(em, build, { limit }),
  });
}

async function uploadsOf(
  context: RunsContext,
  id: string,
  { images, attachments }: NeededFiles,
): Promise<Pick<BuildView, "uploads" | "attachments">> {
  const uploads = images.map(hash => uploadOf(context, hash, { id, folder: "images" }));
  const files = attachments.map(hash => uploadOf(context, hash, { id, folder: "attachments" }));
  return { uploads: await Promise.all(uploads), attachments: await Promise.all(files) };
}

async function uploadOf(
  { links, directUploads }: RunsContext,
  hash: string,
  { id, folder }: { id: string; folder: "images" | "attachments" },
): Promise<Upload> {
  if (directUploads) {
    const signed = await directUploads.sign(receivedName(id, hash));
    return { hash, method: "PUT", ...signed, sendKey: false };
  }
  return {
    hash,
    method: "PUT",
    url: links.upload(id, folder, hash),
    headers: { "content-type": "application/octet-stream" },
    sendKey: true,
  };
}
