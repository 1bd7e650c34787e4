import { z } from "zod";
import type { PlatformOauth } from "../../../shared/environment/platform-variables.ts";
import { PLATFORM_ERRORS } from "../texts.ts";

/** A person waits for an installation. */
const RESPONSE_TIMEOUT_MS = 10_000;
/** Enough for a configuration with thousands of projects. */
const MAX_RESPONSE_BYTES = 1024 * 1024;
/** The usual path of an installation in a platform's API. PLATFORM_API_URL can set another one. */
const CONFIGURATION_PATH = "/v1/integrations/configuration/{configurationId}";

/** The placeholder of the installation's id. */
const CONFIGURATION = /\{configurationId\}|%7BconfigurationId%7D/i;
/** A delivery waits for the variables. */
const VARIABLES_TIMEOUT_MS = 3_000;

/** The credentials of an installation for the platform's API. */
export interface PlatformToken {
  accessToken: string;
  /** The platform's team; null for a personal account. */
  teamId: string | null;
}

/** An installation as the platform reports it. */
export interface Install {
  configurationId: string;
  /** The team's id, or the user's id for an account without teams. Null if the platform does not report it. */
  ownerId: string | null;
  /** The selected projects, or "all" for all current and later projects of the team. */
  projects: string[] | "all";
  /** Null if the platform's API is not used later. */
  token?: PlatformToken | null;
}

/** A failed request to the platform. `refused` means that it responded with a refusal. */
export class PlatformApiError extends Error {
  readonly refused: boolean;

  constructor(message: string, refused: boolean) {
    super(message);
    this.name = "PlatformApiError";
    this.refused = refused;
  }
}

const id = z.union([z.string().regex(/^[\x21-\x7e]{1,200}$/), z.number().transform(String)]);
const tokenResponse = z.object({
  access_token: z.string().min(1).max(8192),
  installation_id: id.nullish(),
  configuration_id: id.nullish(),
  team_id: id.nullish(),
  user_id: id.nullish(),
});
type TokenResponse = z.infer<typeof tokenResponse>;

const configurationResponse = z.object({
  id,
  teamId: id.nullish(),
  userId: id.nullish(),
  projectSelection: z.enum(["all", "selected"]).optional(),
  projects: z.array(z.union([id, z.object({ id })])).nullish(),
});

const variablesResponse = z.object({ envs: z.array(z.unknown()).max(5_000) });

const variable = z.object({
  key: z.string().max(256),
  value: z.string().max(65_536),
  type: z.string(),
  decrypted: z.boolean().optional(),
  target: z.union([z.string().transform(target => [target]), z.array(z.string())]).nullish(),
  gitBranch: z
    .string()
    .nullish()
    .transform(branch => branch || null),
});

/** A variable of a project. Without a branch, it is for every branch. */
export type ProjectVariable = Pick<z.infer<typeof variable>, "key" | "value" | "gitBranch">;

function isReadable({ type, decrypted, target }: z.infer<typeof variable>): boolean {
  const hasPreviews = target?.includes("preview") ?? true;
  return hasPreviews && (type === "plain" || (type === "encrypted" && decrypted === true));
}

/** The deployment platform's OAuth flow and API. Only this file sends requests to it. */
export class PlatformApi {
  readonly #oauth: PlatformOauth;
  readonly #redirectUrl: string;

  /** @param redirectUrl the URL that the platform redirects browsers to */
  constructor(oauth: PlatformOauth, redirectUrl: string) {
    this.#oauth = oauth;
    this.#redirectUrl = redirectUrl;
  }

