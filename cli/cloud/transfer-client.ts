import { setTimeout as delay } from "node:timers/promises";
import { ApiError, ApiExchanges, RejectedError } from "../../shared/api/api-exchanges.ts";
import { teamList } from "../../shared/contracts/teams/people.ts";
import {
  type ExportView,
  exportView,
  type ImportView,
  importView,
} from "../../shared/contracts/transfers/transfers.ts";
import { TRANSFER_ERRORS } from "../texts/cloud.ts";
import type { Access } from "./access.ts";

const REQUEST_TIMEOUT_MS = 30_000;
/** Of a file. The service ends slower uploads too. */
const FILE_TIMEOUT_MS = 900_000;
const POLL_INTERVAL_MS = 500;
const RETRY_FOR_MS = 120_000;

/** The file of an export. */
interface ExportFile {
  bytes: number;
  /** SHA-256 of its manifest. Null if it has none. */
  manifest: string | null;
  open(from: number): ReadableStream<Uint8Array>;
}

/** Statuses of an upload that can't continue an earlier one. */
const OTHER_UPLOAD = new Set([409, 422]);

/** Requests about exports and imports of one team. */
export class TransferClient {
  readonly #access: Access;
  readonly #exchanges: ApiExchanges;
  readonly #signal: AbortSignal;

  constructor(access: Access, signal: AbortSignal) {
    this.#access = access;
    this.#signal = signal;
    this.#exchanges = new ApiExchanges({ signal, retryForMs: RETRY_FOR_MS });
  }

  /** Returns the team of the API key. @throws ApiError */
  async findTeam(): Promise<string> {
    const { data } = teamList.parse(await this.#json("GET", "/v1/teams"));
    const [team] = data;
    if (!team) throw new ApiError(404, "not_found", TRANSFER_ERRORS.noTeam, null);
    return team.id;
  }

  /** Exports a team, and waits until the file is complete. @throws ApiError */
  async export(team: string, onProgress: (view: ExportView) => void): Promise<ExportView> {
    const path = `/v1/teams/${encodeURIComponent(team)}/export`;
    await this.#json("POST", path);
    for (;;) {
      const view = exportView.parse(await this.#json("GET", path));
      onProgress(view);
      if (view.endedAt !== null) return view;
      await delay(POLL_INTERVAL_MS, undefined, { signal: this.#signal });
    }
  }

  /** Opens the file of a team's latest export. @throws ApiError */
  async open(team: string): Promise<ReadableStream<Uint8Array>> {
    const path = `/v1/teams/${encodeURIComponent(team)}/export/file`;
    const response = await this.#exchanges.fetch(
      `${this.#access.url}${path}`,
      await this.#init("GET"),
      FILE_TIMEOUT_MS,
    );
    return response.body ?? new ReadableStream();
  }

  /**
   * Sends a file, and waits until it is imported. An upload that breaks off continues where the service has it, also
   * that of an earlier call. @throws ApiError
   */
  async import(
    team: string,
    query: URLSearchParams,
    file: ExportFile,
    onProgress: (view: ImportView) => void,
  ): Promise<ImportView> {
    const path = `/v1/teams/${encodeURIComponent(team)}/import`;
    let view = await this.#upload(path, query, file);
    while (view.endedAt === null) {
      await delay(POLL_INTERVAL_MS, undefined, { signal: this.#signal });
      view = importView.parse(await this.#json("GET", path));
      onProgress(view);
    }
    return view;
  }

  async #upload(path: string, query: URLSearchParams, file: ExportFile): Promise<ImportView> {
    const before = await this.#latestImport(path);
    const attempt = () => this.#continueUpload(path, query, file, before);
    for (let furthest = 0; ; ) {
      try {
        return await this.#exchanges.retry(true, attempt);
      } catch (error) {
        if (error instanceof ApiError || this.#signal.aborted) throw error;
        // A slow upload outlasts the retries, but it advances.
        const received = receivedBytes(await this.#latestImport(path), file);
        if (received <= furthest) throw error;
        furthest = received;
      }
    }
  }

  /** Sends the rest of a file that the service doesn't have. Only the response was lost if the import runs already. */
  async #continueUpload(
    path: string,
    query: URLSearchParams,
    file: ExportFile,
    before: ImportView | null,
  ): Promise<ImportView> {
    const latest = await this.#latestImport(path);
    const isOurs = latest !== null && (latest.id !== before?.id || isOf(before, file));
    if (isOurs && latest.status !== "receiving") return latest;
    const from = receivedBytes(latest, file);
    try {
      return await this.#send(path, query, file, from);
    } catch (error) {
      if (from === 0 || !isOtherUpload(error)) throw error;
      // Either the service received more meanwhile, or the upload had other options.
      const received = receivedBytes(await this.#latestImport(path), file);
      return await this.#send(path, query, file, received === from ? 0 : received);
    }
  }

  async #send(
    path: string,
    query: URLSearchParams,
    { bytes, manifest, open }: ExportFile,
    from: number,
  ): Promise<ImportView> {
    const { headers } = await this.#init("POST");
    const sent = new URLSearchParams(query);
    if (from > 0) sent.set("from", String(from));
    if (from > 0 && manifest !== null) sent.set("manifest", manifest);
    const request = {
      method: "POST",
      headers: { ...headers, "content-type": "application/x-tar", "content-length": String(bytes - from) },
      duplex: "half" as const,
      // A stream can be sent only once, so each attempt opens the file.
      body: open(from),
    };
    const response = await this.#exchanges.fetch(
      `${this.#access.url}${path}?${sent}`,
      request,
      FILE_TIMEOUT_MS,
    );
    return importView.parse(await response.json());
  }

  /** Returns the team's latest import, or null. */
  async #latestImport(path: string): Promise<ImportView | null> {
    try {
      return importView.parse(await this.#json("GET", path));
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    }
  }

  async #init(method: string): Promise<{ method: string; headers: Record<string, string> }> {
    const { apiKey, currentKey } = this.#access;
    return { method, headers: { authorization: `Bearer ${currentKey ? await currentKey() : apiKey}` } };
  }

  /** Both are safe to repeat: an export that runs is returned. */
  async #json(method: "GET" | "POST", path: string): Promise<unknown> {
    const request = await this.#init(method);
    return await this.#exchanges.retry(true, async () => {
      const response = await this.#exchanges.fetch(`${this.#access.url}${path}`, request, REQUEST_TIMEOUT_MS);
      return await response.json();
    });
  }
}

/** Returns whether an import waits for the rest of this file. */
function isOf(view: ImportView | null, { manifest }: ExportFile): boolean {
  return view?.status === "receiving" && manifest !== null && view.receivedManifest === manifest;
}

/** Returns how much of a file the service has. */
function receivedBytes(view: ImportView | null, file: ExportFile): number {
  return isOf(view, file) ? (view?.receivedBytes ?? 0) : 0;
}

function isOtherUpload(error: unknown): boolean {
  return error instanceof RejectedError && OTHER_UPLOAD.has(error.status);
}
