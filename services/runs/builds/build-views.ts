import type { Build as BuildView, Upload } from "../../../shared/contracts/builds/builds.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { notFound, ServiceError } from "../../../shared/errors.ts";
import type { Run } from "../run.entity.ts";
import { findRun, tallyRuns } from "../run.store.ts";
import type { RunsContext } from "../runs-context.ts";
import { BUILD_ERRORS } from "../texts.ts";
import { type Build, countBuild, findBuild } from "./build.store.ts";
import { findMissing } from "./listed-screenshot.store.ts";
import { receivedName } from "./receive-uploads.ts";
import { maySeeRun } from "./upload-keys.rule.ts";

/** Images in one response. More would not fit into a message on the bus. */
export const MAX_UPLOADS = 500;

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

/** Returns a build as in responses. @param hashes images that the caller should upload */
export async function viewOfBuild(
  context: RunsContext,
  caller: Caller,
  id: string,
  hashes: readonly string[],
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
    uploads: isOpen({ build, run }) ? await Promise.all(hashes.map(hash => uploadOf(context, id, hash))) : [],
    error: run.error,
    links: { self: context.links.run(id), report: context.links.report(id, run.linkGeneration) },
  };
}

/** Returns a build with the images that it needs. @throws ServiceError not_found */
export async function getBuild(context: RunsContext, caller: Caller, id: string): Promise<BuildView> {
  const { build } = await buildOf(context, caller, id);
  return viewOfBuild(context, caller, id, await findMissing(context.em(), build, { limit: MAX_UPLOADS }));
}

async function uploadOf({ links, directUploads }: RunsContext, id: string, hash: string): Promise<Upload> {
  if (directUploads) {
    const signed = await directUploads.sign(receivedName(id, hash));
    return { hash, method: "PUT", ...signed, sendKey: false };
  }
  return {
    hash,
    method: "PUT",
    url: links.upload(id, hash),
    headers: { "content-type": "application/octet-stream" },
    sendKey: true,
  };
}
