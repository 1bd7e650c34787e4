import { LocalServer } from "../servers/local-server.ts";
import { HostAccounts } from "./host-accounts.ts";

export type { HostAccount } from "./host-accounts.ts";

/** Stands for a code host's server of one's own, as far as people sign in with it. */
export class CodeHostServer extends HostAccounts {
  readonly #server: LocalServer;
  /** Hangs up on everybody. */
  isDown = false;

  private constructor() {
    super(() => this.url);
    this.#server = new LocalServer((req, res) => {
      if (this.isDown) return void req.socket.destroy();
      this.answer(req, res).catch(error => {
        this.faults.push(String(error));
        res.writeHead(500).end();
      });
    });
  }

  static async start(): Promise<CodeHostServer> {
    const host = new CodeHostServer();
    await host.#server.listen();
    return host;
  }

  get url(): string {
    return this.#server.url;
  }

  close(): Promise<void> {
    return this.#server.close();
  }
}
