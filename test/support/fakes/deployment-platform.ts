import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { SECRET } from "../drivers/integration.ts";
import { LocalServer, send } from "../servers/local-server.ts";

/** An installation of the integration on an account, as its user chose it. */
export interface Configuration {
  id: string;
  teamId: string | null;
  userId: string;
  projectSelection: "all" | "selected";
  projects: (string | { id: string })[];
}

const CLIENT_ID = "client-of-the-tests";

const asked = z.strictObject({
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

/** Stands for a deployment platform, and answers only what is asked as its API wants it. */
export class DeploymentPlatform {
  readonly #server: LocalServer;
  readonly #codes = new Map<string, Configuration>();
  readonly #tokens = new Map<string, Configuration>();
  /** What it was asked that it should not be, in words. */
  readonly faults: string[] = [];
  /** Tokens and codes that it gave out: nothing of them belongs into a log or a table. */
  readonly secrets: string[] = [];
  /** Answers in place of the usual ones, by path. */
  readonly instead = new Map<string, (res: ServerResponse) => void>();
  /** Variables of projects, by their ids. */
  readonly variables = new Map<string, unknown[]>();
  /** Paths of the requests about projects, in order. */
  readonly askedProjects: string[] = [];
  /** Whether the token says which installation it is of. */
  tellsInstallation = true;

  private constructor() {
    this.#server = new LocalServer((req, res) => {
      this.#answer(req, res).catch(error => {
        this.faults.push(String(error));
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

  /** What makes an integration be installed on it. */
  get env(): Record<string, string> {
    return {
      PLATFORM_CLIENT_ID: CLIENT_ID,
      PLATFORM_CLIENT_SECRET: SECRET,
      PLATFORM_AUTHORIZE_URL: `${this.url}/integrations/vrs/new?source=external`,
      PLATFORM_TOKEN_URL: `${this.url}/v2/oauth/access_token`,
      PLATFORM_API_URL: this.url,
    };
  }

  /** Where a person who installs at this address is sent back to, with the platform's own next page. @throws when it is not as the platform wants it */
  install(address: string, configuration: Configuration): URL {
    const { source, ...query } = Object.fromEntries(new URL(address).searchParams);
    assert.equal(address.split("?")[0], `${this.url}/integrations/vrs/new`);
    assert.equal(source, "external");
    const { redirect_uri, state } = asked.parse(query);
    const back = this.fromMarketplace(redirect_uri, configuration);
    back.searchParams.set("state", state);
    return back;
  }

  /** The same for an installation that began at the platform, which knows nothing of a state. */
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
      this.askedProjects.push(project);
      const envs = this.variables.get(decodeURIComponent(project)) ?? [];
      const found = searchParams.get("decrypt") === "true" ? envs : [];
      return send(res, 200, { envs: found });
    }
    this.faults.push(`${req.method} ${pathname}`);
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
    const said = this.tellsInstallation ? { installation_id: id } : {};
    send(res, 200, { access_token: token, token_type: "Bearer", ...said, user_id: userId, team_id: teamId });
  }
}
