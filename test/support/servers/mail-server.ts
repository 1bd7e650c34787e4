import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { type ParsedMail, simpleParser } from "mailparser";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** A received mail, with its recipients. */
export interface ReceivedMail {
  to: string[];
  raw: string;
  mail: ParsedMail;
}

/** A rejection of a recipient: 550 is permanent, 451 temporary. */
export interface Refusal {
  code: number;
  message: string;
}

/** A local mail server that records mails. */
export class MailServer {
  readonly received: ReceivedMail[] = [];
  /** Rejected recipients, with their rejections. */
  readonly refusals = new Map<string, Refusal>();
  /** How often each recipient was named. */
  readonly asked: string[] = [];
  readonly #server: SMTPServer;
  readonly #secure: boolean;

  private constructor(options: SMTPServerOptions) {
    this.#secure = options.secure === true;
    this.#server = new SMTPServer({
      // It offers only what the test configures.
      disabledCommands: [...(options.onAuth ? [] : ["AUTH"]), ...(options.key ? [] : ["STARTTLS"])],
      logger: false,
      ...options,
      onRcptTo: ({ address }, _session, callback) => {
        this.asked.push(address);
        const refusal = this.refusals.get(address);
        callback(refusal && Object.assign(new Error(refusal.message), { responseCode: refusal.code }));
      },
      onData: (stream, { envelope }, callback) => {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("end", async () => {
          const raw = Buffer.concat(chunks);
          const to = envelope.rcptTo.map(({ address }) => address);
          this.received.push({ to, raw: raw.toString("utf8"), mail: await simpleParser(raw) });
          callback(null, "kept");
        });
      },
    });
    // A client that disconnects is no failure of the server.
    this.#server.on("error", () => {});
  }

  static async start(options: SMTPServerOptions = {}): Promise<MailServer> {
    const mails = new MailServer(options);
    const listener = mails.#server.listen(0, "127.0.0.1");
    await once(listener, "listening");
    return mails;
  }

  get port(): number {
    // biome-ignore lint/plugin: a server that listens on a port has one.
    return (this.#server.server.address() as AddressInfo).port;
  }

  /** The environment that makes the service use it. */
  get env(): Record<string, string> {
    return { SMTP_URL: this.url(), MAIL_FROM: "vrs <vrs@example.com>" };
  }

  url(login = "", query = ""): string {
    return `${this.#secure ? "smtps" : "smtp"}://${login}127.0.0.1:${this.port}${query}`;
  }

  /** Returns the mails to this address, in any letter case. */
  to(address: string): ReceivedMail[] {
    return this.received.filter(({ to }) => to.some(one => one.toLowerCase() === address.toLowerCase()));
  }

  /** Returns the only mail to this address. */
  only(address: string): ReceivedMail {
    const [first, ...others] = this.to(address);
    assert.ok(first && others.length === 0, `${1 + others.length} mails to ${address}`);
    return first;
  }

  close(): Promise<void> {
    return new Promise(resolve => this.#server.close(() => resolve()));
  }
}
