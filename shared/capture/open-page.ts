import { CaptureError, type CaptureRequest } from "./capture-types.ts";
import type { Lease } from "./lease.ts";

/** Goes to the page and waits for its load event. @throws CaptureError */
export async function openPage(lease: Lease, request: CaptureRequest): Promise<void> {
  const { page, limits } = lease;
  lease.network.reset();
  const response = await page
    .goto(request.url, { waitUntil: "load", timeout: limits.navigationMs })
    .catch(error => {
      lease.usable = false;
      throw new CaptureError(
        "unreachable",
        `${request.url} could not be loaded: ${error.message.split("\n")[0]}`,
      );
    });
  const status = response?.status() ?? 200;
  if (status >= 400) {
    throw new CaptureError(
      "http_status",
      `${request.url} answered ${status}; a page must answer 200 to be captured.`,
    );
  }
}
