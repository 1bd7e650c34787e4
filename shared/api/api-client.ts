import type { z } from "zod";
import { type Archive, archive } from "../contracts/builds/archives.ts";
import {
  type addShardBody,
  type Build,
  build,
  type CreateBuildInput,
  type FinalizeBuild,
  type Upload,
} from "../contracts/builds/builds.ts";
import { type Approved, approved } from "../contracts/reviews/reviews.ts";
import { isEnded } from "../contracts/runs/run-outcomes.ts";
import { type RunView, runView } from "../contracts/runs/runs.ts";
import { type ScreenshotView, screenshotList } from "../contracts/runs/screenshots.ts";
import { type SubmitRunInput, type SubmittedRun, submittedRun } from "../contracts/runs/submit-run.ts";
import {
  type CreatedTeam,
  createdTeam,
  type ManagedTeam,
  managedTeam,
  type TeamList,
  type TeamsBody,
  teamList,
} from "../contracts/teams/people.ts";
import { ApiError, ApiExchanges, type ExchangeOptions } from "./api-exchanges.ts";
import { type Followed, followRun } from "./follow-run.ts";

export interface ApiClientOptions extends ExchangeOptions {
  /** The service's URL, such as `http://localhost:4400`. */
  baseUrl: string;
  /** A function returns a key that is valid now. */
  apiKey: string | (() => Promise<string>);
  /** Whether runs continue without a repository's configuration that can't be used. */
  lenient?: boolean;
}

export interface WaitOptions {
  /** Called with the run at each progress. */
  onProgress?: (run: RunView) => void;
  /** Wait between two reads if the run can't be followed. */
  intervalMs?: number;
}

/**
 * Far below the service's rate limit of a key, and fast enough for a person. Long runs are read less often.
 */
const INTERVAL_MS = 300;
const MAX_INTERVAL_MS = 2_000;
const INTERVAL_GROWTH = 1.05;

/** Of a single request. The service responds in milliseconds, but a proxy in front of it can be slow. */
const REQUEST_TIMEOUT_MS = 30_000;

/** Of the upload of an archive. The service ends slower ones too. */
const ARCHIVE_TIMEOUT_MS = 900_000;

/** Of the upload of one image, over a slow connection. */
const UPLOAD_TIMEOUT_MS = 180_000;

/**
 * A client of `/v1`. Every method throws:
 * - ApiError for an error response;
 * - TypeError if nothing responds, or a DOMException named TimeoutError after 30 seconds;
 * - SyntaxError for a response without JSON, and ZodError for JSON of another shape, if something else
 * responds;
 * - the signal's reason once it is aborted.
 */
export class ApiClient {
  readonly #baseUrl: string;
  readonly #apiKey: () => Promise<string>;
  readonly #signal: AbortSignal | undefined;
  readonly #lenient: boolean;
  readonly #exchanges: ApiExchanges;

  constructor(options: ApiClientOptions) {
    const { baseUrl, apiKey, signal, lenient = false } = options;
    this.#lenient = lenient;
    this.#baseUrl = baseUrl.replace(/\/+$/, "");
    this.#apiKey = typeof apiKey === "string" ? async () => apiKey : apiKey;
    this.#signal = signal;
    this.#exchanges = new ApiExchanges(options);
  }

  /** Submits a run. Requests with the same `idempotencyKey` return the same run. */
  submitRun(run: SubmitRunInput, idempotencyKey?: string): Promise<SubmittedRun> {
    return this.#request("POST", "/v1/run", submittedRun, run, { idempotencyKey });
  }

  /** Creates a build, or joins the one with the same nonce. */
  createBuild(body: CreateBuildInput, idempotencyKey: string): Promise<Build> {
    return this.#request("POST", "/v1/builds", build, body, { idempotencyKey });
  }

  /** Gets a build with images that it needs. */
  getBuild(id: string): Promise<Build> {
    return this.#request("GET", buildPath(id), build);
  }

  /** Lists more screenshots of a build. Repeating it changes nothing. */
  addToBuild(id: string, body: z.input<typeof addShardBody>): Promise<Build> {
    return this.#request("POST", `${buildPath(id)}/shards`, build, body, { isRepeatable: true });
  }

  /** Finalizes a shard or a build. Repeating it changes nothing. */
  finalizeBuild(id: string, body: FinalizeBuild): Promise<Build> {
    return this.#request("POST", `${buildPath(id)}/finalize`, build, body, { isRepeatable: true });
  }

