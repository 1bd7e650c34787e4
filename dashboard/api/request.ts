import type { Problem } from "../../shared/contracts/problem.ts";
import { commonTexts } from "../texts/common.ts";

/** An error response, with the service's message. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  /** Failures of single fields of the body, by path. */
  readonly fields: { path: string; message: string }[];

  constructor(status: number, code: string, detail: string, fields: ApiProblem["fields"] = []) {
    super(detail);
    this.name = "ApiProblem";
    this.status = status;
    this.code = code;
    this.fields = fields;
  }
}

const TEAM = "vrs-team";
/** No response takes this long. Connections may be lost without an error. */
const ANSWERED_WITHIN_MS = 60_000;

/**
 * Returns the team of this tab; null for the service's default. A new tab starts with the team of the last
 * used tab, and then keeps it.
 */
export function chosenTeam(): string | null {
  const chosen = sessionStorage.getItem(TEAM) ?? localStorage.getItem(TEAM) ?? "";
  sessionStorage.setItem(TEAM, chosen);
  return chosen || null;
}

/** Sets the team for this tab, and for tabs opened from it. */
export function rememberTeam(id: string | null): void {
  sessionStorage.setItem(TEAM, id ?? "");
  offerTeam();
}

/** Makes this tab's team the default of new tabs. A tab opened by a link has no other source for it. */
export function offerTeam(): void {
  localStorage.setItem(TEAM, chosenTeam() ?? "");
}

export interface RequestOptions {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  body?: unknown;
  signal?: AbortSignal;
  accept?: string;
  /** The team of the request, if it may differ from the tab's. */
  team?: string | null;
  /** Timeout of the whole response; null for a stream. */
  withinMs?: number | null;
}

/**
 * Sends a request to the service. @param path relative to the service's address, such as `v1/runs` @throws
 * ApiProblem for an error, also without a response
 */
export async function sendRequest(
  path: string,
  {
    method = "GET",
    body,
    signal,
    accept,
    team = chosenTeam(),
    withinMs = ANSWERED_WITHIN_MS,
  }: RequestOptions = {},
): Promise<Response> {
  const ends = [signal ?? [], withinMs === null ? [] : AbortSignal.timeout(withinMs)].flat();
  let response: Response;
  try {
    response = await fetch(new URL(path, document.baseURI), {
      method,
      headers: {
        ...(team !== null && { "Vrs-Team": team }),
        ...(accept && { Accept: accept }),
        ...(body !== undefined && { "Content-Type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.any(ends),
    });
  } catch (error) {
    throw unanswered(error, { method, signal });
  }
  if (!response.ok) throw await problemOf(response);
  return response;
}

/** Sends a request for JSON of a contract type. @throws ApiProblem */
export async function requestJson<T>(path: string, how: RequestOptions = {}): Promise<T> {
  const response = await sendRequest(path, how);
  const read = () => response.json().catch(error => Promise.reject(unanswered(error, how)));
  const answer: T = response.status === 204 ? null : await read();
  return answer;
}

/**
 * Returns the error for a missing or partial response. Keeps the error if the caller aborted, or if the
 * response wasn't JSON. Pages retry only what they read.
 */
function unanswered(
  error: unknown,
  { method = "GET", signal }: { method?: RequestOptions["method"]; signal?: AbortSignal | undefined },
): unknown {
  if (signal?.aborted || error instanceof SyntaxError) return error;
  return new ApiProblem(0, "unreachable", method === "GET" ? commonTexts.unreachable : commonTexts.noAnswer);
}

/** Reads the error in a response, which may also come from a proxy with another format. */
async function problemOf(response: Response): Promise<ApiProblem> {
  const body: Partial<Problem> | null = await response.json().catch(() => null);
  const detail =
    body?.detail ?? commonTexts.unknownAnswer(`${response.status} ${response.statusText}`.trim());
  return new ApiProblem(response.status, body?.code ?? "unknown", detail, body?.errors);
}

/** Returns the query of a path, with the parameters that have a value. */
export function queryOf(values: Record<string, string | null | undefined>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value) search.set(name, value);
  return search.size === 0 ? "" : `?${search}`;
}
