import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";

/** What Discord's API was asked to show. */
export interface ShownByDiscord {
  token: string;
  /** `message` replaces the one with the buttons, and `person` is only for the person who selected one. */
  to: "message" | "person";
  content: string;
}

const path = /^\/api\/webhooks\/(\d{1,20})\/([\w-]+)(\/messages\/@original)?$/;
const mentions = z.object({ parse: z.tuple([]) });
const content = z.string().min(1).max(2_000);
const edit = z.strictObject({ content, allowed_mentions: mentions, components: z.tuple([]) });
const followUp = z.strictObject({ content, allowed_mentions: mentions, flags: z.literal(64) });

/** The API of Discord that takes results of clicks. It refuses the first request for each click, like a late server. */
export class FakeDiscord {
  readonly shown: ShownByDiscord[] = [];
  readonly faults: string[] = [];
  readonly #known = new Set<string>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(async (req, res) => {
      const body = await text(req);
      const [, , token = "", original] = path.exec(req.url ?? "") ?? [];
      if (!this.#known.has(token)) {
        this.#known.add(token);
        return void res.writeHead(404).end('{"message":"Unknown Webhook","code":10015}');
      }
      try {
        assert.notEqual(token, "", req.url);
        assert.equal(req.method, original ? "PATCH" : "POST");
        const json: unknown = JSON.parse(body);
        const message = original ? edit.parse(json) : followUp.parse(json);
        this.shown.push({ token, to: original ? "message" : "person", content: message.content });
        res.writeHead(200).end("{}");
      } catch (error) {
        this.faults.push(error instanceof Error ? error.message : String(error));
        res.writeHead(400).end();
      }
    });
  }

  static async start(): Promise<FakeDiscord> {
    const discord = new FakeDiscord();
    discord.#server.listen(0, "127.0.0.1");
    await once(discord.#server, "listening");
    return discord;
  }

  /** Base URL of the API. */
  get url(): string {
    const address = this.#server.address();
    assert.ok(address !== null && typeof address === "object");
    return `http://127.0.0.1:${address.port}/api`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}
