import { setTimeout as delay } from "node:timers/promises";
import { ApiError, ApiExchanges } from "../../shared/api-exchanges.ts";
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

  /** Sends a file, and waits until it is imported. @throws ApiError */
  async import(
    team: string,
    query: URLSearchParams,
    { bytes, open }: { bytes: number; open: () => ReadableStream<Uint8Array> },
    onProgress: (view: ImportView) => void,
  ): Promise<ImportView> {
    const path = `/v1/teams/${encodeURIComponent(team)}/import`;
    const { headers } = await this.#init("POST");
    const request = {
      method: "POST",
      headers: { ...headers, "content-type": "application/x-tar", "content-length": String(bytes) },
      duplex: "half" as const,
    };
    // A stream can be sent only once, so each attempt opens the file.
    const response = await this.#exchanges.retry(false, () =>
      this.#exchanges.fetch(
        `${this.#access.url}${path}?${query}`,
        { ...request, body: open() },
        FILE_TIMEOUT_MS,
      ),
    );
    let view = importView.parse(await response.json());
    while (view.endedAt === null) {
      await delay(POLL_INTERVAL_MS, undefined, { signal: this.#signal });
      view = importView.parse(await this.#json("GET", path));
      onProgress(view);
    }
    return view;
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
