import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { Child } from "../drivers/child.ts";
import { freePort } from "../drivers/free-port.ts";
import { findNats } from "./server-programs.ts";

const jetStreamFacts = z.object({ messages: z.number() });
const connectionFacts = z.object({ num_connections: z.number() });

/** A test's own nats-server, with JetStream on disk. */
export class NatsServer {
  readonly port: number;
  /** Its HTTP port for /varz and similar. */
  readonly monitorPort: number;
  readonly #store: string;
  readonly #args: string[];
  #child: Child | null = null;

  private constructor(port: number, monitorPort: number, store: string, args: string[]) {
    this.port = port;
    this.monitorPort = monitorPort;
    this.#store = store;
    this.#args = args;
  }

  /** Starts one with an empty store. `args` are nats-server's own options, such as `["-c", file]`. */
  static async start({ args = [] }: { args?: string[] } = {}): Promise<NatsServer> {
    const server = await NatsServer.prepare({ args });
    await server.start();
    return server;
  }

  /** Chooses only a port and a store, for clients that start before their server. */
  static async prepare({ args = [] }: { args?: string[] } = {}): Promise<NatsServer> {
    const store = await mkdtemp(join(tmpdir(), "vrs-nats-"));
    return new NatsServer(await freePort(), await freePort(), store, args);
  }

  /** The folder of its streams. */
  get store(): string {
    return this.#store;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  /** Returns the folder of a stream's messages, without its consumers' state. */
  messagesOf(stream: string): string {
    return join(this.#store, "jetstream", "$G", "streams", stream, "msgs");
  }

  /** Its log since the last start. */
  get output(): string {
    return this.#child?.output ?? "";
  }

  get ended(): boolean {
    return this.#child?.ended ?? true;
  }

  /** Starts it on the same port, with its store or an empty one. Resolves when clients can connect. */
  async start({ keepStore = true }: { keepStore?: boolean } = {}): Promise<void> {
    const program = findNats();
    if (!program) throw new Error("nats-server is not installed.");
    if (!keepStore) await rm(this.#store, { recursive: true, force: true });
    const ports = ["-p", String(this.port), "-m", String(this.monitorPort)];
    const child = new Child(program, ["-a", "127.0.0.1", ...ports, "-js", "-sd", this.#store, ...this.#args]);
    this.#child = child;
    await child.until(() => accepts(this.port));
  }

  /** Returns whether no stream holds a message. */
  async isDrained(): Promise<boolean> {
    const answer = await fetch(`http://127.0.0.1:${this.monitorPort}/jsz`);
    return jetStreamFacts.parse(await answer.json()).messages === 0;
  }

  /** Returns the number of connected clients. */
  async clients(): Promise<number> {
    const answer = await fetch(`http://127.0.0.1:${this.monitorPort}/connz`);
    return connectionFacts.parse(await answer.json()).num_connections;
  }

  /** Kills it, like a power failure. */
  async kill(): Promise<void> {
    await this.#child?.end("SIGKILL");
  }

  /** Stops it gracefully. Its store stays for the next start. */
  async stop(): Promise<void> {
    await this.#child?.end("SIGTERM");
  }

  /** Makes it hang: connections stay open without responses. */
  pause(): void {
    this.#child?.signal("SIGSTOP");
  }

  resume(): void {
    this.#child?.signal("SIGCONT");
  }

  /** Stops it and deletes its store. */
  async close(): Promise<void> {
    await this.kill();
    await rm(this.#store, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Returns whether a server on this port sends NATS's greeting. */
function accepts(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, "127.0.0.1");
    const end = (greeted: boolean) => {
      socket.destroy();
      resolve(greeted);
    };
    socket.once("data", data => end(data.toString("latin1").startsWith("INFO ")));
    socket.once("error", () => end(false)).once("end", () => end(false));
  });
}
