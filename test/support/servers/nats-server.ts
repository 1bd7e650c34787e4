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

/** A nats-server of a test's own, with JetStream on disk. */
export class NatsServer {
  readonly port: number;
  /** Its HTTP port for /varz and the like. */
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

  /** Starts one with an empty store. `args` are more of nats-server's own options, as `["-c", file]`. */
  static async start({ args = [] }: { args?: string[] } = {}): Promise<NatsServer> {
    const server = await NatsServer.prepare({ args });
    await server.start();
    return server;
  }

  /** Chooses port and store only, for what starts before its server does. */
  static async prepare({ args = [] }: { args?: string[] } = {}): Promise<NatsServer> {
    const store = await mkdtemp(join(tmpdir(), "vrs-nats-"));
    return new NatsServer(await freePort(), await freePort(), store, args);
  }

  /** Where it keeps its streams. */
  get store(): string {
    return this.#store;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  /** Folder of a stream's messages, and nothing of who has done what with them. */
  messagesOf(stream: string): string {
    return join(this.#store, "jetstream", "$G", "streams", stream, "msgs");
  }

  /** What it logged since it started last. */
  get output(): string {
    return this.#child?.output ?? "";
  }

  get ended(): boolean {
    return this.#child?.ended ?? true;
  }

  /** Starts it on the same port, with what it had stored or with nothing. Resolves when clients can connect. */
  async start({ keepStore = true }: { keepStore?: boolean } = {}): Promise<void> {
    const program = findNats();
    if (!program) throw new Error("nats-server is not installed.");
    if (!keepStore) await rm(this.#store, { recursive: true, force: true });
    const ports = ["-p", String(this.port), "-m", String(this.monitorPort)];
    const child = new Child(program, ["-a", "127.0.0.1", ...ports, "-js", "-sd", this.#store, ...this.#args]);
    this.#child = child;
    await child.until(() => accepts(this.port));
  }

  /** Whether no stream holds a message any more. */
  async isDrained(): Promise<boolean> {
    const answer = await fetch(`http://127.0.0.1:${this.monitorPort}/jsz`);
    return jetStreamFacts.parse(await answer.json()).messages === 0;
  }

  /** How many are connected. */
  async clients(): Promise<number> {
    const answer = await fetch(`http://127.0.0.1:${this.monitorPort}/connz`);
    return connectionFacts.parse(await answer.json()).num_connections;
  }

  /** Ends it as a power cut would. */
  async kill(): Promise<void> {
    await this.#child?.end("SIGKILL");
  }

  /** Asks it to end; its store stays for the next start. */
  async stop(): Promise<void> {
    await this.#child?.end("SIGTERM");
  }

  /** Lets it hang: connections stay open and nothing answers. */
  pause(): void {
    this.#child?.signal("SIGSTOP");
  }

  resume(): void {
    this.#child?.signal("SIGCONT");
  }

  /** Ends it and throws its store away. */
  async close(): Promise<void> {
    await this.kill();
    await rm(this.#store, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Whether a server greets on this port, as NATS does. */
function accepts(port: number): Promise<boolean> {
  return new Promise(settle => {
    const socket = connect(port, "127.0.0.1");
    const end = (greeted: boolean) => {
      socket.destroy();
      settle(greeted);
    };
    socket.once("data", data => end(data.toString("latin1").startsWith("INFO ")));
    socket.once("error", () => end(false)).once("end", () => end(false));
  });
}
