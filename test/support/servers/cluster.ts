import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isWorker } from "../../../shared/broker/node-kinds.ts";
import { CORE_SERVICES } from "../../../shared/config.ts";
import { ApiAccess, TEST_KEY, TEST_SECRET_KEY } from "../drivers/api-access.ts";
import { freePort } from "../drivers/free-port.ts";
import { ClusterNode } from "./cluster-node.ts";
import { LockedNats } from "./locked-nats.ts";
import { NatsServer } from "./nats-server.ts";
import { createDatabase, PostgresServer } from "./postgres-server.ts";
import { S3Server } from "./s3-server.ts";

/** As patient as with a node's start. */
const READY_TIMEOUT_MS = 150_000;
/** Of each node: its last words are what tells why. */
const OUTPUT_CHARS = 4_000;
const WITH_DATABASE = new Set<string>(CORE_SERVICES);

/** The services of each node where a test does not say. */
const LAYOUT = [["gateway"], [...CORE_SERVICES], ["differ"], ["renderer"], ["renderer"]];

/** A node by its services, and what it has in its environment besides what all have. */
type NodePlan = string[] | { services: string[]; env: Record<string, string> };

interface ClusterOptions {
  layout?: NodePlan[];
  /** Whether to wait until every service is there; a layout may leave some to be started later. */
  ready?: boolean;
  /** Whether it has its database on the PostgreSQL of the run of mocha, where its tests need none to break. */
  sharedDatabase?: boolean;
  /** Whether NATS lets each kind of node do only what docker/nats.conf does. */
  locked?: boolean;
  /** For all nodes, besides what makes them one cluster; `$BASE_URL` is its address. */
  env?: Record<string, string>;
}

/** What it runs on. */
interface Servers {
  nats: NatsServer;
  /** Null where others are on it too. */
  postgres: PostgresServer | null;
  s3: S3Server;
  databaseUrl: string;
}

/** The product as a fleet: servers of its own and a process for each node, all of which a test may break. */
export class Cluster extends ApiAccess {
  readonly nats: NatsServer;
  readonly s3: S3Server;
  readonly databaseUrl: string;
  readonly #postgres: PostgresServer | null;
  /** Every node that was ever made, those that ended too. */
  readonly nodes: ClusterNode[] = [];
  readonly #port: number;
  readonly #folder: string;
  readonly #env: Record<string, string>;
  readonly #lock: LockedNats | null;
  #hasGateway = false;
  #renderers = 0;

  private constructor(
    servers: Servers,
    port: number,
    folder: string,
    env: Record<string, string>,
    lock: LockedNats | null,
  ) {
    super();
    this.#lock = lock;
    this.nats = servers.nats;
    this.#postgres = servers.postgres;
    this.s3 = servers.s3;
    this.databaseUrl = servers.databaseUrl;
    this.#port = port;
    this.#folder = folder;
    this.#env = env;
  }

