import { z } from "zod";
import { text, time } from "../fields.ts";
import type { Action } from "../teams/team-actions.ts";

/** Archives: static sites that users upload, and that the service serves to its own renderers only. */

/** Limits of an archive. */
export const ARCHIVE_BOUNDS = {
  /** Of one file, unpacked. It is held in memory while it is stored. */
  fileBytes: 64 * 1024 * 1024,
  /** Files and folders. */
  entries: 20_000,
  /** Unpacked bytes per byte of the archive. */
  ratio: 200,
  /** Smaller archives may have any ratio. */
  ratioFromBytes: 16 * 1024 * 1024,
  /** Of a path, in UTF-8. */
  pathBytes: 1_024,
  /** Of one name in a path, in UTF-8. File systems accept no longer ones. */
  nameBytes: 255,
  /** Folders in a path. */
  depth: 32,
} as const;

/** Unpacked bytes of an archive per byte that an upload may have. */
export const UNPACKED_PER_UPLOADED = 2;

/** Id of an archive: the SHA-256 of its index. */
export const archiveId = z.string().regex(/^[0-9a-f]{64}$/, "must be a SHA-256 in lower-case hex");

/** Query of requests about the archives of a project. */
export const archiveQuery = z.strictObject({
  project: text(200).describe("Project whose runs may use the archive"),
});

/** Query of `POST /v1/archives`. */
export type ArchiveQuery = z.infer<typeof archiveQuery>;

/** An archive in responses. */
export const archive = z.object({
  id: archiveId.describe("SHA-256 of the index of its files. Equal files have the same id"),
  project: z.string(),
  files: z.int().describe("Number of files"),
  bytes: z.int().describe("Size of all files together, bytes"),
  createdAt: time,
});

export type Archive = z.infer<typeof archive>;

/** Actions of archives. */
export interface ArchiveActions {
  /** A known archive is kept for another day. */
  "runs.archive": Action<{ project: string; id: string }, Archive>;
  /** Null if the project doesn't have it. A known archive is kept for another day. */
  "runs.findArchive": Action<{ project: string; id: string }, Archive | null>;
  /** Checks that the caller may upload an archive now. */
  "runs.admitArchive": Action<{ project: string }, null>;
  /** Records an archive whose files and index are stored. Can be repeated. */
  "runs.recordArchive": Action<{ project: string; id: string }, Archive>;
}
