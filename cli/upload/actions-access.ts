import { z } from "zod";
import { errorOf } from "../../shared/api/api-exchanges.ts";
import { type ExchangedKey, type ExchangeToken, exchangedKey } from "../../shared/contracts/teams/keys.ts";
import { asError } from "../../shared/errors.ts";
import { type Access, readAccess, readApiUrl, readLogin } from "../cloud/access.ts";
import { withServiceErrors } from "../cloud/service-errors.ts";
import { CommandError, type Terminal } from "../terminal.ts";
import { UPLOAD_ERRORS } from "../texts/upload.ts";

const TIMEOUT_MS = 30_000;
/** A key is replaced this long before it expires, so that no request arrives too late. */
const SPARE_MS = 120_000;

type JobTerminal = Pick<Terminal, "env" | "signal">;

const idToken = z.object({ value: z.string().min(1) });

/**
 * Reads the access as other commands do. Without an API key, a job of GitHub Actions with the permission
 * `id-token: write` gets short-lived keys in exchange for its token.
 * @param project project to upload to
 * @throws CommandError
 */
export async function readUploadAccess(terminal: JobTerminal, project: string): Promise<Access> {
  const { env } = terminal;
  const isInJob = env.ACTIONS_ID_TOKEN_REQUEST_URL && env.ACTIONS_ID_TOKEN_REQUEST_TOKEN;
  const hasKey = env.SERVICE_API_KEY || (await readLogin(env)) !== null;
  if (!isInJob || hasKey || !env.SERVICE_API_URL) return readAccess(terminal);
  const url = readApiUrl(env.SERVICE_API_URL, "SERVICE_API_URL");
  const currentKey = renewed(() => requestKey(terminal, url, project));
  return { url, apiKey: await currentKey(), currentKey };
}

/** Returns a function that returns a key, and requests another one before it expires. Concurrent callers share it. */
export function renewed(request: () => Promise<ExchangedKey>): () => Promise<string> {
  let renewAt = 0;
  let current: Promise<ExchangedKey> | null = null;
  const renew = async () => {
    try {
      const key = await request();
      renewAt = Date.parse(key.expiresAt) - SPARE_MS;
      return key;
    } catch (error) {
      renewAt = 0;
      throw error;
    }
  };
  return async () => {
    if (!current || Date.now() >= renewAt) {
      renewAt = Number.POSITIVE_INFINITY;
      current = renew();
    }
    return (await current).key;
  };
}

async function requestKey({ env, signal }: JobTerminal, url: string, project: string): Promise<ExchangedKey> {
  const token = await requestToken(env, url, signal);
  const team = env.SERVICE_TEAM;
  const body: ExchangeToken = { token, project, ...(team && { team }) };
  return await withServiceErrors({ url }, exchange(url, body, signal));
}

async function exchange(url: string, body: ExchangeToken, signal: AbortSignal): Promise<ExchangedKey> {
  const response = await fetch(`${url}/v1/upload-keys`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  if (!response.ok) {
    const error = await errorOf(response);
    throw new CommandError("no_access", UPLOAD_ERRORS.noKey(url, error.message), error);
  }
  return exchangedKey.parse(await response.json());
}

/** Requests the token of this job for the service. @throws CommandError `no_access` */
async function requestToken(env: Terminal["env"], audience: string, signal: AbortSignal): Promise<string> {
  const url = `${env.ACTIONS_ID_TOKEN_REQUEST_URL}&audience=${encodeURIComponent(audience)}`;
  try {
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${env.ACTIONS_ID_TOKEN_REQUEST_TOKEN}` },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    if (!response.ok) throw new Error(`${response.status}`);
    return idToken.parse(await response.json()).value;
  } catch (error) {
    signal.throwIfAborted();
    throw new CommandError("no_access", UPLOAD_ERRORS.noToken(asError(error).message), error);
  }
}
