import type { EntityManager } from "../../../mixins/database.ts";
import {
  type Build as BuildView,
  type CreateBuild,
  projectOfBuild,
} from "../../../shared/contracts/builds/builds.ts";
import { broadcast } from "../../../shared/contracts/bus.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { invalidField, ServiceError } from "../../../shared/errors.ts";
import { findRuns } from "../run.store.ts";
import type { RunsContext } from "../runs-context.ts";
import { noteDefaultBranch } from "../submission/follow-default-branch.ts";
import { findProjectFor, newRun } from "../submission/new-run.ts";
import { findRepeated } from "../submission/repeated-run.store.ts";
import { RUN_ERRORS } from "../texts/runs.ts";
import { BUILD_ERRORS } from "../texts/uploads.ts";
import { addScreenshots } from "./add-screenshots.ts";
import { findBuildByNonce, insertBuildOnce, setSubset } from "./build.store.ts";
import { viewOfBuild } from "./build-views.ts";
import { mayReportOn, mayUploadTo } from "./upload-keys.rule.ts";

/** A shard of builds without shards. */
const ONLY_SHARD = "1";

interface Creation {
  id: string;
  body: CreateBuild;
  idempotencyKey?: string | undefined;
}

/**
 * Creates a build, or joins the one with the same nonce, and lists screenshots. A repeat of the same message or
 * idempotency key continues its build.
 * @throws ServiceError forbidden for a project that the API key is not for; conflict for a build that has ended, or is of another commit; invalid_request
 */
export async function createBuild(
  context: RunsContext,
  caller: Caller,
  { id, body, idempotencyKey }: Creation,
): Promise<BuildView> {
  const project = projectOf(body);
  if (!mayUploadTo(caller, project)) throw new ServiceError("forbidden", BUILD_ERRORS.otherProject(project));
  if (!mayReportOn(caller, body.scm)) throw new ServiceError("forbidden", BUILD_ERRORS.otherRepository);
  const followed = await findProjectFor(context.em(), caller, project, body);
  await noteDefaultBranch(context, caller, followed);
  const find = () => findExisting(context.em(), caller, followed.project.id, { id, body, idempotencyKey });
  const run = {
    ...newRun(caller, { ...body, url: body.url ?? "", options: {} }, followed.project, {
      ...{ id, dedupeKey: null, idempotencyKey: idempotencyKey ?? null },
      ...{ bodyDigest: "", isConfirmation: false },
    }),
    ...{ source: "upload" as const, warnings: [], screenshotsPerJob: 1 },
  };
  const { parallel, name, subset, scm, baselineBranch } = body;
  const build = {
    ...{ runId: id, projectId: run.projectId, name: name ?? null, subset },
    ...{ nonce: parallel?.nonce ?? null, total: parallel?.total ?? null },
    comparedWith: { ...(scm && { scm }), ...(baselineBranch !== undefined && { baselineBranch }) },
  };
  const existing = await find();
  const created = existing ?? (await insertBuildOnce(context.em(), run, build, find));
  if (existing === null && created === id)
    await broadcast(context.bus, "run.submitted", { runId: id, teamId: caller.teamId });
  if (created !== id) {
    await requireSameCommit(context.em(), created, body);
    if (subset) await setSubset(context.em(), created);
  }
  const { shard = ONLY_SHARD, screenshots } = body;
  const { total } = build;
  const needed = await addScreenshots(context, caller, { id: created, shard, screenshots, total });
  return viewOfBuild(context, caller, created, needed);
}

function projectOf({ project, scm, name }: CreateBuild): string {
  return projectOfBuild(project ?? `${scm?.owner}/${scm?.repo}`, name);
}

/**
 * Finds the build that this message already created, or that another shard created.
 * @throws ServiceError invalid_request for an idempotency key of a run, or of a build of another project
 */
async function findExisting(
  em: EntityManager,
  { teamId }: Caller,
  projectId: string,
  { id, body, idempotencyKey = undefined }: Creation,
): Promise<string | null> {
  const keys = { id, idempotencyKey: idempotencyKey ?? null, dedupeKey: null };
  const repeated = await findRepeated(em, teamId, keys);
  if (repeated && (repeated.source !== "upload" || repeated.projectId !== projectId))
    throw invalidField("Idempotency-Key", RUN_ERRORS.idempotencyKey(repeated.id));
  if (repeated) return repeated.id;
  const nonce = body.parallel?.nonce;
  const joined = nonce === undefined ? null : await findBuildByNonce(em, projectId, nonce);
  return joined?.runId ?? null;
}

async function requireSameCommit(em: EntityManager, id: string, { scm }: CreateBuild): Promise<void> {
  const [run] = await findRuns(em, [id]);
  if (run?.scm?.sha.toLowerCase() === scm?.sha.toLowerCase()) return;
  throw new ServiceError("conflict", BUILD_ERRORS.otherCommit(id));
}
