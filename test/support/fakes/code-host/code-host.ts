import { LocalServer } from "../../servers/local-server.ts";
import { HostAccounts } from "./host-accounts.ts";

export type { HostAccount } from "./host-accounts.ts";

/** A fake self-hosted code host for sign-ins. */
export class CodeHostServer extends HostAccounts {
  readonly #server: LocalServer;
  /** Closes all connections. */
  isDown = false;

  private constructor() {
    super(() => this.url);
    this.#server = new LocalServer((req, res) => {
      if (this.isDown) return void req.socket.destroy();
      this.answer(req, res).catch(error => {
        this.invalidRequests.push(String(error));
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
