import type { UploadView } from "../../shared/contracts/builds/uploaded-screenshot.ts";
import { isWebAddress } from "../ui/text/web-address.ts";

/** Opens traces in the browser. The trace's own server has to allow it to read the file. */
const TRACE_VIEWER = "https://trace.playwright.dev/";

/** Returns the place of a test in its file, such as `cart.spec.ts:12`. Null if the file is unknown. */
export function placeOf({ testFile, line }: UploadView): string | null {
  if (testFile === undefined) return null;
  return line === undefined ? testFile : `${testFile}:${line}`;
}

/** Returns the address that shows a trace. Null for other attachments, and for traces that are not on the web. */
export function traceViewerOf({ name, url }: { name: string; url: string }): string | null {
  if (!/\btrace\b/i.test(name) || !isWebAddress(url)) return null;
  return `${TRACE_VIEWER}?${new URLSearchParams({ trace: url })}`;
}
