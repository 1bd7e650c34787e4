import type { IncomingMessage } from "node:http";
import type { Context } from "moleculer";
import { extract, type Header } from "tar-stream";
import { call, type Meta } from "../../../../shared/contracts/bus.ts";
import type { ImportQuery } from "../../../../shared/contracts/transfers/transfers.ts";
import { invalidField, ServiceError } from "../../../../shared/errors.ts";
import {
  EXPORT_BOUNDS,
  EXPORT_ENTRIES,
  exportManifest,
} from "../../../../shared/transfers/export-manifest.ts";
import type { Gateway } from "../../gateway-context.ts";
import type { Answer, Input } from "../../routes/route.ts";
import { IMPORT_ERRORS, LIMIT_ERRORS } from "../../texts/errors.ts";
import { imageStoreError } from "../open-image.ts";
import { entryBytes, ReceivedExport } from "./received-export.ts";

/** Each holds one file in memory. */
const MAX_RECEIVED = 2;
/** A sender that sends nothing for this long has stalled. */
const STALLED_MS = 30_000;
/** The teams whose files are received. */
const receivedBy = new WeakMap<Gateway, Set<string>>();

/**
 * Receives the file of an export, entry by entry, and starts the import once it is complete. Nothing but files is stored
 * before. Nothing in the file names a path: images and rows are stored under the hash of their bytes.
 * @throws ServiceError invalid_request, conflict; unavailable while too many files are received, or one of the team
 */
export async function serveImport(
  gateway: Gateway,
  { caller, context, query, req }: Input<unknown, ImportQuery>,
): Promise<Answer> {
  const received = receivedBy.get(gateway) ?? new Set();
  receivedBy.set(gateway, received);
  const teamId = caller?.teamId ?? "";
  if (received.has(teamId) || received.size >= MAX_RECEIVED)
    throw new ServiceError("unavailable", LIMIT_ERRORS.imports, { retryAfterSeconds: 10 });
  received.add(teamId);
  try {
    const file = await receive(gateway, context, req, query);
    const body = await call(context, "runs.runImport", await file.finish());
    return { status: 202, body };
  } finally {
    received.delete(teamId);
  }
}

async function receive(
  gateway: Gateway,
  context: Context<unknown, Meta>,
  req: IncomingMessage,
  query: ImportQuery,
): Promise<ReceivedExport> {
  const entries = extract();
  let file = query.from > 0 ? await resume(gateway, context, query) : null;
  // A pipe from the request itself would destroy it, and the response with it.
  const reading = feed(req, entries);
  try {
    for await (const { header, bytes } of readEntries(entries, reading)) {
      if (file === null) file = await begin(gateway, context, header, bytes, query);
      else await file.add(header, bytes);
    }
  } catch (error) {
    await file?.keep().catch(failure => gateway.broker.logger.warn({ err: failure }));
    throw error;
  } finally {
    entries.destroy();
  }
  if (file === null) throw invalidField("", IMPORT_ERRORS.noManifest);
  return file;
}

async function feed(req: IncomingMessage, entries: ReturnType<typeof extract>): Promise<void> {
  const wait = () => setTimeout(() => req.destroy(), STALLED_MS).unref();
  let stalled = wait();
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      clearTimeout(stalled);
      // The file was refused.
      if (entries.destroyed) return;
      if (!entries.write(chunk)) await drained(entries);
      stalled = wait();
    }
    if (req.complete) entries.end(Buffer.alloc(0));
    else entries.destroy(new Error(IMPORT_ERRORS.cutShort));
  } catch (error) {
    entries.destroy(error instanceof Error ? error : new Error(String(error)));
  } finally {
    clearTimeout(stalled);
  }
}

function drained(entries: ReturnType<typeof extract>): Promise<void> {
  return new Promise(resolve => {
    if (entries.destroyed) return resolve();
    entries.once("drain", resolve);
    entries.once("close", resolve);
  });
}

async function begin(
  gateway: Gateway,
  context: Context<unknown, Meta>,
  header: Header,
  bytes: Buffer,
  { from: _from, manifest: _manifest, ...query }: ImportQuery,
): Promise<ReceivedExport> {
  if (header.name !== EXPORT_ENTRIES.manifest) throw invalidField("", IMPORT_ERRORS.noManifest);
  const { success, data, error } = exportManifest.safeParse(jsonOf(bytes));
  if (!success) throw invalidField("", IMPORT_ERRORS.manifest(error.issues[0]?.path.join(".") ?? ""));
  // It can be too large for a message.
  const manifest = await gateway.archiveFiles
    .put(bytes)
    .catch(failure => Promise.reject(imageStoreError(gateway, failure)));
  const { id } = await call(context, "runs.beginImport", { digest: manifest, query });
  const received = { manifest, bytes: entryBytes(header), parts: 0, files: 0 };
  return new ReceivedExport({ gateway, bus: context, id, parts: data.parts, received });
}

/** Continues an upload that broke off. @throws ServiceError conflict if it can't continue there, or was another upload */
async function resume(
  gateway: Gateway,
  context: Context<unknown, Meta>,
  { from, manifest, ...query }: ImportQuery,
): Promise<ReceivedExport> {
  const { id, received } = await call(context, "runs.resumeImport", { from, manifest, query });
  const { parts } = exportManifest.parse(jsonOf(await gateway.archiveFiles.get(received.manifest)));
  return new ReceivedExport({ gateway, bus: context, id, parts, received });
}

/** Reads the entries of a tar. @throws ServiceError invalid_request for one that is damaged or cut short */
async function* readEntries(
  entries: ReturnType<typeof extract>,
  reading: Promise<void>,
): AsyncGenerator<{ header: Header; bytes: Buffer }> {
  try {
    for await (const entry of entries)
      yield { header: entry.header, bytes: await readEntry(entry.header, entry) };
    await reading;
  } catch (error) {
    throw error instanceof ServiceError ? error : damaged(error);
  }
}

async function readEntry({ name, type, size }: Header, content: AsyncIterable<unknown>): Promise<Buffer> {
  const isFile = type === "file" || type === "contiguous-file";
  if (!isFile || !Number.isSafeInteger(size) || (size ?? -1) < 0)
    throw invalidField("", IMPORT_ERRORS.entry(name.slice(0, 200)));
  if ((size ?? 0) > EXPORT_BOUNDS.fileBytes) throw invalidField("", IMPORT_ERRORS.large(name.slice(0, 200)));
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) if (chunk instanceof Uint8Array) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function jsonOf(bytes: Buffer): unknown {
  if (bytes.length > EXPORT_BOUNDS.manifestBytes) return null;
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return null;
  }
}

function damaged(error: unknown): ServiceError {
  return invalidField("", IMPORT_ERRORS.damaged(error instanceof Error ? error.message : String(error)));
}
