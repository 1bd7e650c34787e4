import { setTimeout as delay } from "node:timers/promises";
import type { z } from "zod";
import { type Backoff, backoffMs } from "./backoff.ts";
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

/** An answer that is an error. The message is the service's own; `code` is one of its error catalogue. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** To be looked for in the service's log. */
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
  /** The service's address, as `http://localhost:4400`. */
  baseUrl: string;
  apiKey: string;
  /** Ends every request and every wait. */
  signal?: AbortSignal;
  /** How often a request is sent that the service turns away unread, asking for patience. */
  attempts?: number;
  /**
   * How long a request is sent again while the service is not reached, ms: it may be restarting. Only what may be asked
   * twice is: what reads, and what carries an idempotency key.
   */
  retryForMs?: number;
  /** Has runs go on without a repository's configuration that can't be used. */
  lenient?: boolean;
  /** Is told why when a request is sent again because the service is not reached, once a request. */
  onUnreachable?: (failure: unknown) => void;
}

export interface WaitOptions {
  /** Is told of the run each time that there is something to tell. */
  onProgress?: (run: RunView) => void;
  /** Between two reads, where the run cannot be followed. */
  intervalMs?: number;
}

/** Well under the service's limit of requests per key and minute, and quick enough for the eye; less often for a long run. */
const INTERVAL_MS = 300;
const LONGEST_INTERVAL_MS = 2_000;
const INTERVAL_GROWTH = 1.05;

/** A single request; the service answers in milliseconds, a proxy before it may take its time. */
const REQUEST_TIMEOUT_MS = 30_000;

/** Requests that the service turned away unread: 429 and 503, each answered with a `Retry-After`. */
const ATTEMPTS = 4;
const LONGEST_PAUSE_SECONDS = 60;

/** Between two tries to reach a service that is away. */
const RETRIES: Backoff = { firstMs: 250, longestMs: 5_000 };
/** A proxy says so of a service behind it that is away. */
const AWAY = new Set([502, 503, 504]);

/**
 * A client of `/v1`. Every method throws ApiError for an answer that is an error; where nothing answers, TypeError, or a
 * DOMException named TimeoutError after half a minute; where something else than the service does, SyntaxError for what
 * is no JSON and ZodError for JSON of another shape; and the signal's reason once that is aborted.
 */
