import { z } from "zod";
import { fileHash } from "../contracts/builds/file-hash.ts";
import { MANIFEST_ENTRY } from "./manifest-entry.ts";
import { TRANSFER_SERVICES } from "./transferred-tables.ts";

/** Version of the format. A reader refuses later ones. */
export const EXPORT_VERSION = 1;

/** Bounds of an export file. */
export const EXPORT_BOUNDS = {
  /** Of the manifest and of the end. */
  manifestBytes: MANIFEST_ENTRY.maxBytes,
  /** Of the rows of one part. A row can be larger than a usual part. */
  partBytes: 16 * 1024 * 1024,
  /** Parts grow to this, because a message must stay small. */
  usualPartBytes: 400_000,
  parts: 100_000,
  /** Of one image, capsule or attachment. */
  fileBytes: 128 * 1024 * 1024,
} as const;

/** Names of the entries. Parts are `rows/000001.jsonl`, and files are named by their SHA-256. */
export const EXPORT_ENTRIES = {
  manifest: MANIFEST_ENTRY.name,
  end: "end.json",
  rows: "rows/",
  images: "images/",
  capsules: "capsules/",
  files: "files/",
} as const;

/** Folders of files in an export: PNG images, what explains them, and attachments. */
export const FILE_KINDS = ["image", "capsule", "file"] as const;
export type FileKind = (typeof FILE_KINDS)[number];
export const FOLDER_OF = { image: "images/", capsule: "capsules/", file: "files/" } as const;

const id = z.string().regex(/^[a-z]{2,5}_[0-9a-z]{26}$/);
const name = z.string().max(300);

const exportPart = z.strictObject({
  service: z.enum(TRANSFER_SERVICES),
  table: z.string().regex(/^[a-z_]{1,40}$/),
  rows: z.int().min(1).max(1_000_000),
  hash: fileHash,
});

/** Secrets that an export leaves out. */
export const leftOut = z.strictObject({
  kind: z.enum([
    "secret",
    "api_key",
    "provider",
    "channels",
    "credentials",
    "webhook",
    "chat",
    "page_password",
  ]),
  name,
});

/** The first entry of an export: what it has. */
export const exportManifest = z.strictObject({
  format: z.literal("vrs-export"),
  version: z.int().min(1),
  createdAt: z.iso.datetime(),
  /** The exporting installation's public address. */
  url: z.url({ protocol: /^https?$/ }).max(2_000),
  team: z.strictObject({ id, name }),
  projects: z.array(z.strictObject({ id, name })).max(100_000),
  parts: z.array(exportPart).max(EXPORT_BOUNDS.parts),
  /** Number of images and other files that the rows name. */
  files: z.int().min(0),
  leftOut: z.array(leftOut).max(100_000),
});

/** The last entry of a complete export: what couldn't be read. */
export const exportEnd = z.strictObject({ files: z.int().min(0), missing: z.int().min(0) });

export type ExportPart = z.infer<typeof exportPart>;
export type ExportManifest = z.infer<typeof exportManifest>;
export type ExportEnd = z.infer<typeof exportEnd>;
export type LeftOut = z.infer<typeof leftOut>;
