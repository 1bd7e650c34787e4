import { imageHash } from "../../../../shared/contracts/builds/uploaded-screenshot.ts";
import { call } from "../../../../shared/contracts/bus.ts";
import { notFound } from "../../../../shared/errors.ts";
import type { Gateway } from "../../gateway-context.ts";
import type { Answer, Input } from "../../routes/route.ts";
import { imageStoreError } from "../open-image.ts";

/**
 * Stores an uploaded image of a build. The bytes are not read before the build is known to need them, and nothing is
 * stored before they are verified.
 * @throws ServiceError not_found, conflict, payload_too_large, invalid_request, unavailable
 */
export async function serveUpload(
  gateway: Gateway,
  { caller, context, params: { id = "", hash = "" }, req }: Input,
): Promise<Answer> {
  if (!imageHash.safeParse(hash).success) throw notFound("image", hash);
  const known = await call(context, "runs.findUpload", { id, hash });
  if (known) return { status: 200, body: known };
  const { png, ...size } = await gateway.uploads.read(req, { hash, teamId: caller?.teamId ?? "" });
  const stored = await gateway.images
    .put(png)
    .catch(error => Promise.reject(imageStoreError(gateway, error)));
  const image = { hash, imageHash: stored, width: size.width, height: size.height };
  return { status: 200, body: await call(context, "runs.recordUpload", { id, image }) };
}
