import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NatsServer } from "./nats-server.ts";

const CONFIG = new URL("../../../docker/nats.conf", import.meta.url);

/** A nats-server with the users and permissions of docker/nats.conf. */
export class LockedNats {
  readonly server: NatsServer;
  readonly #folder: string;

  private constructor(server: NatsServer, folder: string) {
    this.server = server;
    this.#folder = folder;
  }

  static async start(): Promise<LockedNats> {
    const folder = await mkdtemp(join(tmpdir(), "vrs-nats-conf-"));
    const text = (await readFile(CONFIG, "utf8"))
      .replaceAll(/\$NATS_(\w+)_PASSWORD/g, (_, user: string) => passwordOf(user))
      .replace("$NATS_STORE_KEY", "key_of_the_tests")
      // The test's server has its own store.
      .replace("store_dir: /data", "")
      .replace(/^http: .*$/m, "");
    const file = join(folder, "nats.conf");
    await writeFile(file, text);
    return new LockedNats(await NatsServer.start({ args: ["-c", file] }), folder);
  }

  /** Returns the NATS_URL of a node with this user of docker/nats.conf. */
  urlOf(user: string): string {
    return `nats://${user}:${passwordOf(user)}@127.0.0.1:${this.server.port}`;
  }

  async close(): Promise<void> {
    await this.server.close();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Returns a user's password. @param user as in docker/nats.conf, or as in the name of its password's variable
 */
export function passwordOf(user: string): string {
  return `p${user.toLowerCase().replaceAll(/[^a-z0-9]/g, "")}`;
}
