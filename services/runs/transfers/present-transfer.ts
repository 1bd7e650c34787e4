import type { ExportView, ImportView } from "../../../shared/contracts/transfers/transfers.ts";
import { TRANSFERRED_TABLES } from "../../../shared/transfers/transferred-tables.ts";
import type { Transfer } from "./transfer.store.ts";

const time = (value: Date | string | null) => (value === null ? null : new Date(value).toISOString());

/** Returns an export as admins see it. */
export function presentExport(transfer: Transfer, baseUrl: string): ExportView {
  const { teamId, status, position, files, expiresAt } = transfer;
  const self = `${baseUrl}/v1/teams/${teamId}/export`;
  const done = status === "completed" ? TRANSFERRED_TABLES.length : (position.table ?? 0);
  return {
    ...commonOf(transfer),
    progress: { done, total: TRANSFERRED_TABLES.length },
    files,
    expiresAt: time(expiresAt),
    links: { self, file: status === "completed" ? `${self}/file` : null },
  };
}

/** Returns an import as admins see it. */
export function presentImport(transfer: Transfer, baseUrl: string): ImportView {
  const { teamId, status, step, parts, options, notes, received } = transfer;
  return {
    ...commonOf(transfer),
    // Its parts are deleted once it ends.
    progress: { done: step, total: status === "running" ? parts : status === "receiving" ? null : step },
    projects: Object.entries(options.names ?? {}).map(([name, importedAs]) => ({ name, importedAs })),
    receivedBytes: status === "receiving" ? (received?.bytes ?? 0) : null,
    receivedManifest: status === "receiving" ? (received?.manifest ?? null) : null,
    notes,
    links: { self: `${baseUrl}/v1/teams/${teamId}/import` },
  };
}

function commonOf({ id, status, counts, leftOut, error, createdAt, endedAt }: Transfer) {
  return {
    ...{ id, status, counts, leftOut, error },
    createdAt: new Date(createdAt).toISOString(),
    endedAt: time(endedAt),
  };
}