export class ApiClient {
  readonly #baseUrl: string;
  readonly #apiKey: string;
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
    this.#apiKey = apiKey;
    this.#signal = signal;
    this.#attempts = attempts;
    this.#retryForMs = retryForMs;
    this.#onUnreachable = onUnreachable;
  }

  /** Asks for a run. The same `idempotencyKey` asks for the same run, however often it is sent. */
  submitRun(run: SubmitRunInput, idempotencyKey?: string): Promise<SubmittedRun> {
    return this.#request("POST", "/v1/run", submittedRun, run, idempotencyKey);
  }

  getRun(id: string): Promise<RunView> {
    return this.#request("GET", `/v1/runs/${encodeURIComponent(id)}`, runView);
  }

  /** Ends a run before its time. */
  cancelRun(id: string): Promise<RunView> {
    return this.#request("POST", `/v1/runs/${encodeURIComponent(id)}/cancel`, runView);
  }

  /** Resolves once the run is completed, failed or canceled. It is followed; what is not told so, is read now and then. */
  async waitForRun(id: string, { onProgress, intervalMs = INTERVAL_MS }: WaitOptions = {}): Promise<RunView> {
    let canFollow = true;
    for (let pauseMs = intervalMs; ; pauseMs = Math.min(pauseMs * INTERVAL_GROWTH, LONGEST_INTERVAL_MS)) {
      const run = await this.getRun(id);
      onProgress?.(run);
      if (isEnded(run.status)) return run;
      const followed: Followed = canFollow ? await this.#follow(run, onProgress) : "not there";
      canFollow = followed !== "not there";
      if (followed !== "to its end") await this.#pause(pauseMs);
    }
  }

  /** All of the run's screenshots, in the service's order. */
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

  /** Makes the run's screenshots the baselines: those named, or all. */
  approve(runId: string, screenshots?: string[]): Promise<Approved> {
    const path = `/v1/baselines/${encodeURIComponent(runId)}/approve`;
    return this.#request("POST", path, approved, screenshots ? { screenshots } : {});
  }

  /** The first of the key's teams. */
  listTeams(): Promise<TeamList> {
    return this.#request("GET", "/v1/teams", teamList);
  }

  createTeam(name: string): Promise<CreatedTeam> {
    return this.#request("POST", "/v1/teams", createdTeam, { name });
  }

  /** Adds members to a team, or changes their roles. Those who have not signed in yet are invited. */
  addMembers(teamId: string, add: TeamsBody["add"]): Promise<ManagedTeam> {
    return this.#request("POST", "/v1/teams", managedTeam, { teamId, add });
  }

  async #request<T extends z.ZodType>(
    method: string,
    path: string,
    answer: T,
    body?: unknown,
    idempotencyKey?: string,
  ): Promise<z.infer<T>> {
    const isRepeatable = method === "GET" || idempotencyKey !== undefined;
    const patientUntil = performance.now() + (isRepeatable ? this.#retryForMs : 0);
    const send = () => this.#exchange(method, path, body, idempotencyKey);
    let isReported = false;
    for (let attempt = 1; ; attempt++) {
      const answered = await send();
      if ("body" in answered) return answer.parse(answered.body);
      const { failure, askedMs, isAway } = answered;
      this.#signal?.throwIfAborted();
      const isPatient = performance.now() < patientUntil;
      if (askedMs !== null && (attempt < this.#attempts || isPatient)) await this.#pause(askedMs);
      else if (isAway && isPatient) {
        if (!isReported) this.#onUnreachable(failure);
        isReported = true;
        await this.#pause(backoffMs(attempt, RETRIES));
      } else throw failure;
    }
  }

  async #exchange(
    method: string,
    path: string,
    body: unknown,
    idempotencyKey: string | undefined,
  ): Promise<{ body: unknown } | Refusal> {
    try {
      const response = await fetch(`${this.#baseUrl}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.#apiKey}`,
          ...(body !== undefined && { "content-type": "application/json" }),
          ...(this.#lenient && { prefer: "handling=lenient" }),
          ...(idempotencyKey && { "idempotency-key": idempotencyKey }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.any([
          AbortSignal.timeout(REQUEST_TIMEOUT_MS),
          ...(this.#signal ? [this.#signal] : []),
        ]),
      });
      if (response.ok) return { body: await response.json() };
      const askedMs = pauseAsked(response);
      return { failure: await errorOf(response), askedMs, isAway: AWAY.has(response.status) };
    } catch (error) {
      // Something answered that is no such service; asking again would not change that.
      return { failure: error, askedMs: null, isAway: !(error instanceof SyntaxError) };
    }
  }

  #follow(run: RunView, onProgress: WaitOptions["onProgress"]): Promise<Followed> {
    const stream = {
      url: `${this.#baseUrl}/v1/runs/${encodeURIComponent(run.id)}/events`,
      apiKey: this.#apiKey,
    };
    return followRun({ ...stream, signal: this.#signal }, progress => onProgress?.({ ...run, ...progress }));
  }

  async #pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#signal });
  }
}

/** An answer that is an error, or none. */
interface Refusal {
  failure: unknown;
  /** What the service asks its caller to wait before the same request, ms. */
  askedMs: number | null;
  /** Whether the service itself was not reached. */
  isAway: boolean;
}

/** How long the service asks its caller to wait before the same request, ms; null when it does not. */
function pauseAsked(response: Response): number | null {
  if (response.status !== 429 && response.status !== 503) return null;
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return seconds >= 0 && seconds <= LONGEST_PAUSE_SECONDS ? seconds * 1000 : null;
}

/** The error in an answer, which may also come from a proxy that knows nothing of the service's bodies. */
async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text();
  const { success, data } = problem.safeParse(parseJson(text));
  if (!success)
    return new ApiError(response.status, "unknown", `${response.status} ${text.slice(0, 200)}`.trim(), null);
  // The detail has the first of them.
  const others = (data.errors ?? []).flatMap(({ message }) =>
    data.detail.includes(message) ? [] : [message],
  );
  return new ApiError(data.status, data.code, [data.detail, ...others].join(" "), data.requestId);
}
