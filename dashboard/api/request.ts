import type { Problem } from "../../shared/contracts/runs/runs.ts";
import { commonTexts } from "../texts/common.ts";

/** An answer that is an error, in the service's own words. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  /** What is wrong with single fields of the body, by path. */
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
/** No answer takes so long: a connection that is gone without a word must not be waited for. */
const ANSWERED_WITHIN_MS = 60_000;

/**
 * The team that this tab asks about; null for the one that the service takes by itself. A tab begins with that of the
 * tab which was used last, and keeps to it whatever is chosen in others.
 */
export function chosenTeam(): string | null {
  const chosen = sessionStorage.getItem(TEAM) ?? localStorage.getItem(TEAM) ?? "";
  sessionStorage.setItem(TEAM, chosen);
  return chosen || null;
}

/** Chooses for this tab, and for those that are opened from it. */
export function rememberTeam(id: string | null): void {
  sessionStorage.setItem(TEAM, id ?? "");
  offerTeam();
}

/** Has tabs that are opened from now on begin with the team of this one: a link's tab knows nothing else of its own. */
export function offerTeam(): void {
  localStorage.setItem(TEAM, chosenTeam() ?? "");
}

export interface Ask {
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  body?: unknown;
  signal?: AbortSignal;
  accept?: string;
  /** Whose things it is about, where that may not be the tab's team any more. */
  team?: string | null;
  /** How long the whole answer may take; null for a stream. */
  withinMs?: number | null;
}

/** Asks the service. @param path as seen from the service's address, as `v1/runs` @throws ApiProblem for an error, also without an answer */
export async function ask(
  path: string,
  { method = "GET", body, signal, accept, team = chosenTeam(), withinMs = ANSWERED_WITHIN_MS }: Ask = {},
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
    throw unanswered(error, signal);
  }
  if (!response.ok) throw await problemOf(response);
  return response;
}

/** Asks for JSON of a type that the contracts know. @throws ApiProblem */
export async function askFor<T>(path: string, how: Ask = {}): Promise<T> {
  const response = await ask(path, how);
  const read = () => response.json().catch(error => Promise.reject(unanswered(error, how.signal)));
  const answer: T = response.status === 204 ? null : await read();
  return answer;
}

/** What is said where no answer came, or not all of it; the error as it is where the caller wants none, or got no JSON. */
function unanswered(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted || error instanceof SyntaxError) return error;
  return new ApiProblem(0, "unreachable", commonTexts.unreachable);
}

/** The error in an answer, which may also come from a proxy that knows nothing of the service's bodies. */
async function problemOf(response: Response): Promise<ApiProblem> {
  const body: Partial<Problem> | null = await response.json().catch(() => null);
  const detail =
    body?.detail ?? commonTexts.unknownAnswer(`${response.status} ${response.statusText}`.trim());
  return new ApiProblem(response.status, body?.code ?? "unknown", detail, body?.errors);
}
