import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { APP_ID, Refusal } from "./host-answer.ts";

const description = z.object({
  components: z.object({
    schemas: z.object({
      "app-permissions": z.object({
        properties: z.record(z.string(), z.object({ enum: z.array(z.string()) })),
      }),
    }),
  }),
});
const { "app-permissions": known } = description.parse(
  JSON.parse(readFileSync(new URL("host-api.json", import.meta.url), "utf8")),
).components.schemas;

/** The permission that each event requires, by the host's webhook documentation. */
const NEEDED_FOR: Record<string, string> = {
  pull_request: "pull_requests",
  status: "statuses",
  deployment_status: "deployments",
  check_run: "checks",
  check_suite: "checks",
  merge_group: "merge_queues",
  issue_comment: "issues",
};

const publicUrl = z.url({ protocol: /^https?$/ });
/** As the host documents it. */
const manifest = z.strictObject({
  name: z.string().min(1).max(34),
  url: publicUrl,
  description: z.string(),
  public: z.boolean(),
  hook_attributes: z.strictObject({ url: publicUrl, active: z.boolean() }),
  redirect_url: publicUrl,
  callback_urls: z.array(publicUrl).max(10),
  default_permissions: z.record(z.string(), z.string()),
  default_events: z.array(z.string()),
});
type Manifest = z.infer<typeof manifest>;

/** The app's registration at the host, and registrations from a manifest. */
export class HostApps {
  readonly #url: () => string;
  readonly #privateKey: string;
  readonly #secrets: { webhook: string; client: { id: string; secret: string } };
  readonly #codes = new Map<string, Manifest>();
  permissions: Record<string, string> = {};
  events: string[] = [];
  name = "vrs of the tests";

  constructor(
    url: () => string,
    privateKey: string,
    secrets: { webhook: string; client: { id: string; secret: string } },
  ) {
    this.#url = url;
    this.#privateKey = privateKey;
    this.#secrets = secrets;
    this.grantAll();
  }

  /** Grants the app every permission and event. */
  grantAll(): void {
    this.permissions = Object.fromEntries(
      Object.entries(known.properties).map(([name, { enum: levels }]) => [name, levels.at(-1) ?? ""]),
    );
    this.events = Object.keys(NEEDED_FOR);
  }

  /** Returns whether a request is about the registration. */
  answers({ url = "" }: IncomingMessage): boolean {
    return new URL(url, this.#url()).pathname.endsWith("/settings/apps/new");
  }

  /** Accepts the form of a user who agrees. */
  async answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    assert.equal(req.method, "POST");
    const form = new URLSearchParams(await text(req));
    const back = this.register(new URL(req.url ?? "", this.#url()).href, form.get("manifest") ?? "");
    res.writeHead(302, { Location: back.href }).end();
  }

  /** Registers the app from a browser's form. @returns the URL that the browser is redirected to */
  register(address: string, form: string): URL {
    const { origin, pathname, searchParams } = new URL(address);
    assert.equal(origin, this.#url());
    assert.match(pathname, /^(?:\/organizations\/[\w-]+)?\/settings\/apps\/new$/);
    const request = manifest.parse(JSON.parse(form));
    for (const [name, level] of Object.entries(request.default_permissions))
      assert.ok(known.properties[name]?.enum.includes(level), `${name}: ${level} is a permission`);
    for (const event of request.default_events)
      assert.ok(
        (NEEDED_FOR[event] ?? "?") in request.default_permissions,
        `${event} needs ${NEEDED_FOR[event]}`,
      );
    Object.assign(this, {
      name: request.name,
      permissions: request.default_permissions,
      events: request.default_events,
    });
    const code = randomUUID().replaceAll("-", "");
    this.#codes.set(code, request);
    const back = new URL(request.redirect_url);
    back.searchParams.set("code", code);
    back.searchParams.set("state", searchParams.get("state") ?? "");
    return back;
  }

  /** Returns the new app's secrets, once. @throws Refusal for an unknown or used code */
  convert(code: string): object {
    if (!this.#codes.delete(code)) throw new Refusal(404, "Not Found");
    const { webhook, client } = this.#secrets;
    return {
      ...this.view(),
      client_id: client.id,
      client_secret: client.secret,
      webhook_secret: webhook,
      pem: this.#privateKey,
    };
  }

  /** Returns the app as it sees itself. */
  view(): object {
    const { name, permissions, events } = this;
    const slug = name.toLowerCase().replaceAll(/[^a-z\d]+/g, "-");
    return {
      id: APP_ID,
      slug,
      node_id: "MDM6QXBw",
      owner: { login: "octo", id: 1, type: "Organization" },
      name,
      description: "",
      external_url: this.#url(),
      html_url: `${this.#url()}/apps/${slug}`,
      created_at: "2026-11-01T00:00:00Z",
      updated_at: "2026-11-01T00:00:00Z",
      permissions,
      events,
    };
  }
}
