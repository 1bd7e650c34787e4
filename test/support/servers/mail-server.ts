import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { type ParsedMail, simpleParser } from "mailparser";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** A mail as it came in, with who it was for. */
export interface ReceivedMail {
  to: string[];
  raw: string;
  mail: ParsedMail;
}

/** Refuses a receiver, as an SMTP server does: 550 for good, 451 for now. */
export interface Refusal {
  code: number;
  message: string;
}

/** A mail server on this machine that keeps what it is sent. */
export class MailServer {
  readonly received: ReceivedMail[] = [];
  /** Receivers that are refused, and how. */
  readonly refusals = new Map<string, Refusal>();
  /** How often each receiver was named. */
  readonly asked: string[] = [];
  readonly #server: SMTPServer;
  readonly #secure: boolean;

  private constructor(options: SMTPServerOptions) {
    this.#secure = options.secure === true;
    this.#server = new SMTPServer({
      // What is offered is what a test asks for.
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
    // A client that goes away is no fault of the server's.
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

  /** What makes the service use it. */
  get env(): Record<string, string> {
    return { SMTP_URL: this.url(), MAIL_FROM: "vrs <vrs@example.com>" };
  }

  url(login = "", query = ""): string {
    return `${this.#secure ? "smtps" : "smtp"}://${login}127.0.0.1:${this.port}${query}`;
  }

  /** The mails to this address, in any case of letters. */
  to(address: string): ReceivedMail[] {
    return this.received.filter(({ to }) => to.some(one => one.toLowerCase() === address.toLowerCase()));
  }

  /** The only mail to this address. */
  only(address: string): ReceivedMail {
    const [first, ...others] = this.to(address);
    assert.ok(first && others.length === 0, `${1 + others.length} mails to ${address}`);
    return first;
  }

  close(): Promise<void> {
    return new Promise(resolve => this.#server.close(() => resolve()));
  }
}
