import type { AttachmentView } from "../../shared/contracts/builds/attachments.ts";
import type { UploadView } from "../../shared/contracts/builds/uploaded-screenshot.ts";
import { isWebAddress } from "../ui/text/web-address.ts";

/** Opens uploaded traces in the browser, whose links are relative to it. Relative to the base URL of the service. */
const OWN_TRACE_VIEWER = "trace-viewer/index.html";
/** Opens other traces. The trace's own server has to allow it to read the file. */
const TRACE_VIEWER = "https://trace.playwright.dev/";

/** Returns the place of a test in its file, such as `cart.spec.ts:12`. Null if the file is unknown. */
export function placeOf({ testFile, line }: UploadView): string | null {
  if (testFile === undefined) return null;
  return line === undefined ? testFile : `${testFile}:${line}`;
}

/** Returns the address that shows a trace. Null for other attachments, and for traces that are not on the web. */
export function traceViewerOf({ name, url, kind }: AttachmentView): string | null {
  if (!/\btrace\b/i.test(name) || kind === "text") return null;
  if (kind === "zip") return `${OWN_TRACE_VIEWER}?${new URLSearchParams({ trace: `../${url}` })}`;
  return isWebAddress(url) ? `${TRACE_VIEWER}?${new URLSearchParams({ trace: url })}` : null;
}

/** Returns the address that shows the trace of the last attempt. Null without one. */
export function traceOf(upload: UploadView | undefined): string | null {
  return upload?.attachments?.map(traceViewerOf).find(address => address !== null) ?? null;
}
