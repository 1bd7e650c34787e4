import { setTimeout as delay } from "node:timers/promises";
import { ZodError, type z } from "zod";
import { type Backoff, backoffMs } from "./backoff.ts";
import {
  type addShardBody,
  type Build,
  build,
  type CreateBuildInput,
  type FinalizeBuild,
  type Upload,
} from "./contracts/runs/builds.ts";
import { type Approved, approved } from "./contracts/runs/reviews.ts";
import { isEnded } from "./contracts/runs/run-outcomes.ts";
import {
  problem,
  type RunView,
  runView,
  type ScreenshotView,
  screenshotList,
} from "./contracts/runs/runs.ts";
import { type SubmitRunInput, type SubmittedRun, submittedRun } from "./contracts/runs/submit-run.ts";
import {
  type CreatedTeam,
  createdTeam,
  type ManagedTeam,
  managedTeam,
  type TeamList,
  type TeamsBody,
  teamList,
} from "./contracts/teams/people.ts";
import { type Followed, followRun } from "./follow-run.ts";
import { parseJson } from "./json.ts";

/** An error response. The message is the service's own, and `code` comes from its error catalogue. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** Finds the request in the service's log. */
  readonly requestId: string | null;

  constructor(status: number, code: string, message: string, requestId: string | null) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.requestId = requestId;
  }
}

export interface ApiClientOptions {
  /** The service's URL, such as `http://localhost:4400`. */
  baseUrl: string;
  /** A function returns a key that is valid now. */
  apiKey: string | (() => Promise<string>);
  /** Aborts every request and every wait. */
  signal?: AbortSignal;
  /** Attempts of a request that the service rejects with a `Retry-After`. */
  attempts?: number;
  /**
   * How long a request is retried while the service is unreachable, in ms. It may be restarting. Only
   * requests that are safe to repeat are retried: reads, and those with an idempotency key.
   */
  retryForMs?: number;
  /** Whether runs continue without a repository's configuration that can't be used. */
  lenient?: boolean;
  /**
   * Called at most once a request, with the failure, when it is retried because the service is unreachable.
   */
  onUnreachable?: (failure: unknown) => void;
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

/** Of the upload of one image, over a slow connection. */
const UPLOAD_TIMEOUT_MS = 180_000;

/** Attempts after 429 and 503 responses with a `Retry-After`. */
const ATTEMPTS = 4;
const MAX_PAUSE_SECONDS = 60;

/** Waits between attempts to reach an unreachable service. */
const RETRIES: Backoff = { firstMs: 250, longestMs: 5_000 };
/** Statuses that a proxy sends for an unreachable service. */
const UNREACHABLE = new Set([502, 503, 504]);

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
  readonly #attempts: number;
  readonly #retryForMs: number;
  readonly #onUnreachable: (failure: unknown) => void;

