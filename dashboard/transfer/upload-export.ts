import type { ImportView } from "../../shared/contracts/transfers/transfers.ts";
import { manifestHash } from "../../shared/transfers/manifest-entry.ts";
import { ApiProblem } from "../api/request.ts";
import { transferApi } from "../api/transfer.ts";
import { commonTexts } from "../texts/common.ts";

/** Failures in a row, without a byte that arrived in between. */
const MAX_FAILURES = 8;
const RETRY_DELAY_MS = 2_000;
const MAX_RETRY_DELAY_MS = 30_000;

interface Upload {
  teamId: string;
  file: File;
  /** What the import does, without where it continues. */
  options: Record<string, string>;
  onProgress: (bytes: number) => void;
  signal: AbortSignal;
}

/**
 * Sends the file of an export. An upload that breaks off continues where the service has it, also that of an earlier
 * page. @throws ApiProblem
 */
export async function uploadExport(upload: Upload): Promise<ImportView> {
  const { teamId, file, onProgress, signal } = upload;
  const manifest = await manifestHash((start, end) => file.slice(start, end).arrayBuffer());
  const before = await transferApi.import(teamId);
  const isContinued =
    before?.status === "receiving" && manifest !== null && before.receivedManifest === manifest;
  let from = isContinued ? (before.receivedBytes ?? 0) : 0;
  onProgress(from);
  for (let failures = 1; ; failures++) {
    let isRefused = false;
    try {
      return await send(upload, { from, manifest });
    } catch (error) {
      isRefused = from > 0 && isOtherUpload(error);
      const isWorthRetrying = isTemporary(error) || isRefused;
      if (signal.aborted || !isWorthRetrying || failures > MAX_FAILURES) throw error;
      await delay(Math.min(MAX_RETRY_DELAY_MS, RETRY_DELAY_MS * failures), signal);
    }
    const current = await transferApi.import(teamId).catch(() => null);
    // Another file may have been received before. Only the response was lost if this one is complete.
    const isOurs = current !== null && (current.id !== before?.id || isContinued);
    if (isOurs && current.status !== "receiving") return current;
    const received = isOurs ? (current.receivedBytes ?? 0) : 0;
    if (received > from) failures = 0;
    // Refused where the service is: the earlier upload had other options.
    from = isRefused && received === from ? 0 : received;
    onProgress(from);
  }
}

/** Whether the connection broke off, or the service is busy or restarts. */
function isTemporary(error: unknown): boolean {
  if (!(error instanceof ApiProblem)) return false;
  return error.status === 0 || error.status === 429 || error.status >= 500;
}

/** The service received more of the broken upload than it had noted before, or that was another upload. */
function isOtherUpload(error: unknown): boolean {
  return error instanceof ApiProblem && (error.status === 409 || error.status === 422);
}

/** `fetch` doesn't report the progress of an upload. */
function send(
  { teamId, file, options, onProgress, signal }: Upload,
  { from, manifest }: { from: number; manifest: string | null },
): Promise<ImportView> {
  const query = new URLSearchParams({
    ...options,
    ...(from > 0 && { from: String(from) }),
    ...(from > 0 && manifest !== null && { manifest }),
  });
  const { promise, resolve, reject } = Promise.withResolvers<ImportView>();
  const request = new XMLHttpRequest();
  request.open("POST", new URL(transferApi.importPath(teamId, query), document.baseURI));
  request.setRequestHeader("Content-Type", "application/x-tar");
  request.responseType = "json";
  request.upload.onprogress = ({ loaded }) => onProgress(from + loaded);
  request.onload = () => {
    const { status, response } = request;
    if (status === 202) return resolve(response);
    reject(
      new ApiProblem(
        status,
        response?.code ?? "unknown",
        response?.detail ?? commonTexts.unknownAnswer(String(status)),
      ),
    );
  };
  request.onerror = () => reject(new ApiProblem(0, "unreachable", commonTexts.noAnswer));
  request.onabort = () => reject(signal.reason);
  signal.addEventListener("abort", () => request.abort(), { once: true });
  request.send(from > 0 ? file.slice(from) : file);
  return promise;
}

function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        reject(signal.reason);
      },
      { once: true },
    );
  });
}
