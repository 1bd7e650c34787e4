import { z } from "zod";
import { type CheckedRequest, requestChecked } from "../../../shared/api/checked-request.ts";
import type { AddressPolicy } from "../../../shared/capture/network/address-guard.ts";
import { asError } from "../../../shared/errors.ts";
import { parseJson } from "../../../shared/json.ts";
import { API_ERRORS } from "../texts/connections.ts";
import { HostError } from "./host-error.ts";
import { type Refusal, RequestLimits } from "./request-limits.ts";

/** A request that gets no response by then is retried, at once or later. */
const RESPONSE_TIMEOUT_MS = 8_000;
/** Longer responses are refused. A comparison of two commits has the text of its changes. */
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;

/** Gitea redirects requests with the earlier name of a repository. */
const MAX_REDIRECTS = 3;
/** The statuses of redirects with the same method and body. */
const KEEPING_METHOD = new Set([307, 308]);

/** How the API of a kind of code host differs from others. */
export interface ApiDialect {
  /** The code host's name. */
  host: string;
  /** Returns the URL of the API of an instance. */
  apiOf(instanceUrl: string): string;
  /** The header with a token. */
  authorize(token: string): Record<string, string>;
  /** The parameter with the size of a page, and its largest value. */
  pageSize: { name: string; max: number };
  /** Whether a list has its items in `values`, and links its next page. Other lists have numbered pages. */
  linksPages?: boolean;
  writesPerMinute: number;
}

/** The access to an instance. */
export interface HostAccess {
  /** The instance's URL, without a trailing slash. It may have a path. */
  url: string;
  token: string;
}

/** The parameters of a request. Undefined values are left out. A list repeats its parameter. */
type Query = Record<string, string | number | boolean | string[] | undefined>;

/** A request, with a path below the API's. */
interface ApiRequest {
  query?: Query;
  /** Sent as JSON. */
  body?: Record<string, unknown>;
  /** Sent as a form. */
  form?: Record<string, string>;
}

/** The content of a request, and what its response may be. */
interface Content {
  accept: string;
  type?: string;
  text?: string;
}
const ASKS_FOR_JSON: Content = { accept: "application/json" };

/** A successful response. */
interface Answer {
  text: string;
  /** The number of items on all pages of a list, if the code host says it. */
  total: number | null;
}

/** An error response of a request attempt. */
class AttemptError extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/**
 * Sends requests to the API of an instance with a token. Every request goes through the address guard, because users name the
 * instance.
 * @see HostError for what every request throws
 */
export class TokenApi {
  readonly #dialect: ApiDialect;
  readonly #access: HostAccess;
  readonly #policy: AddressPolicy;
  readonly #limits: RequestLimits;
  readonly #onAnswer: (error: HostError | null) => void;

  constructor(
    dialect: ApiDialect,
    access: HostAccess,
    policy: AddressPolicy,
    limits = new RequestLimits(dialect.writesPerMinute),
    onAnswer: (error: HostError | null) => void = () => {},
  ) {
    this.#dialect = dialect;
    this.#access = access;
    this.#policy = policy;
    this.#limits = limits;
    this.#onAnswer = onAnswer;
  }

  /** Returns the same client, with the same limits, whose results are also passed to a function. */
  watchedBy(onAnswer: (error: HostError | null) => void): TokenApi {
    return new TokenApi(this.#dialect, this.#access, this.#policy, this.#limits, onAnswer);
  }

  /** Ends the limits of a client that is not used anymore. */
  stop(): Promise<void> {
    return this.#limits.stop();
  }

  /**
   * Sends a request, and returns its response as the schema's type.
   * @param path each value in it is already encoded, as by `path`
   */
  async send<T>(schema: z.ZodType<T>, method: string, path: string, request: ApiRequest = {}): Promise<T> {
    const { query = {}, ...content } = request;
    return (await this.#read(schema, method, this.#urlOf(path, query), contentOf(content))).data;
  }

  /** Returns a response that is no JSON, such as a file. */
  async text(path: string): Promise<string> {
    return (await this.#answered("GET", this.#urlOf(path, {}), { accept: "*/*" })).text;
  }

  #urlOf(path: string, query: Query): URL {
    const url = new URL(`${this.#root}${path}`);
    for (const [name, value] of Object.entries(query))
      for (const each of [value].flat()) if (each !== undefined) url.searchParams.append(name, String(each));
    return url;
  }

  async #read<T>(
    schema: z.ZodType<T>,
    method: string,
    url: URL,
    content: Content,
  ): Promise<{ data: T; total: number | null }> {
    const { text, total } = await this.#answered(method, url, content);
    const parsed = schema.safeParse(text === "" ? null : parseJson(text));
    if (parsed.success) return { data: parsed.data, total };
    const [issue] = parsed.error.issues;
    const where = issue?.path.join(".") || "response";
    // A login page or a proxy answered. Retrying does not help until someone fixes the URL.
    throw new HostError(
      422,
      API_ERRORS.otherServer(this.#access.url, this.#dialect.host, where, issue?.message),
    );
  }

  /** Returns all items of a list, at most so many pages. */
  list<T>(item: z.ZodType<T>, path: string, query: Query, maxPages: number): Promise<T[]> {
    const { pageSize, linksPages } = this.#dialect;
    const sized = { [pageSize.name]: pageSize.max, ...query };
    return linksPages
      ? this.#listByLinks(item, this.#urlOf(path, sized), maxPages)
      : this.#listByNumbers(item, path, sized, maxPages);
  }

  async #listByLinks<T>(item: z.ZodType<T>, first: URL, maxPages: number): Promise<T[]> {
    const page = z.object({ values: z.array(item), next: z.url().nullish() });
    const all: T[] = [];
    const url = new URL(first);
    for (let read = 1; read <= maxPages; read++) {
      const { data } = await this.#read(page, "GET", url, ASKS_FOR_JSON);
      all.push(...data.values);
      if (data.next == null) break;
      // Only its parameters differ, and nothing but the API gets the token.
      url.search = new URL(data.next).search;
    }
    return all;
  }

  async #listByNumbers<T>(item: z.ZodType<T>, path: string, query: Query, maxPages: number): Promise<T[]> {
    const { max } = this.#dialect.pageSize;
    const all: T[] = [];
    for (let page = 1; page <= maxPages; page++) {
      const url = this.#urlOf(path, { ...query, page });
      const { data, total } = await this.#read(z.array(item), "GET", url, ASKS_FOR_JSON);
      all.push(...data);
      // An instance can have smaller pages than requested.
      const isLast = total === null ? data.length < max : all.length >= total;
      if (isLast || data.length === 0) break;
    }
    return all;
  }

