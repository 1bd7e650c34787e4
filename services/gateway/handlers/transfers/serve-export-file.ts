import { pipeline } from "node:stream/promises";
import type { Context } from "moleculer";
import { type Pack, pack } from "tar-stream";
import { call, type Meta } from "../../../../shared/contracts/bus.ts";
import type { OpenImage } from "../../../../shared/contracts/image-store.ts";
import type { ManifestHead } from "../../../../shared/contracts/transfers/transfers.ts";
import {
  EXPORT_ENTRIES,
  type ExportEnd,
  type ExportManifest,
  type ExportPart,
  FOLDER_OF,
} from "../../../../shared/transfers/export-manifest.ts";
import type { Gateway } from "../../gateway-context.ts";
import type { Input } from "../../routes/route.ts";
import { IMPORT_ERRORS } from "../../texts/errors.ts";

type Bus = Context<unknown, Meta>;

/**
 * Streams the file of a team's export as a tar: the manifest, the rows, the images and other files, and an end that
 * shows that nothing is missing. Only one file is in memory, in pieces.
 * @throws ServiceError not_found; conflict until the export is completed
 */
export async function serveExportFile(
  gateway: Gateway,
  { context, params, req, res }: Input,
): Promise<undefined> {
  const { id, head: hash } = await call(context, "runs.exportHead", {});
  const head: ManifestHead = JSON.parse((await gateway.archiveFiles.get(hash)).toString());
  const parts = await listParts(context, id);
  res.writeHead(200, {
    "Content-Type": "application/x-tar",
    "Content-Disposition": `attachment; filename="${params.id}.tar"`,
    "Cache-Control": "no-store",
  });
  if (req.method === "HEAD") return void res.end();
  const tar = pack();
  const sent = pipeline(tar, res);
  // A cut connection is the only way to say that the file is incomplete.
  const written = writeExport(gateway, context, tar, { id, manifest: { ...head, parts } }).catch(error =>
    tar.destroy(error),
  );
  await Promise.all([sent.catch(error => gateway.broker.logger.debug({ err: error })), written]);
}

async function listParts(context: Bus, id: string): Promise<ExportPart[]> {
  const parts: ExportPart[] = [];
  for (let after = -1; ; ) {
    const page = await call(context, "runs.exportParts", { id, after });
    const last = page.at(-1);
    if (!last) return parts;
    parts.push(...page.map(({ part }) => part));
    after = last.number;
  }
}

async function writeExport(
  gateway: Gateway,
  context: Bus,
  tar: Pack,
  { id, manifest }: { id: string; manifest: ExportManifest },
): Promise<void> {
  await addText(tar, EXPORT_ENTRIES.manifest, manifest);
  for (const [index, { hash }] of manifest.parts.entries()) {
    const opened = await gateway.archiveFiles.open(hash);
    if (!opened) throw new Error(IMPORT_ERRORS.noRows(id));
    await addFile(tar, `${EXPORT_ENTRIES.rows}${String(index + 1).padStart(6, "0")}.jsonl`, opened);
  }
  const end: ExportEnd = { files: 0, missing: 0 };
  for (let after = ""; ; ) {
    const page = await call(context, "runs.exportFiles", { id, after });
    const last = page.at(-1);
    if (!last) break;
    for (const { hash, kind } of page) {
      const opened = await (kind === "file" ? gateway.archiveFiles : gateway.images).open(hash);
      if (opened) await addFile(tar, `${FOLDER_OF[kind]}${hash}`, opened);
      end[opened ? "files" : "missing"]++;
    }
    after = last.hash;
  }
  // The export expired, so its list is gone.
  if (end.files + end.missing !== manifest.files) throw new Error(IMPORT_ERRORS.noRows(id));
  await addText(tar, EXPORT_ENTRIES.end, end);
  tar.finalize();
}

function addText(tar: Pack, name: string, content: object): Promise<void> {
  return new Promise((resolve, reject) => {
    tar.entry({ name, mode: 0o644 }, JSON.stringify(content), error => (error ? reject(error) : resolve()));
  });
}

async function addFile(tar: Pack, name: string, { stream, bytes }: OpenImage): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  try {
    // Throws if the reader went away while the file was opened.
    const entry = tar.entry({ name, size: bytes, mode: 0o644 }, error => (error ? reject(error) : resolve()));
    stream.once("error", reject);
    // Without a listener, a reader that goes away would end the process.
    entry.on("error", reject);
    stream.pipe(entry);
    await promise;
  } finally {
    stream.destroy();
  }
}
