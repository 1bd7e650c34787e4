import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { RUN_TEXTS } from "../texts/cloud.ts";
import type { Access } from "./access.ts";
import type { RunProgress } from "./print-run.ts";
import type { LocalArchive } from "./read-archive.ts";
import { withServiceErrors } from "./service-errors.ts";
import { serviceClient } from "./submit-and-wait.ts";

/** Where an archive goes, and who sees its progress. */
export interface Sending {
  project: string;
  signal: AbortSignal;
  progress: RunProgress;
}

/**
 * Sends an archive to a project of the service, unless the project has it already.
 * @returns its id in the service, and whether its bytes were sent
 */
export async function sendArchive(
  access: Access,
  archive: LocalArchive,
  { project, signal, progress }: Sending,
): Promise<{ id: string; isSent: boolean }> {
  const client = serviceClient(access, signal, progress.onUnreachable);
  const known = await withServiceErrors(access, client.findArchive(project, archive.id));
  if (known) return { id: known.id, isSent: false };
  progress.show(RUN_TEXTS.packing(archive.files));
  const path = await archive.pack();
  const { size } = await stat(path);
  const onSent = (bytes: number) => progress.show(RUN_TEXTS.sending(bytes, size));
  const upload = { bytes: size, open: () => openCounted(path, onSent) };
  const { id } = await withServiceErrors(access, client.uploadArchive(project, upload));
  return { id, isSent: true };
}

/** Opens a file, from an offset. @param onSent gets the bytes of the file that were read so far */
export function openCounted(
  path: string,
  onSent: (bytes: number) => void,
  from = 0,
): ReadableStream<Uint8Array> {
  const chunks = createReadStream(path, { start: from })[Symbol.asyncIterator]();
  let sent = from;
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await chunks.next();
      if (done) return controller.close();
      sent += value.length;
      onSent(sent);
      controller.enqueue(value);
    },
    async cancel() {
      await chunks.return?.();
    },
  });
}