  /** Returns the URL where a person installs the integration. */
  authorizeUrl(state: string): string {
    const url = new URL(this.#oauth.authorizeUrl);
    url.searchParams.set("client_id", this.#oauth.clientId);
    url.searchParams.set("redirect_uri", this.#redirectUrl);
    url.searchParams.set("response_type", "code");
    url.searchParams.set("state", state);
    return url.href;
  }

  /**
   * Returns the installation of a code, with its owner as the platform reports it. The id from the browser is used only
   * if the token has none, and only if the token can read it.
   * @throws PlatformApiError
   */
  async installOf(code: string, givenId: string | null): Promise<Install> {
    const token = await this.#exchange(code);
    const configurationId = token.installation_id ?? token.configuration_id ?? givenId;
    if (!configurationId) throw new PlatformApiError(PLATFORM_ERRORS.noInstallation, true);
    const configuration = await this.#configuration(token, configurationId);
    if (configuration.id !== configurationId)
      throw new PlatformApiError(PLATFORM_ERRORS.otherInstallation, true);
    const ownerId = configuration.teamId ?? token.team_id ?? configuration.userId ?? token.user_id ?? null;
    const projects = (configuration.projects ?? []).map(project =>
      typeof project === "string" ? project : project.id,
    );
    return {
      configurationId,
      ownerId,
      projects: configuration.projectSelection === "all" ? "all" : projects,
      token: { accessToken: token.access_token, teamId: token.team_id ?? null },
    };
  }

  /**
   * Returns the preview variables of a project that the platform lets the integration read. Sensitive ones are never
   * included, and encrypted ones only if the platform decrypts them.
   * @throws PlatformApiError
   */
  async projectVariables(
    { accessToken, teamId }: PlatformToken,
    projectId: string,
  ): Promise<ProjectVariable[]> {
    if (/^\.{1,2}$/.test(projectId)) return [];
    const { apiUrl } = this.#oauth;
    const base = CONFIGURATION.test(apiUrl) ? new URL(apiUrl).origin : apiUrl.replace(/\/+$/, "");
    const url = new URL(`${base}/v10/projects/${encodeURIComponent(projectId)}/env`);
    url.searchParams.set("decrypt", "true");
    if (teamId !== null) url.searchParams.set("teamId", teamId);
    const headers = { Accept: "application/json", Authorization: `Bearer ${accessToken}` };
    const { envs } = read(variablesResponse, await requestJson(url.href, { headers }, VARIABLES_TIMEOUT_MS));
    return envs.flatMap(each => variable.safeParse(each).data ?? []).filter(isReadable);
  }

  async #exchange(code: string): Promise<TokenResponse> {
    const { clientId, clientSecret, tokenUrl } = this.#oauth;
    const body = new URLSearchParams({
      grant_type: "authorization_code",
      client_id: clientId,
      client_secret: clientSecret,
      code,
      redirect_uri: this.#redirectUrl,
    });
    const headers = { Accept: "application/json" };
    return read(tokenResponse, await requestJson(tokenUrl, { method: "POST", headers, body }));
  }

  async #configuration(token: TokenResponse, configurationId: string) {
    const { apiUrl } = this.#oauth;
    const address = CONFIGURATION.test(apiUrl)
      ? apiUrl
      : `${apiUrl.replace(/\/+$/, "")}${CONFIGURATION_PATH}`;
    const url = new URL(address.replace(CONFIGURATION, encodeURIComponent(configurationId)));
    if (token.team_id) url.searchParams.set("teamId", token.team_id);
    const headers = { Accept: "application/json", Authorization: `Bearer ${token.access_token}` };
    return read(configurationResponse, await requestJson(url.href, { headers }));
  }
}

/**
 * Sends a request to the platform, without redirects, because its secrets are only for this host.
 * @throws PlatformApiError without any sent data
 */
async function requestJson(
  url: string,
  init: RequestInit,
  timeoutMs: number = RESPONSE_TIMEOUT_MS,
): Promise<unknown> {
  const host = new URL(url).host;
  let response: Response;
  let text: string;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    response = await fetch(url, { ...init, redirect: "error", signal });
    text = await readText(response);
  } catch {
    throw new PlatformApiError(PLATFORM_ERRORS.notResponding(host), false);
  }
  if (!response.ok)
    throw new PlatformApiError(PLATFORM_ERRORS.status(host, response.status), response.status < 500);
  try {
    return JSON.parse(text);
  } catch {
    throw new PlatformApiError(PLATFORM_ERRORS.notJson(host), false);
  }
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_RESPONSE_BYTES) throw new Error(PLATFORM_ERRORS.tooLarge);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function read<T>(schema: z.ZodType<T>, response: unknown): T {
  const parsed = schema.safeParse(response);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new PlatformApiError(PLATFORM_ERRORS.invalid(issue?.path.join(".") || "content"), true);
}
