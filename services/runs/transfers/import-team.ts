import { InvalidRowError, writeTeamRows } from "../../../mixins/database/team-rows.ts";
import { call } from "../../../shared/contracts/bus.ts";
import { changeTeamBody, teamsBody } from "../../../shared/contracts/teams/people.ts";
import type { ExportedRow } from "../../../shared/contracts/transfers/transfers.ts";
import { EXPORT_BOUNDS, type ExportPart } from "../../../shared/transfers/export-manifest.ts";
import { type Remap, remapRow } from "../../../shared/transfers/remap.rule.ts";
import { TRANSFERRED_TABLES, tablePosition } from "../../../shared/transfers/transferred-tables.ts";
import { TRANSFER_ERRORS } from "../texts/uploads.ts";
import { RUN_TABLES } from "./tables.ts";
import { endTransfer, finishStep, type Transfer } from "./transfer.store.ts";
import { deleteContents, findKnownFiles, findParts } from "./transfer-content.store.ts";
import { IMPORT_KEPT_DAYS, LEASE_SECONDS, type TransfersContext } from "./transfers-context.ts";

/** The file is not what a service exported. Another attempt would fail too. */
class InvalidExportError extends Error {}

const FINAL = new Set(["invalid_request", "forbidden", "not_found", "conflict", "plan_limit_exceeded"]);
const HASHES = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g;

/**
 * Writes the rows of an import, one part at a time. Rows that exist stay, so a node can stop at any moment, and another
 * one continues with the same part.
 */
export async function importTeam(
  context: TransfersContext,
  transfer: Transfer,
  signal: AbortSignal,
): Promise<void> {
  const parts = await orderedParts(context, transfer);
  let current = transfer;
  try {
    for (const part of parts.slice(transfer.step)) {
      if (signal.aborted) return;
      const written = await importPart(context, current, part);
      const name = `${part.service}.${part.table}`;
      const { rows, new: added = 0 } = current.counts[name] ?? { rows: 0 };
      const counts = { ...current.counts, [name]: { rows: rows + part.rows, new: added + written.new } };
      const next = { ...current, counts, notes: [...current.notes, ...written.notes] };
      if (!(await finishStep(context.em(), next, LEASE_SECONDS))) return;
      current = { ...next, step: current.step + 1 };
    }
    await end(context, current, "completed", null);
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === null) throw error;
    await end(context, current, "failed", reason);
  }
}

async function end(
  { em }: TransfersContext,
  { id, step }: Transfer,
  status: "completed" | "failed",
  error: string | null,
): Promise<void> {
  if (await endTransfer(em(), { id, step, status, error }, IMPORT_KEPT_DAYS)) await deleteContents(em(), id);
}

/** Returns why an import can't succeed. Null if a later attempt may. */
function reasonOf(error: unknown): string | null {
  if (error instanceof InvalidExportError) return error.message;
  if (error instanceof InvalidRowError) return TRANSFER_ERRORS.invalidRow(error.message);
  return isRefusal(error) ? error.message : null;
}

/** Whether another service refused what it got. Others, such as unavailable, are retried. */
function isRefusal(error: unknown): error is Error {
  return error instanceof Error && "type" in error && FINAL.has(String(error.type));
}

/** Returns the parts in the order in which they can be written. */
async function orderedParts({ em }: TransfersContext, { id }: Transfer): Promise<ExportPart[]> {
  const parts = (await findParts(em(), id, -1, EXPORT_BOUNDS.parts)).map(({ part }) => part);
  return parts
    .filter(part => TRANSFERRED_TABLES[tablePosition(part)]?.isForReading !== true)
    .sort((a, b) => tablePosition(a) - tablePosition(b));
}

interface Written {
  new: number;
  notes: string[];
}

async function importPart(context: TransfersContext, transfer: Transfer, part: ExportPart): Promise<Written> {
  const bytes = await context.archiveFiles.get(part.hash);
  const text = bytes.toString();
  const rows = readLines(text, part);
  if (part.service === "teams") return await importPeople(context, transfer, part.table, rows);
  const known = await findKnownFiles(context.em(), transfer.id, [...new Set(text.match(HASHES) ?? [])]);
  const remap = remapOf(context, transfer, known);
  const mapped = rows.flatMap(row => {
    const named = renameProject(remapRow(row, remap), part, transfer);
    return named === null ? [] : [named];
  });
  return { new: await writeRows(context, transfer, part, mapped), notes: [] };
}

