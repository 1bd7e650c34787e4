import { z } from "zod";
import {
  type ExportManifest,
  type ExportPart,
  type FileKind,
  type LeftOut,
  leftOut,
} from "../../transfers/export-manifest.ts";
import { fileHash } from "../builds/file-hash.ts";
import { link, time } from "../fields.ts";
import type { Action } from "../teams/team-actions.ts";

/** Exports of a team's whole data, and imports into another team. */

const TRANSFER_STATUSES = ["receiving", "running", "completed", "failed"] as const;

const counts = z
  .record(
    z.string(),
    z.object({ rows: z.int(), new: z.int().optional().describe("Rows that an import added") }),
  )
  .describe("Rows by table, such as `runs.baseline`");

const progress = z.object({
  done: z.int().describe("Finished parts"),
  total: z.int().nullable().describe("Null while it is unknown"),
});

const transfer = {
  id: z.string(),
  status: z.enum(TRANSFER_STATUSES),
  progress,
  counts,
  leftOut: z.array(leftOut).describe("Secrets that the file doesn't have. Set them again after an import"),
  error: z.string().nullable(),
  createdAt: time,
  endedAt: time.nullable(),
};

/** An export of a team's data. */
export const exportView = z.object({
  ...transfer,
  files: z.int().describe("Images and other files that the rows need"),
  expiresAt: time.nullable().describe("When the file can't be downloaded anymore"),
  links: z.object({ self: link, file: link.nullable().describe("Null until it is completed") }),
});

/** Query of `POST /v1/teams/:id/import`. */
export const importQuery = z.strictObject({
  existing: z
    .enum(["refuse", "rename", "skip"])
    .default("refuse")
    .describe("What to do with projects whose names the team already has. `rename` appends `-imported`"),
  settings: z
    .enum(["0", "1"])
    .default("0")
    .describe("`1`: use the exported team's settings for reviews and links"),
  members: z.enum(["0", "1"]).default("0").describe("`1`: invite the members of the exported team"),
  from: z.coerce
    .number()
    .int()
    .min(0)
    .default(0)
    .describe("Continue an upload that broke off: `receivedBytes` of the import. The body begins there"),
  manifest: fileHash
    .optional()
    .describe(
      "With `from`: SHA-256 of the file's `manifest.json`. Answers 409 if the upload that broke off was of another file, or had other options",
    ),
});

/** An import into a team. */
export const importView = z.object({
  ...transfer,
  projects: z
    .array(z.object({ name: z.string(), importedAs: z.string().nullable() }))
    .describe("Projects of the file. `importedAs` is null for skipped ones"),
  receivedBytes: z
    .int()
    .nullable()
    .describe("While the file is received: where an upload that broke off continues, with `from`"),
  receivedManifest: z
    .string()
    .nullable()
    .describe("While the file is received: SHA-256 of its `manifest.json`, which identifies the file"),
  notes: z.array(z.string()).describe("What the import did differently, such as paused monitors"),
  links: z.object({ self: link }),
});

export type ExportView = z.infer<typeof exportView>;
export type ImportView = z.infer<typeof importView>;
export type ImportQuery = z.infer<typeof importQuery>;
/** What an import does. */
export type ImportOptions = Omit<ImportQuery, "from" | "manifest">;
export type TransferStatus = (typeof TRANSFER_STATUSES)[number];

/** A row of an export. Its keys are column names. */
export type ExportedRow = Record<string, unknown>;

/** Rows to read of a service. */
export interface ExportRows {
  teamId: string;
  table: string;
  /** `next` of the page before. Null for the first one. */
  after: string | null;
  maxBytes: number;
}

export interface ExportedRows {
  rows: ExportedRow[];
  next: string | null;
}

/** Rows to write. Existing ones stay as they are. */
export interface ImportRows {
  teamId: string;
  table: string;
  rows: ExportedRow[];
}

export interface ImportedRows {
  written: number;
}

/** A file that an export needs. */
export interface TransferFile {
  hash: string;
  kind: FileKind;
}

/** What was received of the file of an import. */
export interface ReceivedUpload {
  /** SHA-256 of the stored manifest. */
  manifest: string;
  /** Size of the entries. The upload continues there. */
  bytes: number;
  parts: number;
  files: number;
}

/** Null if the upload can't continue after these entries. */
interface Received {
  received: ReceivedUpload | null;
}

/** What an export file begins with, without its parts. */
export type ManifestHead = Omit<ExportManifest, "parts">;

type OfService<Name extends string> = Record<`${Name}.exportRows`, Action<ExportRows, ExportedRows>> &
  Record<`${Name}.importRows`, Action<ImportRows, ImportedRows>> &
  Record<`${Name}.leftOut`, Action<{ teamId: string }, LeftOut[]>>;

/** Actions of exports and imports. Each service reads and writes only its own tables. */
export interface TransferActions extends OfService<"monitors">, OfService<"alerts"> {
  "teams.exportRows": Action<ExportRows, ExportedRows>;
  "teams.leftOut": Action<{ teamId: string }, LeftOut[]>;
  /** Starts an export, or returns the running one. */
  "runs.startExport": Action<object, ExportView>;
  "runs.export": Action<object, ExportView>;
  /** Stores what the file begins with, without its parts: it can be too large for a message. */
  "runs.exportHead": Action<object, { id: string; head: string }>;
  "runs.exportParts": Action<{ id: string; after: number }, { number: number; part: ExportPart }[]>;
  "runs.exportFiles": Action<{ id: string; after: string }, TransferFile[]>;
  /** Checks what an import would do. The same file continues an import whose upload broke off. */
  "runs.beginImport": Action<{ digest: string; query: ImportOptions }, { id: string }>;
  /** Continues an upload that broke off. Throws conflict if it can't continue there, or was another upload. */
  "runs.resumeImport": Action<
    { from: number; manifest?: string | undefined; query: ImportOptions },
    { id: string; received: ReceivedUpload }
  >;
  "runs.addImportParts": Action<{ id: string; from: number; parts: ExportPart[] } & Received, null>;
  "runs.addImportFiles": Action<{ id: string; files: TransferFile[] } & Received, null>;
  /** Starts an import whose file is complete. */
  "runs.runImport": Action<{ id: string; files: number }, ImportView>;
  "runs.import": Action<object, ImportView>;
}
