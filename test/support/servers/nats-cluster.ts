import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { freePort } from "../drivers/free-port.ts";
import { until } from "../drivers/until.ts";
import { NatsServer } from "./nats-server.ts";
import { RouteProxy } from "./route-proxy.ts";

const SIZE = 3;

const streamFacts = z.object({
  account_details: z
    .array(
      z.object({
        stream_detail: z
          .array(z.object({ name: z.string(), cluster: z.object({ leader: z.string().optional() }) }))
          .default([]),
      }),
    )
    .default([]),
});
const clusterFacts = z.object({ meta_cluster: z.object({ leader: z.string().optional() }).optional() });

/** A member of the cluster. Other members reach it only through its proxy. */
interface Member {
  name: string;
  server: NatsServer;
  proxy: RouteProxy;
}

/** Three nats-servers with JetStream, of which a test may kill or partition each. */
export class NatsCluster {
  readonly #members: Member[];
  readonly #folder: string;
  #cut: string | null = null;

  private constructor(members: Member[], folder: string) {
    this.#members = members;
    this.#folder = folder;
  }

  static async start(): Promise<NatsCluster> {
    const folder = await mkdtemp(join(tmpdir(), "vrs-nats-cluster-"));
    const names = Array.from({ length: SIZE }, (_, index) => `n${index}`);
    const routePorts = await Promise.all(names.map(() => freePort()));
    const proxies = await Promise.all(
      names.map((name, index) => RouteProxy.start(name, routePorts[index] ?? 0)),
    );
    const members = await Promise.all(
      names.map(async (name, index) => {
        const proxy = proxies[index];
        if (!proxy) throw new Error("Each server has a proxy.");
        const routes = proxies
          .filter(other => other !== proxy)
          .map(({ port }) => `"nats://127.0.0.1:${port}"`);
        const file = join(folder, `${name}.conf`);
        await writeFile(
          file,
          `server_name: ${name}
cluster {
  name: vrs
  listen: "127.0.0.1:${routePorts[index]}"
  cluster_advertise: "127.0.0.1:${proxy.port}"
  routes: [${routes.join(", ")}]
}
`,
        );
        return { name, proxy, server: await NatsServer.prepare({ args: ["-c", file] }) };
      }),
    );
    const cluster = new NatsCluster(members, folder);
    await Promise.all(members.map(({ server }) => server.start()));
    await until(async () => (await cluster.#metaLeader()) !== null);
    return cluster;
  }

  /** As in NATS_URL, with all servers. */
  get url(): string {
    return this.#members.map(({ server }) => server.url).join(",");
  }

  /** The names of its servers. */
  get names(): string[] {
    return this.#members.map(({ name }) => name);
  }

  /** Returns the server that leads a stream. Waits until there is one that the others elected. */
  async leaderOf(stream: string): Promise<string> {
    let leader: string | undefined;
    await until(async () => {
      leader = await this.#reportedLeader(stream);
      return leader !== undefined;
    });
    return leader ?? "";
  }

  server(name: string): NatsServer {
    return this.#member(name).server;
  }

  /** Cuts a server from the others. Its clients stay connected. */
  partition(name: string): void {
    this.#cut = name;
    for (const { proxy } of this.#members) proxy.cut(name);
  }

  /** Lets all servers reach each other again. */
  heal(): void {
    this.#cut = null;
    for (const { proxy } of this.#members) proxy.heal();
  }

  async close(): Promise<void> {
    await Promise.all(this.#members.map(({ server }) => server.close()));
    await Promise.all(this.#members.map(({ proxy }) => proxy.close()));
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #member(name: string): Member {
    const member = this.#members.find(candidate => candidate.name === name);
    if (!member) throw new Error(`There is no server ${name}.`);
    return member;
  }

  async #metaLeader(): Promise<string | null> {
    for (const { server } of this.#members) {
      const facts = clusterFacts.safeParse(await read(server, "/jsz"));
      const leader = facts.data?.meta_cluster?.leader;
      if (leader) return leader;
    }
    return null;
  }

  async #reportedLeader(stream: string): Promise<string | undefined> {
    for (const { server, name } of this.#members) {
      const facts = streamFacts.safeParse(await read(server, "/jsz?streams=1&accounts=1"));
      const details = facts.data?.account_details.flatMap(account => account.stream_detail) ?? [];
      // A cut server claims to lead until it notices.
      if (name === this.#cut) continue;
      if (details.some(detail => detail.name === stream && detail.cluster.leader === name)) return name;
    }
    return undefined;
  }
}

async function read(server: NatsServer, path: string): Promise<unknown> {
  const url = `http://127.0.0.1:${server.monitorPort}${path}`;
  try {
    return await (await fetch(url, { signal: AbortSignal.timeout(2_000) })).json();
  } catch {
    return null;
  }
}
