import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isWorker } from "../../../../shared/broker/node-kinds.ts";
import { CORE_SERVICES } from "../../../../shared/environment/variables.ts";
import { createMigratedDatabase } from "../../databases/migrated-database.ts";
import { ApiAccess, TEST_KEY, TEST_SECRET_KEY } from "../../drivers/api-access.ts";
import { freePort } from "../../drivers/free-port.ts";
import { LockedNats } from "../locked-nats.ts";
import { NatsServer } from "../nats-server.ts";
import { PostgresServer } from "../postgres-server.ts";
import { S3Server } from "../s3-server.ts";
import { ClusterNode } from "./cluster-node.ts";

/** The same as for a node's start. */
const READY_TIMEOUT_MS = 150_000;
/** Of each node. The last lines explain a failure. */
const OUTPUT_CHARS = 4_000;
const WITH_DATABASE = new Set<string>(CORE_SERVICES);

/** The services of each node by default. */
const LAYOUT = [["gateway"], [...CORE_SERVICES], ["differ"], ["renderer"], ["renderer"]];

/** A node's services, with additional environment variables. */
type NodePlan = string[] | { services: string[]; env: Record<string, string>; root?: string };

interface ClusterOptions {
  layout?: NodePlan[];
  /** Whether to wait until every service is there. A layout may leave some to be started later. */
  ready?: boolean;
  /** Whether it uses the mocha run's PostgreSQL, for tests that don't break the database. */
  sharedDatabase?: boolean;
  /** The database that it uses instead. It may name several servers. */
  databaseUrl?: string;
  /** Whether NATS limits each kind of node to the permissions of docker/nats.conf. */
  locked?: boolean;
  /** Variables for all nodes. `$BASE_URL` is the cluster's URL. */
  env?: Record<string, string>;
}

/** The cluster's servers. */
interface Servers {
  nats: NatsServer;
  /** Null if it is shared. */
  postgres: PostgresServer | null;
  s3: S3Server;
  databaseUrl: string;
}

/** The product as a fleet: its own servers, and a process for each node. A test may break all of them. */
export class Cluster extends ApiAccess {
  readonly nats: NatsServer;
  readonly s3: S3Server;
  readonly databaseUrl: string;
  readonly #postgres: PostgresServer | null;
  /** Every node that was created, including stopped ones. */
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

  /** Starts the servers and the nodes, and waits until all are ready. */
  static async start({
    layout = LAYOUT,
    ready = true,
    sharedDatabase = false,
    databaseUrl: givenUrl,
    locked = false,
    env = {},
  }: ClusterOptions = {}): Promise<Cluster> {
    const folder = await mkdtemp(join(tmpdir(), "vrs-cluster-"));
    const lock = locked ? await LockedNats.start() : null;
    const [nats, postgres, s3] = await Promise.all([
      lock?.server ?? NatsServer.start(),
      sharedDatabase || givenUrl ? null : PostgresServer.start(),
      S3Server.start(),
    ]);
    const databaseUrl = givenUrl ?? (await (postgres?.createDatabase() ?? createMigratedDatabase()));
    const servers = { nats, postgres, s3, databaseUrl };
    const cluster = new Cluster(servers, await freePort(), folder, env, lock);
    try {
      const plans = layout.map(plan =>
        Array.isArray(plan) ? { services: plan, env: {}, root: undefined } : plan,
      );
      await Promise.all(plans.map(({ services, env: own, root }) => cluster.node(services, own, root)));
      if (ready) await cluster.ready();
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  /** The URL of its first gateway. */
  get baseUrl(): string {
    return `http://localhost:${this.#port}`;
  }

  /** Its own PostgreSQL. @throws Error if it is shared */
  get postgres(): PostgresServer {
    if (!this.#postgres) throw new Error("Other tests are on this PostgreSQL too.");
    return this.#postgres;
  }

  /** Starts a node with these services, and waits until it is ready. */
  async node(services: string[], env: Record<string, string> = {}, root?: string): Promise<ClusterNode> {
    const node = await this.prepare(services, env, root);
    await node.start();
    return node;
  }

  /**
   * Creates a node with these services, without starting it. The first one with a gateway has the cluster's
   * URL.
   * @param root folder of its code, if it is another version
   */
  async prepare(services: string[], env: Record<string, string> = {}, root?: string): Promise<ClusterNode> {
    const isFirst = services.includes("gateway") && !this.#hasGateway;
    this.#hasGateway ||= isFirst;
    const port = isFirst ? this.#port : await freePort();
    const node = await ClusterNode.of(services, { ...this.#environmentOf(services, port), ...env }, root);
    this.nodes.push(node);
    return node;
  }

  /** Returns the nodes with this service, in creation order. */
  with(service: string): ClusterNode[] {
    return this.nodes.filter(node => node.services.includes(service));
  }

  /** Returns the first node with this service. @throws Error without one */
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

  /** Returns its nodes' output, to show it when a test fails. */
  output(): string {
    return this.nodes.map(node => `--- ${node}\n${node.output.slice(-OUTPUT_CHARS)}`).join("\n");
  }

  /**
   * Restarts what was killed and resumes what was suspended, so that the next test has a complete cluster.
   */
  async repair(): Promise<void> {
    if (this.s3.ended) await this.s3.accept();
    for (const part of [this.nats, this.#postgres, ...this.nodes]) if (part?.ended) await part.start();
    for (const part of [this.nats, this.s3, ...this.nodes]) part.resume();
    await Promise.all(this.nodes.map(node => node.waitReady()));
    await this.ready();
  }

  /** Stops everything at once and deletes its data. */
  async stop(): Promise<void> {
    await Promise.all(this.nodes.map(node => node.release()));
    await Promise.all([(this.#lock ?? this.nats).close(), this.#postgres?.close(), this.s3.close()]);
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Returns the node's user of docker/nats.conf. Each worker has its own. */
  #userFor(services: string[]): string {
    if (!isWorker(services)) return "core";
    if (!services.includes("renderer")) return "differ";
    this.#renderers += 1;
    return `renderer-${this.#renderers}`;
  }

  /** Returns only the variables that these services need. A renderer doesn't know the database. */
  #environmentOf(services: string[], port: number): Record<string, string> {
    return {
      PORT: String(port),
      SERVICE_BASE_URL: this.baseUrl,
      SERVICE_DATA_DIR: this.#folder,
      // Files of a killed browser are deleted with the cluster.
      TMPDIR: this.#folder,
      SERVICE_BOOTSTRAP_KEY: TEST_KEY,
      SERVICE_ALLOW_HOSTS: "localhost",
      // Tests send many requests.
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