  /** Starts the servers and the nodes and waits until all are ready. */
  static async start({
    layout = LAYOUT,
    ready = true,
    sharedDatabase = false,
    locked = false,
    env = {},
  }: ClusterOptions = {}): Promise<Cluster> {
    const folder = await mkdtemp(join(tmpdir(), "vrs-cluster-"));
    const lock = locked ? await LockedNats.start() : null;
    const [nats, postgres, s3] = await Promise.all([
      lock?.server ?? NatsServer.start(),
      sharedDatabase ? null : PostgresServer.start(),
      S3Server.start(),
    ]);
    const databaseUrl = await (postgres?.createDatabase() ?? createDatabase());
    const servers = { nats, postgres, s3, databaseUrl };
    const cluster = new Cluster(servers, await freePort(), folder, env, lock);
    try {
      const plans = layout.map(plan => (Array.isArray(plan) ? { services: plan, env: {} } : plan));
      await Promise.all(plans.map(({ services, env: own }) => cluster.node(services, own)));
      if (ready) await cluster.ready();
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  /** The address of its first gateway. */
  get baseUrl(): string {
    return `http://localhost:${this.#port}`;
  }

  /** Its own PostgreSQL. @throws Error where it is not alone on it */
  get postgres(): PostgresServer {
    if (!this.#postgres) throw new Error("Other tests are on this PostgreSQL too.");
    return this.#postgres;
  }

  /** Starts a node with these services and waits until it is ready. */
  async node(services: string[], env: Record<string, string> = {}): Promise<ClusterNode> {
    const node = await this.prepare(services, env);
    await node.start();
    return node;
  }

  /** Makes a node with these services that is not started yet. The first with a gateway has the cluster's address. */
  async prepare(services: string[], env: Record<string, string> = {}): Promise<ClusterNode> {
    const isFirst = services.includes("gateway") && !this.#hasGateway;
    this.#hasGateway ||= isFirst;
    const port = isFirst ? this.#port : await freePort();
    const node = await ClusterNode.of(services, { ...this.#environmentOf(services, port), ...env });
    this.nodes.push(node);
    return node;
  }

  /** The nodes that have this service, in the order of their making. */
  with(service: string): ClusterNode[] {
    return this.nodes.filter(node => node.services.includes(service));
  }

  /** The first node that has this service. @throws Error when there is none */
  the(service: string): ClusterNode {
    const [node] = this.with(service);
    if (!node) throw new Error(`No node has ${service}.`);
    return node;
  }

  /** Waits until its first gateway sees every service. */
  async ready(): Promise<void> {
    const deadline = Date.now() + READY_TIMEOUT_MS;
    let answer = "";
    while (Date.now() < deadline) {
      const response = await fetch(`${this.baseUrl}/ready`).catch(() => null);
      if (response?.ok) return;
      answer = (await response?.text()) ?? "no answer";
      await delay(50);
    }
    throw new Error(`The cluster was not ready in time: ${answer}\n${this.output()}`);
  }

  /** What its nodes printed, to be shown when a test fails. */
  output(): string {
    return this.nodes.map(node => `--- ${node}\n${node.output.slice(-OUTPUT_CHARS)}`).join("\n");
  }

  /** Starts whatever was killed and lets go on what was stopped, so that the next test finds a whole cluster. */
  async repair(): Promise<void> {
    if (this.s3.ended) await this.s3.accept();
    for (const part of [this.nats, this.#postgres, ...this.nodes]) if (part?.ended) await part.start();
    for (const part of [this.nats, this.s3, ...this.nodes]) part.resume();
    await Promise.all(this.nodes.map(node => node.waitReady()));
    await this.ready();
  }

  /** Ends all of it at once and throws its data away. */
  async stop(): Promise<void> {
    await Promise.all(this.nodes.map(node => node.kill()));
    await Promise.all([(this.#lock ?? this.nats).close(), this.#postgres?.close(), this.s3.close()]);
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** A user of docker/nats.conf: each worker has its own. */
  #userFor(services: string[]): string {
    if (!isWorker(services)) return "core";
    if (!services.includes("renderer")) return "differ";
    this.#renderers += 1;
    return `renderer-${this.#renderers}`;
  }

  /** Only what these services need: a renderer is not even told of a database. */
  #environmentOf(services: string[], port: number): Record<string, string> {
    return {
      PORT: String(port),
      SERVICE_BASE_URL: this.baseUrl,
      SERVICE_DATA_DIR: this.#folder,
      // What a killed browser leaves behind goes with the cluster.
      TMPDIR: this.#folder,
      SERVICE_BOOTSTRAP_KEY: TEST_KEY,
      SERVICE_ALLOW_HOSTS: "localhost",
      // Tests ask often.
      SERVICE_RATE_LIMIT: "1000000",
      LOG_LEVEL: "warn",
      NATS_URL: this.#lock?.urlOf(this.#userFor(services)) ?? this.nats.url,
      IMAGE_STORE_URL: this.s3.url,
      ...this.s3.credentials,
      ...(services.some(name => WITH_DATABASE.has(name)) && {
        DATABASE_URL: this.databaseUrl,
        SERVICE_SECRET_KEY: TEST_SECRET_KEY,
      }),
      ...Object.fromEntries(
        Object.entries(this.#env).map(([name, value]) => [name, value.replaceAll("$BASE_URL", this.baseUrl)]),
      ),
    };
  }
}
