import type { ArchiveQuery } from "../../../../shared/contracts/builds/archives.ts";
import { call } from "../../../../shared/contracts/bus.ts";
import type { Gateway } from "../../gateway-context.ts";
import type { Answer, Input } from "../../routes/route.ts";
import { imageStoreError } from "../open-image.ts";

/**
 * Stores an uploaded archive. The body is not read before the sender may upload, and nothing is stored before the whole
 * archive is valid.
 * @throws ServiceError forbidden, plan_limit_exceeded, payload_too_large, invalid_request, unavailable
 */
export async function serveArchiveUpload(
  gateway: Gateway,
  { caller, context, query: { project }, req }: Input<unknown, ArchiveQuery>,
): Promise<Answer> {
  await call(context, "runs.admitArchive", { project });
  return await gateway.archives.receive(req, caller?.teamId ?? "", async received => {
    const { id } = received;
    const known = await call(context, "runs.findArchive", { project, id });
    if (known) return { status: 200, body: known };
    await received
      .store(gateway.archiveFiles)
      .catch(error => Promise.reject(imageStoreError(gateway, error)));
    return { status: 201, body: await call(context, "runs.recordArchive", { project, id }) };
  });
}
