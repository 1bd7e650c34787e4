import { ApiExchanges, type ExchangeOptions } from "../../shared/api/api-exchanges.ts";
import { isEnded } from "../../shared/contracts/runs/run-outcomes.ts";
import type { RunProgress } from "../../shared/contracts/runs/runs.ts";
import type { LiveChange, LiveKind } from "../../shared/contracts/teams/live.ts";
import type { Operations } from "./operations.ts";
import { readStream } from "./read-stream.ts";

/** Such as `GET /v1/runs/{id}`. */
export type OperationName = keyof Operations;
/** The response of an operation. */
export type Answer<N extends OperationName> = Operations[N]["answer"];
/** An operation that returns a list by pages. */
export type ListName = {
  [N in OperationName]: Answer<N> extends { data: unknown[]; nextCursor: string | null } ? N : never;
}[OperationName];
/** An entry of a list. */
export type Item<N extends ListName> = Answer<N> extends { data: (infer T)[] } ? T : never;

/** The last argument of a call. It can be omitted if nothing in it is required. */
type Input<N extends OperationName> =
  Record<never, never> extends Operations[N]["input"]
    ? [input?: Operations[N]["input"]]
    : [input: Operations[N]["input"]];

/** A notice that an operation, or a field of it, will be removed. */
export interface Deprecated {
  operation: string;
  /** When it was deprecated, and when it is removed at the earliest. Null if unknown. */
  since: Date | null;
  sunset: Date | null;
}

export interface ClientOptions extends ExchangeOptions {
  /** The service's URL, such as `https://vrs.example.com`. */
  url: string;
  /** A function returns a key that is valid now. */
  apiKey: string | (() => Promise<string>);
  /** Timeout of one request. Default: 30 seconds. */
  timeoutMs?: number;
  /** Called for each response of a deprecated operation. */
  onDeprecated?: (notice: Deprecated) => void;
}

const REQUEST_TIMEOUT_MS = 30_000;

/** What an operation may take, without its types. */
interface AnyInput {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  idempotencyKey?: string;
}

/**
 * A client of `/v1`, with the types of its OpenAPI document. Every method throws:
 * - ApiError for an error response;
 * - TypeError if nothing responds, or a DOMException named TimeoutError after the timeout;
 * - SyntaxError if something else responds;
 * - the signal's reason once it is aborted.
 *
 * Reads, and requests with an idempotency key, are repeated for `retryForMs` while the service is unreachable. All
 * requests are repeated after a `Retry-After`.
 */
export class VrsClient {
  readonly #options: ClientOptions;
  readonly #url: string;
  readonly #exchanges: ApiExchanges;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#url = options.url.replace(/\/+$/, "");
    this.#exchanges = new ApiExchanges(options);
  }

  /** Sends one request: `client.call("GET /v1/runs/{id}", { params: { id } })`. */
  async call<N extends OperationName>(name: N, ...[input]: Input<N>): Promise<Answer<N>> {
    return await this.#send<Answer<N>>(name, input ?? {});
  }

  /** Returns all entries of a list, and requests further pages as needed. */
  async *list<N extends ListName>(name: N, ...[input]: Input<N>): AsyncGenerator<Item<N>> {
    const given: AnyInput = input ?? {};
    let cursor: string | null = null;
    do {
      const query: Record<string, unknown> = { ...given.query, ...(cursor !== null && { cursor }) };
      const page: Page<N> = await this.#send(name, { ...given, query });
      yield* page.data;
      cursor = page.nextCursor;
    } while (cursor !== null);
  }

  /** Returns the states of a run until it ends. A stream that breaks is opened again. */
  async *followRun(id: string): AsyncGenerator<RunProgress> {
    const path = `/v1/runs/${encodeURIComponent(id)}/events`;
    for await (const { data } of readStream<RunProgress>(await this.#stream(path))) {
      yield data;
      if (isEnded(data.status)) return;
    }
  }

  /** Waits until a run ends. @param onProgress called with each of its states */
  async waitForRun(
    id: string,
    onProgress: (state: RunProgress) => void = () => {},
  ): Promise<Answer<"GET /v1/runs/{id}">> {
    for await (const state of this.followRun(id)) onProgress(state);
    return await this.call("GET /v1/runs/{id}", { params: { id } });
  }

  /** Returns what changes in the team, until the caller stops reading or the signal is aborted. */
  async *followTeam(): AsyncGenerator<LiveChange & { kind: LiveKind }> {
    for await (const { event, data } of readStream<LiveChange>(await this.#stream("/v1/events")))
      if (event === "runs" || event === "monitors") yield { kind: event, ...data };
  }

  async #send<T>(name: string, { params, query, body, idempotencyKey }: AnyInput): Promise<T> {
    const [method = "", template = ""] = name.split(" ");
    const headers = {
      authorization: `Bearer ${await this.#key()}`,
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
    };
    const request = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const { timeoutMs = REQUEST_TIMEOUT_MS } = this.#options;
    const isRepeatable = method === "GET" || idempotencyKey !== undefined;
    return await this.#exchanges.retry(isRepeatable, async () => {
      const url = `${this.#url}${pathOf(template, params)}${queryOf(query)}`;
      const response = await this.#exchanges.fetch(url, request, timeoutMs);
      this.#reportDeprecation(name, response);
      return JSON.parse((await response.text()) || "null");
    });
  }

  async #stream(path: string) {
    const { signal } = this.#options;
    return { url: `${this.#url}${path}`, key: () => this.#key(), ...(signal && { signal }) };
  }

  async #key(): Promise<string> {
    const { apiKey } = this.#options;
    return typeof apiKey === "string" ? apiKey : await apiKey();
  }

  #reportDeprecation(operation: string, { headers }: Response): void {
    const deprecation = headers.get("deprecation");
    if (deprecation === null) return;
    const sunset = headers.get("sunset");
    const since = /^@\d+$/.test(deprecation) ? new Date(Number(deprecation.slice(1)) * 1000) : null;
    this.#options.onDeprecated?.({ operation, since, sunset: sunset === null ? null : new Date(sunset) });
  }
}

interface Page<N extends ListName> {
  data: Item<N>[];
  nextCursor: string | null;
}

function pathOf(template: string, params: Record<string, string> = {}): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
}

function queryOf(query: Record<string, unknown> = {}): string {
  const fields = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return fields.length === 0 ? "" : `?${new URLSearchParams(fields)}`;
}
