import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { SECRET } from "../drivers/integration.ts";
import { LocalServer, send } from "../servers/local-server.ts";

/** An installation of the integration on an account, with the user's choices. */
export interface Configuration {
  id: string;
  teamId: string | null;
  userId: string;
  projectSelection: "all" | "selected";
  projects: (string | { id: string })[];
}

const CLIENT_ID = "client-of-the-tests";

const request = z.strictObject({
  client_id: z.literal(CLIENT_ID),
  redirect_uri: z.url(),
  response_type: z.literal("code"),
  state: z.string().min(40),
});
const exchanged = z.strictObject({
  grant_type: z.literal("authorization_code"),
  client_id: z.literal(CLIENT_ID),
  client_secret: z.literal(SECRET),
  code: z.string(),
  redirect_uri: z.url(),
});

/** A fake deployment platform that accepts only valid requests of its API. */
export class DeploymentPlatform {
  readonly #server: LocalServer;
  readonly #codes = new Map<string, Configuration>();
  readonly #tokens = new Map<string, Configuration>();
  /** Descriptions of invalid requests. */
  readonly invalidRequests: string[] = [];
  /** The issued tokens and codes, which must never be logged or stored. */
  readonly secrets: string[] = [];
  /** Responses that replace the usual ones, by path. */
  readonly instead = new Map<string, (res: ServerResponse) => void>();
  /** The variables of projects, by project id. */
  readonly variables = new Map<string, unknown[]>();
  /** The paths of requests about projects, in order. */
  readonly projectRequests: string[] = [];
  /** Whether the token has the installation's id. */
  namesInstallation = true;

  private constructor() {
    this.#server = new LocalServer((req, res) => {
      this.#answer(req, res).catch(error => {
        this.invalidRequests.push(String(error));
        res.writeHead(500).end();
      });
    });
  }

  static async start(): Promise<DeploymentPlatform> {
    const platform = new DeploymentPlatform();
    await platform.#server.listen();
    return platform;
  }

  get url(): string {
    return this.#server.url;
  }

  /** The environment of an integration that can be installed on it. */
  get env(): Record<string, string> {
    return {
      PLATFORM_CLIENT_ID: CLIENT_ID,
      PLATFORM_CLIENT_SECRET: SECRET,
      PLATFORM_AUTHORIZE_URL: `${this.url}/integrations/vrs/new?source=external`,
      PLATFORM_TOKEN_URL: `${this.url}/v2/oauth/access_token`,
      PLATFORM_API_URL: this.url,
    };
  }

  /**
   * Installs at this URL.
   * @returns the URL that the platform redirects to, with its next page
   * @throws if the URL is invalid
   */
  install(address: string, configuration: Configuration): URL {
    const { source, ...query } = Object.fromEntries(new URL(address).searchParams);
    assert.equal(address.split("?")[0], `${this.url}/integrations/vrs/new`);
    assert.equal(source, "external");
    const { redirect_uri, state } = request.parse(query);
    const back = this.fromMarketplace(redirect_uri, configuration);
    back.searchParams.set("state", state);
    return back;
  }

  /** Returns the same for an installation that started at the platform, without a state. */
  fromMarketplace(callback: string, configuration: Configuration): URL {
    const code = randomUUID();
    this.#codes.set(code, configuration);
    this.secrets.push(code);
    const back = new URL(callback);
    back.searchParams.set("code", code);
    back.searchParams.set("configurationId", configuration.id);
    back.searchParams.set("teamId", configuration.teamId ?? "");
    back.searchParams.set("source", "marketplace");
    back.searchParams.set("next", `${this.url}/dashboard/integrations`);
    return back;
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(req.url ?? "/", this.url);
    const body = await text(req);
    const instead = this.instead.get(pathname);
    if (instead) return instead(res);
    if (`${req.method} ${pathname}` === "POST /v2/oauth/access_token") {
      assert.match(req.headers["content-type"] ?? "", /^application\/x-www-form-urlencoded/);
      return this.#exchange(exchanged.parse(Object.fromEntries(new URLSearchParams(body))).code, res);
    }
    const id = /^\/v1\/integrations\/configuration\/([^/]+)$/.exec(pathname)?.[1];
    if (req.method === "GET" && id !== undefined) {
      const own = this.#tokens.get(/^Bearer (\S+)$/.exec(req.headers.authorization ?? "")?.[1] ?? "");
      assert.ok(own, "a token that was given out");
      if (own.id !== decodeURIComponent(id)) return send(res, 404, { error: { code: "not_found" } });
      assert.equal(searchParams.get("teamId"), own.teamId);
      return send(res, 200, { ...own, slug: "vrs", scopes: ["read:project"] });
    }
    const project = /^\/v10\/projects\/([^/]+)\/env$/.exec(pathname)?.[1];
    if (req.method === "GET" && project !== undefined) {
      const own = this.#tokens.get(/^Bearer (\S+)$/.exec(req.headers.authorization ?? "")?.[1] ?? "");
      assert.ok(own, "a token that was given out");
      assert.equal(searchParams.get("teamId"), own.teamId);
      this.projectRequests.push(project);
      const envs = this.variables.get(decodeURIComponent(project)) ?? [];
      const found = searchParams.get("decrypt") === "true" ? envs : [];
      return send(res, 200, { envs: found });
    }
    this.invalidRequests.push(`${req.method} ${pathname}`);
    return send(res, 404, { error: { code: "not_found" } });
  }

  #exchange(code: string, res: ServerResponse): void {
    const configuration = this.#codes.get(code);
    this.#codes.delete(code);
    if (!configuration) {
      send(res, 400, { error: "invalid_grant" });
      return;
    }
    const token = randomUUID();
    this.#tokens.set(token, configuration);
    this.secrets.push(token);
    const { id, teamId, userId } = configuration;
    const said = this.namesInstallation ? { installation_id: id } : {};
    send(res, 200, { access_token: token, token_type: "Bearer", ...said, user_id: userId, team_id: teamId });
  }
}
