import { createHash } from "node:crypto";
import type { Actions } from "../../../shared/contracts/actions.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import type {
  ExportView,
  ImportOptions,
  ImportView,
  ManifestHead,
  ReceivedUpload,
  TransferFile,
} from "../../../shared/contracts/transfers/transfers.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { newId } from "../../../shared/ids.ts";
import { parseJson } from "../../../shared/json.ts";
import {
  EXPORT_VERSION,
  type ExportManifest,
  type ExportPart,
  exportManifest,
} from "../../../shared/transfers/export-manifest.ts";
import { remappedId } from "../../../shared/transfers/remap.rule.ts";
import { tablePosition } from "../../../shared/transfers/transferred-tables.ts";
import { TRANSFER_ERRORS } from "../texts/uploads.ts";
import { planNames } from "./plan-names.rule.ts";
import { presentExport, presentImport } from "./present-transfer.ts";
import {
  deleteReceiving,
  findLatest,
  findTransfer,
  insertTransfer,
  noteReceived,
  startImport,
  type Transfer,
} from "./transfer.store.ts";
import { findFiles, findParts, findProjects, insertFiles, insertParts } from "./transfer-content.store.ts";
import type { TransfersContext } from "./transfers-context.ts";

/** Parts in one message. */
const PART_BATCH = 500;
/** Files in one message. */
const FILE_BATCH = 1_000;

/** Starts an export of the caller's team, or returns the running one. */
export async function startExport(context: TransfersContext, caller: Caller): Promise<ExportView> {
  const { teamId } = caller;
  await insertTransfer(context.em(), { id: newId("exp"), teamId, kind: "export", status: "running", caller });
  context.wake();
  return await getExport(context, caller);
}

/** Returns the team's latest export. @throws ServiceError not_found */
export async function getExport(context: TransfersContext, { teamId }: Caller): Promise<ExportView> {
  return presentExport(await latestOf(context, teamId, "export"), context.baseUrl);
}

/** Returns the team's latest import. @throws ServiceError not_found */
export async function getImport(context: TransfersContext, { teamId }: Caller): Promise<ImportView> {
  return presentImport(await latestOf(context, teamId, "import"), context.baseUrl);
}

async function latestOf({ em }: TransfersContext, teamId: string, kind: Transfer["kind"]): Promise<Transfer> {
  const found = await findLatest(em(), teamId, kind);
  if (!found) throw new ServiceError("not_found", TRANSFER_ERRORS.none(kind));
  return found;
}

/** Stores what the file of the latest export begins with. @returns its hash @throws ServiceError not_found, conflict until it is completed */
export async function readExportHead(
  context: TransfersContext,
  { teamId }: Caller,
  teamName: string,
): Promise<{ id: string; head: string }> {
  const { id, status, createdAt, manifest, leftOut, files } = await latestOf(context, teamId, "export");
  if (status !== "completed") throw new ServiceError("conflict", TRANSFER_ERRORS.notCompleted(status));
  const head: ManifestHead = {
    format: "vrs-export",
    version: EXPORT_VERSION,
    createdAt: new Date(createdAt).toISOString(),
    url: context.baseUrl,
    team: { id: teamId, name: teamName },
    projects: manifest.projects ?? [],
    files,
    leftOut,
  };
  return { id, head: await context.archiveFiles.put(Buffer.from(JSON.stringify(head))) };
}

export async function listExportParts(
  { em }: TransfersContext,
  { teamId }: Caller,
  { id, after }: { id: string; after: number },
): Promise<{ number: number; part: ExportPart }[]> {
  return (await findTransfer(em(), teamId, id)) ? await findParts(em(), id, after, PART_BATCH) : [];
}

export async function listExportFiles(
  { em }: TransfersContext,
  { teamId }: Caller,
  { id, after }: { id: string; after: string },
): Promise<TransferFile[]> {
  return (await findTransfer(em(), teamId, id)) ? await findFiles(em(), id, after, FILE_BATCH) : [];
}

/**
 * Prepares an import: chooses the names of its projects. A file with the same manifest continues an import whose upload
 * broke off.
 * @throws ServiceError invalid_request for a file of a later version; conflict for a running import, and for projects
 * that the team already has
 */
export async function beginImport(
  context: TransfersContext,
  caller: Caller,
  { digest, query }: { digest: string; query: ImportOptions },
): Promise<{ id: string }> {
  const { em } = context;
  const { teamId } = caller;
  const { manifest, options, whole } = await planImport(context, teamId, digest, query);
  const before = await findLatest(em(), teamId, "import");
  if (before?.status === "running") throw new ServiceError("conflict", TRANSFER_ERRORS.running);
  if (before?.status === "receiving" && before.digest === whole) return { id: before.id };
  const id = newId("imp");
  return await em().transactional(async tx => {
    await deleteReceiving(tx, teamId);
    const { leftOut } = manifest;
    const isNew = await insertTransfer(tx, {
      ...{ id, teamId, kind: "import", status: "receiving", caller, manifest, leftOut },
      digest: whole,
      options,
    });
    if (!isNew) throw new ServiceError("conflict", TRANSFER_ERRORS.running);
    return { id };
  });
}

