import { createSecureContext } from "node:tls";
import { CaptureError, type VisitRequest } from "../capture-types.ts";
import { siteOf } from "../network/page-url.ts";
import { SESSION_ERRORS } from "../texts.ts";
import type { SecretValues } from "./secret-values.ts";

/** A client certificate as a browser context takes it. */
export interface ClientCertificate {
  /** Origin that asks for it. */
  origin: string;
  /** PEM. */
  cert: Buffer;
  key: Buffer;
  passphrase?: string;
}

/** Returns the client certificates of a request's session. @throws CaptureError `session_failed` for an invalid one */
export async function certificatesOf(
  request: Pick<VisitRequest, "url" | "site" | "session" | "options">,
  secrets: SecretValues,
): Promise<ClientCertificate[]> {
  const { session: name } = request.options;
  const given = (name !== undefined && request.session?.clientCertificates) || [];
  return await Promise.all(
    given.map(async ({ origin = siteOf(request), cert = "", key = "", passphrase }) => {
      const certificate = {
        origin: new URL(origin).origin,
        cert: Buffer.from(await secrets.resolve(cert)),
        key: Buffer.from(await secrets.resolve(key)),
        ...(passphrase !== undefined && { passphrase: await secrets.resolve(passphrase) }),
      };
      try {
        createSecureContext(certificate);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        const message = SESSION_ERRORS.badCertificate(name ?? "", certificate.origin, why);
        throw secrets.maskError(new CaptureError("session_failed", message));
      }
      return certificate;
    }),
  );
}