  /** The URL of the API. */
  get #root(): string {
    return this.#dialect.apiOf(this.#access.url);
  }

  async #answered(method: string, url: URL, content: Content): Promise<Answer> {
    try {
      const answer = await this.#limits.run(method, () => this.#attempt(method, url, content), refusalOf);
      this.#onAnswer(null);
      return answer;
    } catch (error) {
      if (error instanceof HostError) this.#onAnswer(error);
      throw error;
    }
  }

  #messageOf(body: string, status: number): string {
    const { data } = errorBody.safeParse(parseJson(body));
    const named = errorObject.safeParse(data?.error).data?.message;
    const said = data?.error_description ?? data?.message ?? named ?? data?.error;
    const words = typeof said === "string" ? said : said === undefined ? "" : JSON.stringify(said);
    return API_ERRORS.answered(this.#dialect.host, status, words.slice(0, MAX_MESSAGE_CHARS));
  }

  /** Sends a request, also to where its repository moved. Every redirect goes through the address guard. */
  async #followed(url: URL, request: CheckedRequest): Promise<Response> {
    let response = await requestChecked(url, request);
    let at = url;
    for (let redirects = 0; redirects < MAX_REDIRECTS; redirects++) {
      const to = redirectOf(response, at, this.#root);
      if (to === null) break;
      at = to;
      response = await requestChecked(at, request);
    }
    return response;
  }

  /** @throws AttemptError */
  async #attempt(method: string, url: URL, { accept, type, text: body }: Content): Promise<Answer> {
    const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
    try {
      const response = await this.#followed(url, {
        policy: this.#policy,
        method,
        headers: {
          ...this.#dialect.authorize(this.#access.token),
          Accept: accept,
          ...(type !== undefined && { "Content-Type": type }),
        },
        body,
        maxBytes: MAX_RESPONSE_BYTES,
        signal,
      });
      const text = await response.text();
      if (response.ok) return { text, total: totalOf(response) };
      const headers = Object.fromEntries(response.headers);
      throw new AttemptError({
        status: response.status,
        message: this.#messageOf(text, response.status),
        headers,
      });
    } catch (error) {
      if (error instanceof AttemptError) throw error;
      throw new AttemptError({ status: 0, message: asError(error).message, headers: {} });
    }
  }
}

function contentOf({ body, form }: Omit<ApiRequest, "query">): Content {
  if (body) return { ...ASKS_FOR_JSON, type: "application/json", text: JSON.stringify(body) };
  if (!form) return ASKS_FOR_JSON;
  const text = new URLSearchParams(form).toString();
  return { ...ASKS_FOR_JSON, type: "application/x-www-form-urlencoded", text };
}

/** Returns the number of items of a list on all its pages. Null if the code host does not say. */
function totalOf({ headers }: Response): number | null {
  const total = headers.get("x-total-count") ?? "";
  return /^\d{1,9}$/.test(total) ? Number(total) : null;
}

/** Returns where a response redirects the same request, or null. Nothing but the API gets the token. */
function redirectOf({ status, headers }: Response, from: URL, api: string): URL | null {
  const location = headers.get("location");
  if (!KEEPING_METHOD.has(status) || location === null) return null;
  const to = URL.parse(location, from);
  return to?.href.startsWith(`${api}/`) ? to : null;
}

/** Returns a path of the API, with each value encoded as one segment. */
export function path(strings: TemplateStringsArray, ...values: (string | number)[]): string {
  return String.raw({ raw: strings }, ...values.map(value => encodeURIComponent(value)));
}

function refusalOf(error: unknown): Refusal | null {
  return error instanceof AttemptError ? error.refusal : null;
}

/** Code hosts name their errors in one of these fields. A field's value may be text, a list, or lists by field. */
const errorBody = z
  .object({ message: z.unknown(), error: z.unknown(), error_description: z.unknown() })
  .partial();
const errorObject = z.object({ message: z.string() });
const MAX_MESSAGE_CHARS = 300;
