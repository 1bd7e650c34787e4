import { createHmac } from "node:crypto";
import { type IncomingHttpHeaders, request } from "node:http";
import { text } from "node:stream/consumers";
import { ServiceBroker, type ServiceSchema } from "moleculer";
import type { EntityManager, WithDatabase } from "../../../mixins/database.ts";
import { brokerOptions } from "../../../moleculer.config.ts";
import gateway from "../../../services/gateway/gateway.service.ts";
import { VariableCache } from "../../../services/platform/api/variable-cache.ts";
import platform from "../../../services/platform/platform.service.ts";
import type { PlatformContext } from "../../../services/platform/platform-context.ts";
import { loadConfig } from "../../../shared/config.ts";
import { MAIN_DATABASE } from "../databases/databases.ts";
import { TEST_SECRET_KEY } from "./api-access.ts";
import { freePort } from "./free-port.ts";

export const SECRET = "secret-of-the-integration";

/** The response to a webhook. */
export interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
  body: unknown;
}

/** The integration alone in this process: its gateway and service. */
export class Integration {
  readonly baseUrl: string;
  readonly broker: ServiceBroker;
  readonly #remove: () => Promise<void>;

  private constructor(baseUrl: string, broker: ServiceBroker, remove: () => Promise<void>) {
    this.baseUrl = baseUrl;
    this.broker = broker;
    this.#remove = remove;
  }

  /** @param others services that make it the whole service. $PORT in a variable stands for the port */
  static async start(env: Record<string, string> = {}, others: ServiceSchema[] = []): Promise<Integration> {
    const database = await MAIN_DATABASE.make();
    const port = await freePort();
    const config = loadConfig({
      LOG_LEVEL: "fatal",
      SERVICE_SECRET_KEY: TEST_SECRET_KEY,
      ...(others.length === 0 && { SERVICES: "gateway,platform" }),
      PORT: String(port),
      PLATFORM_CLIENT_SECRET: SECRET,
      ...database.env,
      ...Object.fromEntries(
        Object.entries(env).map(([name, value]) => [name, value.replaceAll("$PORT", String(port))]),
      ),
    });
    const broker = new ServiceBroker(brokerOptions(config));
    for (const other of others) broker.createService(other);
    broker.createService(platform);
    broker.createService(gateway);
    await broker.start();
    return new Integration(`http://localhost:${port}`, broker, database.remove);
  }

  /** Returns a new unit of work on the integration's data. */
  em(): EntityManager {
    return this.#service.em();
  }

  /** Forgets what was read from the platform, as a restart does. */
  forgetVariables(): void {
    const { context } = this.#service;
    const { platformApi: api, warn, settings } = context;
    context.variables = new VariableCache({ api, apiUrl: settings.apiUrl, warn });
  }

  get #service(): WithDatabase & { context: PlatformContext } {
    // biome-ignore lint/plugin: Moleculer's types know only a plain service.
    return this.broker.getLocalService("platform") as unknown as WithDatabase & { context: PlatformContext };
  }

  /** Delivers these bytes, with their own signature by default. */
  async deliver(bytes: Buffer | string, { headers = {}, chunked = false }: Sent = {}): Promise<Answered> {
    const sent = request(`${this.baseUrl}/api/webhook`, {
      method: "POST",
      agent: false,
      headers: {
        "content-type": "application/json",
        "x-platform-signature": sign(bytes),
        ...(!chunked && { "content-length": Buffer.byteLength(bytes) }),
        ...headers,
      },
    });
    return new Promise((resolve, reject) => {
      sent.on("error", reject);
      sent.on("response", response => {
        text(response).then(body => {
          const { statusCode: status = 0, headers } = response;
          resolve({ status, headers, body: JSON.parse(body) });
        }, reject);
      });
      if (chunked) for (const byte of Buffer.from(bytes)) sent.write(Buffer.of(byte));
      else sent.write(bytes);
      sent.end();
    });
  }

  async stop(): Promise<void> {
    await this.broker.stop();
    await this.#remove();
  }
}

interface Sent {
  headers?: Record<string, string>;
  /** Sends one byte per chunk. */
  chunked?: boolean;
}

export function sign(bytes: Buffer | string, secret = SECRET): string {
  return createHmac("sha1", secret).update(bytes).digest("hex");
}
