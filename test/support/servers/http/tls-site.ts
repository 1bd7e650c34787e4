import { generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:tls";
import type { KeyPair } from "../certificates.ts";

const DAY_MS = 86_400_000;

/** An https site for localhost whose self-signed certificate expires when a test wants. */
export class TlsSite implements AsyncDisposable {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** @param days until the certificate expires. It began 80 days ago */
  static async start(days: number): Promise<TlsSite> {
    const server = createServer(certificateFor(days), socket => socket.destroy());
    server.on("tlsClientError", () => {});
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new TlsSite(server);
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("The site is stopped.");
    return `https://localhost:${address.port}`;
  }

  /** Presents another certificate from now on. */
  present(days: number): void {
    this.#server.setSecureContext(certificateFor(days));
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, "close");
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

/** Returns a self-signed certificate (RFC 5280) that expires after these days, less a minute. */
function certificateFor(days: number): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const ecdsaWithSha256 = der(0x30, [Buffer.from("06082a8648ce3d040302", "hex")]);
  const commonName = der(0x30, [
    Buffer.from("0603550403", "hex"),
    der(0x0c, [Buffer.from("localhost", "utf8")]),
  ]);
  const name = der(0x30, [der(0x31, [commonName])]);
  const timeAt = (ms: number) => {
    const digits = new Date(ms).toISOString().replaceAll(/[-:T]/g, "").slice(2, 14);
    return der(0x17, [Buffer.from(`${digits}Z`)]);
  };
  const from = Date.now() - 80 * DAY_MS;
  const content = der(0x30, [
    der(0xa0, [Buffer.from("020102", "hex")]),
    Buffer.from("020101", "hex"),
    ecdsaWithSha256,
    name,
    der(0x30, [timeAt(from), timeAt(Date.now() + days * DAY_MS - 60_000)]),
    name,
    publicKey.export({ type: "spki", format: "der" }),
  ]);
  const signature = der(0x03, [Buffer.of(0), sign("sha256", content, privateKey)]);
  const certificate = der(0x30, [content, ecdsaWithSha256, signature]);
  const lines = certificate.toString("base64").replaceAll(/.{64}/g, "$&\n");
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

/** Returns an ASN.1 value in DER. */
function der(tag: number, parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}
