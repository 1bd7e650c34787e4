import { readTeamRows, tableOf } from "../../../mixins/database/team-rows.ts";
import { call } from "../../../shared/contracts/bus.ts";
import type {
  ExportedRow,
  ExportedRows,
  ExportRows,
  TransferFile,
} from "../../../shared/contracts/transfers/transfers.ts";
import { EXPORT_BOUNDS, type ExportPart, type LeftOut } from "../../../shared/transfers/export-manifest.ts";
import { TRANSFERRED_TABLES, type TransferService } from "../../../shared/transfers/transferred-tables.ts";
import { FILE_COLUMNS, isOfMonitor, RUN_TABLES } from "./tables.ts";
import { endTransfer, finishStep, putHead, type Transfer } from "./transfer.store.ts";
import { findProjects, findSecretNames, insertFiles, insertParts } from "./transfer-content.store.ts";
import { EXPORT_KEPT_DAYS, LEASE_SECONDS, type TransfersContext } from "./transfers-context.ts";

/**
 * Writes the rows of a team's tables into parts, one at a time. A part is stored before its row, so a node can stop at
 * any moment, and another one continues after the last part.
 */
export async function exportTeam(
  context: TransfersContext,
  transfer: Transfer,
  signal: AbortSignal,
): Promise<void> {
  if (transfer.step === 0) await putHead(context.em(), await readHead(context, transfer));
  let current = transfer;
  while (!signal.aborted) {
    const { table: index = 0, after = null } = current.position;
    const table = TRANSFERRED_TABLES[index];
    if (!table) {
      const { id, step } = current;
      await endTransfer(context.em(), { id, step, status: "completed", error: null }, EXPORT_KEPT_DAYS);
      return;
    }
    const { service, table: name } = table;
    const page = await readRows(context, service, {
      teamId: current.teamId,
      table: name,
      after,
      maxBytes: EXPORT_BOUNDS.usualPartBytes,
    });
    const position =
      page.next === null ? { table: index + 1, after: null } : { table: index, after: page.next };
    const next = await storePart(context, current, { service, table: name }, page.rows, position);
    if (next === null) return;
    current = next;
  }
}

async function storePart(
  context: TransfersContext,
  transfer: Transfer,
  of: Pick<ExportPart, "service" | "table">,
  rows: ExportedRow[],
  position: Transfer["position"],
): Promise<Transfer | null> {
  const lines = rows.map(row => `${JSON.stringify(row)}\n`).join("");
  const hash = rows.length === 0 ? null : await context.archiveFiles.put(Buffer.from(lines));
  const name = `${of.service}.${of.table}`;
  const known = transfer.counts[name]?.rows ?? 0;
  const counts = { ...transfer.counts, [name]: { rows: known + rows.length } };
  const next = { ...transfer, position, counts };
  const isMine = await context.em().transactional(async tx => {
    if (!(await finishStep(tx, next, LEASE_SECONDS))) return false;
    if (hash !== null)
      await insertParts(tx, transfer.id, transfer.step, [{ ...of, rows: rows.length, hash }]);
    if (of.service === "runs") await insertFiles(tx, transfer.id, filesOf(of.table, rows));
    return true;
  });
  return isMine ? { ...next, step: transfer.step + 1 } : null;
}

/** Returns the files that rows need. */
function filesOf(table: string, rows: readonly ExportedRow[]): TransferFile[] {
  const columns = Object.entries(FILE_COLUMNS[table] ?? {});
  return rows.flatMap(row =>
    columns.flatMap(([column, kind]) => {
      const hash = row[column];
      return typeof hash === "string" ? [{ hash, kind }] : [];
    }),
  );
}

/** Reads rows of this service, or asks their own one. */
async function readRows(
  context: TransfersContext,
  service: TransferService,
  params: ExportRows,
): Promise<ExportedRows> {
  if (service !== "runs") return await call(context.bus, `${service}.exportRows`, params);
  return await readTeamRows(context.em(), tableOf(RUN_TABLES, params.table), params);
}

async function readHead(
  { em, bus }: TransfersContext,
  { id, teamId }: Transfer,
): Promise<Pick<Transfer, "id" | "leftOut" | "manifest">> {
  const secrets = await findSecretNames(em(), teamId);
  const others = await Promise.all(
    (["teams", "monitors", "alerts"] as const).map(service => call(bus, `${service}.leftOut`, { teamId })),
  );
  const own: LeftOut[] = secrets.map(({ project, name }) => ({
    kind: "secret",
    name: `${project}: ${name}`,
  }));
  const projects = (await findProjects(em(), teamId)).filter(({ name }) => !isOfMonitor(name));
  return { id, leftOut: [...own, ...others.flat()], manifest: { projects } };
}