  /** Uploads an image or attachment of a build. The API key is only sent to the service's own URL. */
  async uploadFile(
    id: string,
    folder: "images" | "attachments",
    { hash, url, headers, sendKey }: Upload,
    bytes: Buffer,
  ): Promise<void> {
    const target = sendKey ? `${this.#baseUrl}${buildPath(id)}/${folder}/${hash}` : url;
    const key = sendKey && { authorization: `Bearer ${await this.#apiKey()}` };
    const request = { method: "PUT", headers: { ...headers, ...key }, body: new Uint8Array(bytes) };
    await this.#exchanges.retry(true, async () => {
      const response = await this.#exchanges.fetch(target, request, UPLOAD_TIMEOUT_MS);
      await response.body?.cancel();
      return null;
    });
  }

  /** Returns an archive of a project, or null if the project doesn't have it. */
  async findArchive(project: string, id: string): Promise<Archive | null> {
    const path = `/v1/archives/${encodeURIComponent(id)}?project=${encodeURIComponent(project)}`;
    return await this.#request("GET", path, archive).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === "not_found") return null;
      throw error;
    });
  }

  /** Uploads an archive to a project. Repeating it changes nothing. @param open opens its bytes for each attempt */
  async uploadArchive(
    project: string,
    { bytes, open }: { bytes: number; open: () => ReadableStream<Uint8Array> },
  ): Promise<Archive> {
    const url = `${this.#baseUrl}/v1/archives?project=${encodeURIComponent(project)}`;
    return await this.#exchanges.retry(true, async () => {
      const request = {
        method: "POST",
        headers: {
          authorization: `Bearer ${await this.#apiKey()}`,
          "content-type": "application/octet-stream",
          "content-length": String(bytes),
        },
        body: open(),
        duplex: "half" as const,
      };
      const response = await this.#exchanges.fetch(url, request, ARCHIVE_TIMEOUT_MS);
      return archive.parse(await response.json());
    });
  }

  getRun(id: string): Promise<RunView> {
    return this.#request("GET", `/v1/runs/${encodeURIComponent(id)}`, runView);
  }

  /** Cancels a run. */
  cancelRun(id: string): Promise<RunView> {
    return this.#request("POST", `/v1/runs/${encodeURIComponent(id)}/cancel`, runView);
  }

  /**
   * Waits until the run is completed, failed, or canceled. It follows the run's stream, and reads the run
   * where that fails.
   */
  async waitForRun(id: string, { onProgress, intervalMs = INTERVAL_MS }: WaitOptions = {}): Promise<RunView> {
    let canFollow = true;
    for (let pauseMs = intervalMs; ; pauseMs = Math.min(pauseMs * INTERVAL_GROWTH, MAX_INTERVAL_MS)) {
      const run = await this.getRun(id);
      onProgress?.(run);
      if (isEnded(run.status)) return run;
      const followed: Followed = canFollow ? await this.#follow(run, onProgress) : "unavailable";
      canFollow = followed !== "unavailable";
      if (followed !== "ended") await this.#exchanges.pause(pauseMs);
    }
  }

  /** Lists all screenshots of the run, in the service's order. */
  async listScreenshots(runId: string): Promise<ScreenshotView[]> {
    const screenshots: ScreenshotView[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? "" : `?cursor=${encodeURIComponent(cursor)}`;
      const page: z.infer<typeof screenshotList> = await this.#request(
        "GET",
        `/v1/screenshots/${encodeURIComponent(runId)}${query}`,
        screenshotList,
      );
      screenshots.push(...page.data);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return screenshots;
  }

  /** Approves the named screenshots as baselines, or all of them. */
  approve(runId: string, screenshots?: string[]): Promise<Approved> {
    const path = `/v1/baselines/${encodeURIComponent(runId)}/approve`;
    return this.#request("POST", path, approved, screenshots ? { screenshots } : {});
  }

  /** Lists the first of the key's teams. */
  listTeams(): Promise<TeamList> {
    return this.#request("GET", "/v1/teams", teamList);
  }

  createTeam(name: string): Promise<CreatedTeam> {
    return this.#request("POST", "/v1/teams", createdTeam, { name });
  }

  /** Adds members to a team, or changes their roles. People who haven't signed in yet are invited. */
  addMembers(teamId: string, add: TeamsBody["add"]): Promise<ManagedTeam> {
    return this.#request("POST", "/v1/teams", managedTeam, { teamId, add });
  }

  async #request<T extends z.ZodType>(
    method: string,
    path: string,
    answer: T,
    body?: unknown,
    { idempotencyKey, isRepeatable = method === "GET" || idempotencyKey !== undefined }: Repeating = {},
  ): Promise<z.infer<T>> {
    const request = {
      method,
      headers: {
        authorization: `Bearer ${await this.#apiKey()}`,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(this.#lenient && { prefer: "handling=lenient" }),
        ...(idempotencyKey && { "idempotency-key": idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    return await this.#exchanges.retry(isRepeatable, async () => {
      const response = await this.#exchanges.fetch(`${this.#baseUrl}${path}`, request, REQUEST_TIMEOUT_MS);
      return answer.parse(await response.json());
    });
  }

  async #follow(run: RunView, onProgress: WaitOptions["onProgress"]): Promise<Followed> {
    const stream = {
      url: `${this.#baseUrl}/v1/runs/${encodeURIComponent(run.id)}/events`,
      apiKey: await this.#apiKey(),
    };
    return await followRun({ ...stream, signal: this.#signal }, progress =>
      onProgress?.({ ...run, ...progress }),
    );
  }
}

/** Whether a request can be sent twice. */
interface Repeating {
  idempotencyKey?: string | undefined;
  isRepeatable?: boolean;
}

function buildPath(id: string): string {
  return `/v1/builds/${encodeURIComponent(id)}`;
}
