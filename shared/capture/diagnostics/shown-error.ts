import type { Diagnostics } from "../../contracts/capture/diagnostics.ts";
import type { Lease } from "../browser/lease.ts";
import type { CaptureError } from "../capture-types.ts";
import type { SecretValues } from "../sessions/secret-values.ts";

/** Returns what went wrong in a page so far, with secrets masked; null if nothing. */
export function diagnosticsOf({ diagnostics, proxy }: Lease, secrets: SecretValues): Diagnostics | null {
  return diagnostics.list(
    text => secrets.mask(text),
    url => proxy.refusal(url),
  );
}

/** Returns the error of a page as people may see it: with secrets masked, and with what went wrong before. */
export function shownError(error: CaptureError, lease: Lease, secrets: SecretValues): CaptureError {
  for (const request of lease.network.unanswered) lease.network.failed.recordPending(request);
  const shown = secrets.maskError(error);
  shown.diagnostics = diagnosticsOf(lease, secrets);
  return shown;
}
