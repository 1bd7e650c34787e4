import { z } from "zod";
import type { PlatformOauth } from "../../shared/platform-variables.ts";
import type { Install } from "./install.store.ts";

/** Installing is something that a person waits for. */
const ANSWERED_WITHIN_MS = 10_000;
/** A configuration with thousands of projects has less. */
const ANSWER_BYTES = 1024 * 1024;
/** Where a platform's API has an installation, unless PLATFORM_API_URL says so itself. */
const CONFIGURATION_PATH = "/v1/integrations/configuration/{configurationId}";

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
   * only names it where the platform's token does not, and is believed when the token opens it. The token is used for
   * this and kept nowhere.
   * @throws PlatformApiError
   */
  async installOf(code: string, named: string | null): Promise<Install> {
    const token = await this.#exchange(code);
    const configurationId = token.installation_id ?? token.configuration_id ?? named;
    if (!configurationId) throw new PlatformApiError("The platform did not say what was installed", true);
    const found = await this.#configuration(token, configurationId);
    if (found.id !== configurationId)
      throw new PlatformApiError("The platform answered with another installation", true);
    const ownerId = found.teamId ?? token.team_id ?? found.userId ?? token.user_id ?? null;
    const projects = (found.projects ?? []).map(project =>
      typeof project === "string" ? project : project.id,
    );
    return { configurationId, ownerId, projects: found.projectSelection === "all" ? "all" : projects };
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
    const template = /\{configurationId\}|%7BconfigurationId%7D/i;
    const address = template.test(apiUrl) ? apiUrl : `${apiUrl.replace(/\/+$/, "")}${CONFIGURATION_PATH}`;
    const url = new URL(address.replace(template, encodeURIComponent(configurationId)));
    if (token.team_id) url.searchParams.set("teamId", token.team_id);
    const headers = { Accept: "application/json", Authorization: `Bearer ${token.access_token}` };
    return read(configurationAnswer, await ask(url.href, { headers }));
  }
}

/** Asks the platform, which must answer here: what is sent is for nobody else. @throws PlatformApiError without a word of what was sent */
async function ask(url: string, request: RequestInit): Promise<unknown> {
  const place = new URL(url).host;
  let response: Response;
  let text: string;
  try {
    const signal = AbortSignal.timeout(ANSWERED_WITHIN_MS);
    response = await fetch(url, { ...request, redirect: "error", signal });
    text = await readText(response);
  } catch {
    throw new PlatformApiError(`${place} does not answer`, false);
  }
  if (!response.ok) throw new PlatformApiError(`${place} answered ${response.status}`, response.status < 500);
  try {
    return JSON.parse(text);
  } catch {
    throw new PlatformApiError(`${place} answered with something that is not JSON`, false);
  }
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES) throw new Error("The answer is too large.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function read<T>(schema: z.ZodType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  const [fault] = parsed.error.issues;
  throw new PlatformApiError(
    `The platform's answer has no usable ${fault?.path.join(".") || "content"}`,
    true,
  );
}
