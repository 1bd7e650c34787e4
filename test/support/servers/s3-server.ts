import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Child } from "../drivers/child.ts";
import { freePort } from "../drivers/free-port.ts";

const PROGRAM = join(import.meta.dirname, "s3-program.mjs");
const BUCKET = "images";

/** A test's own S3 server, with one empty bucket. */
export class S3Server {
  readonly port: number;
  /** Folder with each object as a file, whose time is the object's. */
  readonly folder: string;
  #child: Child | null = null;

  private constructor(port: number, folder: string) {
    this.port = port;
    this.folder = folder;
  }

  static async start(): Promise<S3Server> {
    const server = new S3Server(await freePort(), await mkdtemp(join(tmpdir(), "vrs-s3-")));
    await server.accept();
    return server;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Its bucket in the form of IMAGE_STORE_URL. */
  get url(): string {
    return `s3://${BUCKET}?endpoint=${encodeURIComponent(this.endpoint)}&region=us-east-1`;
  }

  /** The environment that a client needs besides the URL. */
  get credentials(): { AWS_ACCESS_KEY_ID: string; AWS_SECRET_ACCESS_KEY: string } {
    return { AWS_ACCESS_KEY_ID: "S3RVER", AWS_SECRET_ACCESS_KEY: "S3RVER" };
  }

  get ended(): boolean {
    return this.#child?.ended ?? true;
  }

  /** Rejects connections from now on, and closes the open ones. */
  async refuse(): Promise<void> {
    await this.#child?.end("SIGKILL");
  }

  /** Accepts connections again, with everything that was stored. */
  async accept(): Promise<void> {
    const child = new Child(process.execPath, [PROGRAM, this.folder, String(this.port), BUCKET]);
    this.#child = child;
    await child.until(() => child.output.includes("listening"));
  }

  /** Makes it hang: it accepts connections and never responds. */
  pause(): void {
    this.#child?.signal("SIGSTOP");
  }

  resume(): void {
    this.#child?.signal("SIGCONT");
  }

  /** Stops it and deletes its bucket. */
  async close(): Promise<void> {
    await this.refuse();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
