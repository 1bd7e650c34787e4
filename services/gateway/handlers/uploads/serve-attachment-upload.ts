import { fileHash } from "../../../../shared/contracts/builds/file-hash.ts";
import { call } from "../../../../shared/contracts/bus.ts";
import { notFound } from "../../../../shared/errors.ts";
import type { Gateway } from "../../gateway-context.ts";
import type { Answer, Input } from "../../routes/route.ts";
import { imageStoreError } from "../open-image.ts";

/**
 * Stores an attachment of a build. The bytes are not read before the build is known to want them, and nothing is stored
 * before they are verified.
 * @throws ServiceError not_found, conflict, plan_limit_exceeded, payload_too_large, invalid_request, unavailable
 */
export async function serveAttachmentUpload(
  gateway: Gateway,
  { caller, context, params: { id = "", hash = "" }, req }: Input,
): Promise<Answer> {
  if (!fileHash.safeParse(hash).success) throw notFound("attachment", hash);
  const known = await call(context, "runs.findAttachment", { id, hash });
  if (known) return { status: 200, body: known };
  const upload = { hash, teamId: caller?.teamId ?? "" };
  const attachment = await gateway.uploads.readAttachment(req, upload, async (bytes, kind) => {
    await gateway.archiveFiles.put(bytes).catch(error => Promise.reject(imageStoreError(gateway, error)));
    return { hash, kind, bytes: bytes.length };
  });
  return { status: 200, body: await call(context, "runs.recordAttachment", { id, attachment }) };
}