  constructor(options: ApiClientOptions) {
    const {
      baseUrl,
      apiKey,
      signal,
      attempts = ATTEMPTS,
      retryForMs = 0,
      onUnreachable = () => {},
    } = options;
    this.#lenient = options.lenient ?? false;
    this.#baseUrl = baseUrl.replace(/\/+$/, "");
    this.#apiKey = typeof apiKey === "string" ? async () => apiKey : apiKey;
    this.#signal = signal;
    this.#attempts = attempts;
    this.#retryForMs = retryForMs;
    this.#onUnreachable = onUnreachable;
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

  /** Uploads an image of a build. The API key is only sent to the service's own URL. */
  async uploadImage(id: string, { hash, url, headers, sendKey }: Upload, bytes: Buffer): Promise<void> {
    const target = sendKey ? `${this.#baseUrl}${buildPath(id)}/images/${hash}` : url;
    const key = sendKey && { authorization: `Bearer ${await this.#apiKey()}` };
    const request = { method: "PUT", headers: { ...headers, ...key }, body: new Uint8Array(bytes) };
    await this.#retry(true, async () => {
      const response = await this.#fetch(target, request, UPLOAD_TIMEOUT_MS);
      await response.body?.cancel();
      return null;
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
      if (followed !== "ended") await this.#pause(pauseMs);
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
    return await this.#retry(isRepeatable, async () => {
      const response = await this.#fetch(`${this.#baseUrl}${path}`, request, REQUEST_TIMEOUT_MS);
      return answer.parse(await response.json());
    });
  }

  /** Repeats an exchange that the service asks to repeat, or that doesn't reach it and can be repeated. */
  async #retry<T>(isRepeatable: boolean, exchange: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + (isRepeatable ? this.#retryForMs : 0);
    let isReported = false;
    for (let attempt = 1; ; attempt++) {
      const outcome = await exchange().then(
        value => ({ value }),
        (error: unknown) => rejectionOf(error),
      );
      if ("value" in outcome) return outcome.value;
      const { failure, retryAfterMs, isUnreachable } = outcome;
      this.#signal?.throwIfAborted();
      const isInTime = performance.now() < deadline;
      if (retryAfterMs !== null && (attempt < this.#attempts || isInTime)) await this.#pause(retryAfterMs);
      else if (isUnreachable && isInTime) {
        if (!isReported) this.#onUnreachable(failure);
        isReported = true;
        await this.#pause(backoffMs(attempt, RETRIES));
      } else throw failure;
    }
  }

  /** @throws RejectedError for an error response, and what fetch throws */
  async #fetch(url: string, request: RequestInit, timeoutMs: number): Promise<Response> {
    const late = AbortSignal.timeout(timeoutMs);
    const signal = this.#signal ? AbortSignal.any([late, this.#signal]) : late;
    const response = await fetch(url, { ...request, signal });
    if (response.ok) return response;
    throw new RejectedError(response.status, retryAfterMsOf(response), await errorOf(response));
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

  async #pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#signal });
  }
}

/** Whether a request can be sent twice. */
interface Repeating {
  idempotencyKey?: string | undefined;
  isRepeatable?: boolean;
}

/** An error response, or no response. */
interface Rejection {
  failure: unknown;
  /** The wait that the service requests before the next attempt, in ms. */
  retryAfterMs: number | null;
  /** Whether the service itself was not reached. */
  isUnreachable: boolean;
}

/** An error response, with what decides about a retry. */
class RejectedError extends Error {
  readonly rejection: Rejection;

  constructor(status: number, retryAfterMs: number | null, failure: ApiError) {
    super(failure.message);
    this.rejection = { failure, retryAfterMs, isUnreachable: UNREACHABLE.has(status) };
  }
}

function rejectionOf(error: unknown): Rejection {
  if (error instanceof RejectedError) return error.rejection;
  // Something else responded. A retry would not change that.
  const isOther = error instanceof SyntaxError || error instanceof ZodError;
  return { failure: error, retryAfterMs: null, isUnreachable: !isOther };
}

function buildPath(id: string): string {
  return `/v1/builds/${encodeURIComponent(id)}`;
}

/** Returns the wait that a response requests before the next attempt, in ms, or null without one. */
function retryAfterMsOf(response: Response): number | null {
  if (response.status !== 429 && response.status !== 503) return null;
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return seconds >= 0 && seconds <= MAX_PAUSE_SECONDS ? seconds * 1000 : null;
}

/** Reads the error of a response. It may come from a proxy whose bodies have another shape. */
export async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text();
  const { success, data } = problem.safeParse(parseJson(text));
  if (!success)
    return new ApiError(response.status, "unknown", `${response.status} ${text.slice(0, 200)}`.trim(), null);
  // The detail already contains the first one.
  const others = (data.errors ?? []).flatMap(({ message }) =>
    data.detail.includes(message) ? [] : [message],
  );
  return new ApiError(data.status, data.code, [data.detail, ...others].join(" "), data.requestId);
}