function readLines(text: string, { rows, service, table }: ExportPart): ExportedRow[] {
  const lines = text.split("\n").filter(line => line !== "");
  if (lines.length !== rows) throw new InvalidExportError(TRANSFER_ERRORS.otherRows(`${service}.${table}`));
  return lines.map(line => {
    const row: unknown = parseRow(line);
    if (typeof row !== "object" || row === null || Array.isArray(row))
      throw new InvalidExportError(TRANSFER_ERRORS.invalidRow(`${service}.${table}`));
    return { ...row };
  });
}

function parseRow(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function remapOf({ baseUrl }: TransfersContext, { teamId, manifest }: Transfer, known: Set<string>): Remap {
  return {
    teamId,
    fromTeamId: manifest.team?.id ?? "",
    fromUrl: manifest.url ?? "",
    url: baseUrl,
    has: hash => known.has(hash),
  };
}

/** Returns a row with the name that its project gets. Null if the project is skipped. */
function renameProject(
  row: ExportedRow,
  { service, table }: ExportPart,
  { options: { names = {} } }: Transfer,
): ExportedRow | null {
  const column = service === "runs" && table === "project" ? "name" : "project";
  const name = row[column];
  if (typeof name !== "string" || !Object.hasOwn(names, name)) return row;
  const renamed = names[name];
  return typeof renamed === "string" ? { ...row, [column]: renamed } : null;
}

async function writeRows(
  context: TransfersContext,
  { teamId, caller }: Transfer,
  { service, table }: ExportPart,
  rows: ExportedRow[],
): Promise<number> {
  if (service === "runs") {
    const spec = RUN_TABLES[table];
    if (!spec) throw new InvalidExportError(TRANSFER_ERRORS.unknownTable(`${service}.${table}`));
    return await writeTeamRows(context.em(), spec, teamId, rows);
  }
  if (service === "teams") return 0;
  let written = 0;
  for (const batch of batchesOf(rows))
    written += (await call(context.as(caller), `${service}.importRows`, { teamId, table, rows: batch }))
      .written;
  return written;
}

/** Splits rows, so that each batch fits into a message. */
function batchesOf(rows: readonly ExportedRow[]): ExportedRow[][] {
  const batches: ExportedRow[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    const size = JSON.stringify(row).length;
    if (bytes + size > EXPORT_BOUNDS.usualPartBytes) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(row);
    bytes += size;
  }
  return batches;
}

/** Uses the settings of the exported team and invites its members, if the admin wants that. */
async function importPeople(
  context: TransfersContext,
  { options, caller, teamId }: Transfer,
  table: string,
  rows: readonly ExportedRow[],
): Promise<Written> {
  const bus = context.as(caller);
  if (table === "team" && options.settings === true) {
    const [row = {}] = rows;
    const parsed = changeTeamBody.safeParse({
      requiredApprovals: row.required_approvals,
      allowSelfApproval: row.allow_self_approval,
      linkDays: row.link_days,
      publicLinks: row.public_links,
    });
    if (!parsed.success) throw new InvalidExportError(TRANSFER_ERRORS.invalidRow("teams.team"));
    await call(bus, "teams.change", parsed.data);
  }
  if (table !== "member" || options.members !== true) return { new: 0, notes: [] };
  const notes: string[] = [];
  let added = 0;
  for (const { login, email, provider, role } of rows) {
    // A login of an identity provider means nothing elsewhere.
    const person = provider === null && typeof login === "string" ? { login } : { email };
    const parsed = teamsBody.safeParse({ teamId, add: [{ ...person, role }] });
    const name = String(login ?? email ?? "");
    if (!parsed.success) notes.push(TRANSFER_ERRORS.noAddress(name));
    else {
      const refused = await inviteMember(context.as(caller), parsed.data);
      if (refused === null) added++;
      else notes.push(TRANSFER_ERRORS.notInvited(name, refused));
    }
  }
  return { new: added, notes };
}

/** Invites a member. @returns why the service refused */
async function inviteMember(
  bus: ReturnType<TransfersContext["as"]>,
  body: Parameters<typeof call<"teams.manage">>[2],
): Promise<string | null> {
  try {
    await call(bus, "teams.manage", body);
    return null;
  } catch (error) {
    if (isRefusal(error)) return error.message;
    throw error;
  }
}
