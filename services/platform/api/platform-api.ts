import { z } from "zod";
import type { PlatformOauth } from "../../../shared/environment/platform-variables.ts";
import type { Install } from "../installs/install.store.ts";
import { PLATFORM_ERRORS } from "../texts.ts";
import type { PlatformToken } from "./platform-token.ts";

/** Installing is something that a person waits for. */
const ANSWERED_WITHIN_MS = 10_000;
/** A configuration with thousands of projects has less. */
const ANSWER_BYTES = 1024 * 1024;
/** Where a platform's API has an installation, unless PLATFORM_API_URL says so itself. */
const CONFIGURATION_PATH = "/v1/integrations/configuration/{configurationId}";

/** Where it names the place of the installation's id. */
const CONFIGURATION = /\{configurationId\}|%7BconfigurationId%7D/i;
/** A delivery waits for it. */
const VARIABLES_WITHIN_MS = 3_000;

/** The platform did not give what was asked of it; `refused`: it answered, and no. */
export class PlatformApiError extends Error {
  readonly refused: boolean;

  constructor(message: string, refused: boolean) {
    super(message);
    this.name = "PlatformApiError";
    this.refused = refused;
  }
}

const id = z.union([z.string().regex(/^[\x21-\x7e]{1,200}$/), z.number().transform(String)]);
const tokenAnswer = z.object({
  access_token: z.string().min(1).max(8192),
  installation_id: id.nullish(),
  configuration_id: id.nullish(),
  team_id: id.nullish(),
  user_id: id.nullish(),
});
type TokenAnswer = z.infer<typeof tokenAnswer>;

const configurationAnswer = z.object({
  id,
  teamId: id.nullish(),
  userId: id.nullish(),
  projectSelection: z.enum(["all", "selected"]).optional(),
  projects: z.array(z.union([id, z.object({ id })])).nullish(),
});

const variablesAnswer = z.object({ envs: z.array(z.unknown()).max(5_000) });

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

/** A variable of a project; for every branch where it names none. */
export type ProjectVariable = Pick<z.infer<typeof variable>, "key" | "value" | "gitBranch">;

function isReadable({ type, decrypted, target }: z.infer<typeof variable>): boolean {
  const isOfPreviews = target?.includes("preview") ?? true;
  return isOfPreviews && (type === "plain" || (type === "encrypted" && decrypted === true));
}

/** The deployment platform's OAuth flow, and what it says of an installation. The only file that asks it anything. */
export class PlatformApi {
  readonly #oauth: PlatformOauth;
  readonly #redirectUrl: string;

  /** @param redirectUrl where the platform leads browsers back to */
  constructor(oauth: PlatformOauth, redirectUrl: string) {
    this.#oauth = oauth;
    this.#redirectUrl = redirectUrl;
  }

  /** Where a person installs the integration. */
  authorizeUrl(state: string): string {
    const url = new URL(this.#oauth.authorizeUrl);
    url.searchParams.set("client_id", this.#oauth.clientId);
    url.searchParams.set("redirect_uri", this.#redirectUrl);
    url.searchParams.set("response_type", "code");
    url.searchParams.set("state", state);
    return url.href;
  }

  /**
   * The installation that a code is of. The platform says which that is, and whose: what the browser brought along
   * only names it where the platform's token does not, and is believed when the token opens it.
   * @throws PlatformApiError
   */
  async installOf(code: string, named: string | null): Promise<Install> {
    const token = await this.#exchange(code);
    const configurationId = token.installation_id ?? token.configuration_id ?? named;
    if (!configurationId) throw new PlatformApiError(PLATFORM_ERRORS.noInstallation, true);
    const found = await this.#configuration(token, configurationId);
    if (found.id !== configurationId) throw new PlatformApiError(PLATFORM_ERRORS.otherInstallation, true);
    const ownerId = found.teamId ?? token.team_id ?? found.userId ?? token.user_id ?? null;
    const projects = (found.projects ?? []).map(project =>
      typeof project === "string" ? project : project.id,
    );
    return {
      configurationId,
      ownerId,
      projects: found.projectSelection === "all" ? "all" : projects,
      token: { accessToken: token.access_token, teamId: token.team_id ?? null },
    };
  }

  /**
   * The variables of a project that its previews have, as far as the platform lets their values be read: never those
   * that it calls sensitive, and encrypted ones only where it answers them decrypted.
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
    const { envs } = read(variablesAnswer, await ask(url.href, { headers }, VARIABLES_WITHIN_MS));
    return envs.flatMap(each => variable.safeParse(each).data ?? []).filter(isReadable);
  }

  async #exchange(code: string): Promise<TokenAnswer> {
    const { clientId, clientSecret, tokenUrl } = this.#oauth;
    const body = new URLSearchParams({
      grant_type: "authorization_code",
      client_id: clientId,
      client_secret: clientSecret,
      code,
      redirect_uri: this.#redirectUrl,
    });
    const headers = { Accept: "application/json" };
    return read(tokenAnswer, await ask(tokenUrl, { method: "POST", headers, body }));
  }

  async #configuration(token: TokenAnswer, configurationId: string) {
    const { apiUrl } = this.#oauth;
    const address = CONFIGURATION.test(apiUrl)
      ? apiUrl
      : `${apiUrl.replace(/\/+$/, "")}${CONFIGURATION_PATH}`;
    const url = new URL(address.replace(CONFIGURATION, encodeURIComponent(configurationId)));
    if (token.team_id) url.searchParams.set("teamId", token.team_id);
    const headers = { Accept: "application/json", Authorization: `Bearer ${token.access_token}` };
    return read(configurationAnswer, await ask(url.href, { headers }));
  }
}

/** Asks the platform, which must answer here: what is sent is for nobody else. @throws PlatformApiError without a word of what was sent */
async function ask(
  url: string,
  request: RequestInit,
  withinMs: number = ANSWERED_WITHIN_MS,
): Promise<unknown> {
  const place = new URL(url).host;
  let response: Response;
  let text: string;
  try {
    const signal = AbortSignal.timeout(withinMs);
    response = await fetch(url, { ...request, redirect: "error", signal });
    text = await readText(response);
  } catch {
    throw new PlatformApiError(PLATFORM_ERRORS.notResponding(place), false);
  }
  if (!response.ok)
    throw new PlatformApiError(PLATFORM_ERRORS.status(place, response.status), response.status < 500);
  try {
    return JSON.parse(text);
  } catch {
    throw new PlatformApiError(PLATFORM_ERRORS.notJson(place), false);
  }
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES) throw new Error(PLATFORM_ERRORS.tooLarge);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function read<T>(schema: z.ZodType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  const [fault] = parsed.error.issues;
  throw new PlatformApiError(PLATFORM_ERRORS.invalid(fault?.path.join(".") || "content"), true);
}