/**
 * Chooses what an import of a file does, and the names that its projects get.
 * @param digest of the file's manifest
 * @returns also what identifies the same import again
 * @throws ServiceError invalid_request for a file of a later version; conflict for projects that the team already has
 */
async function planImport(
  { em, archiveFiles }: TransfersContext,
  teamId: string,
  digest: string,
  query: ImportOptions,
) {
  const { parts: _parts, ...manifest } = readManifest(await archiveFiles.get(digest));
  if (manifest.version > EXPORT_VERSION)
    throw new ServiceError("invalid_request", TRANSFER_ERRORS.laterVersion(manifest.version));
  const options = { settings: query.settings === "1", members: query.members === "1" };
  const planned = planNames(
    manifest.projects.map(({ id, name }) => ({
      name,
      id: remappedId(id, { teamId, fromTeamId: manifest.team.id }),
    })),
    await findProjects(em(), teamId),
    query.existing,
  );
  if ("taken" in planned) throw new ServiceError("conflict", TRANSFER_ERRORS.existing(planned.taken));
  const { names } = planned;
  const whole = createHash("sha256")
    .update(JSON.stringify([digest, options, names]))
    .digest("hex");
  return { manifest, options: { ...options, names }, whole };
}

/**
 * Returns where an upload that broke off continues.
 * @param manifest of the file to continue with; without one, the caller knows that it is the same file
 * @throws ServiceError conflict if it can't continue there, or was of another file or with other options
 */
export async function resumeImport(
  context: TransfersContext,
  { teamId }: Caller,
  { from, manifest, query }: Actions["runs.resumeImport"]["params"],
): Promise<{ id: string; received: ReceivedUpload }> {
  const latest = await findLatest(context.em(), teamId, "import");
  if (latest?.status !== "receiving" || latest.received?.bytes !== from)
    throw new ServiceError("conflict", TRANSFER_ERRORS.notResumable);
  if (manifest !== undefined && !(await isSameImport(context, latest, manifest, query)))
    throw new ServiceError("conflict", TRANSFER_ERRORS.otherUpload);
  return { id: latest.id, received: latest.received };
}

async function isSameImport(
  context: TransfersContext,
  { teamId, digest, received }: Transfer,
  manifest: string,
  query: ImportOptions,
): Promise<boolean> {
  if (received?.manifest !== manifest) return false;
  return (await planImport(context, teamId, manifest, query)).whole === digest;
}

/** @throws ServiceError invalid_request */
function readManifest(bytes: Buffer): ExportManifest {
  const { success, data } = exportManifest.safeParse(parseJson(bytes.toString()));
  if (!success) throw new ServiceError("invalid_request", TRANSFER_ERRORS.invalidRow("manifest"));
  return data;
}

/** Notes parts whose rows are stored. @throws ServiceError invalid_request for unknown tables */
export async function addImportParts(
  { em }: TransfersContext,
  { teamId }: Caller,
  { id, from, parts, received }: Actions["runs.addImportParts"]["params"],
): Promise<null> {
  receiving(await findTransfer(em(), teamId, id));
  const unknown = parts.find(part => tablePosition(part) === -1);
  if (unknown)
    throw new ServiceError(
      "invalid_request",
      TRANSFER_ERRORS.unknownTable(`${unknown.service}.${unknown.table}`),
    );
  await insertParts(em(), id, from, parts);
  if (received) await noteReceived(em(), id, received);
  return null;
}

/** Notes files that are stored. */
export async function addImportFiles(
  { em }: TransfersContext,
  { teamId }: Caller,
  { id, files, received }: Actions["runs.addImportFiles"]["params"],
): Promise<null> {
  receiving(await findTransfer(em(), teamId, id));
  await insertFiles(em(), id, files);
  if (received) await noteReceived(em(), id, received);
  return null;
}

/** Starts an import whose file is complete. */
export async function runImport(
  context: TransfersContext,
  caller: Caller,
  { id }: { id: string },
): Promise<ImportView> {
  receiving(await findTransfer(context.em(), caller.teamId, id));
  await startImport(context.em(), id);
  context.wake();
  return await getImport(context, caller);
}

/** @throws ServiceError conflict if the import was replaced by another upload */
function receiving(transfer: Transfer | null): void {
  if (transfer?.status !== "receiving") throw new ServiceError("conflict", TRANSFER_ERRORS.replaced);
}
