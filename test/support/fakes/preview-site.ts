import { createHash, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:https";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { findBrowser } from "../../../shared/capture/browser/browser-binary.ts";
import { loadConfig } from "../../../shared/config.ts";

/** A key of this test site only, without any other use. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgMoL51YewuCC0mGqY
AQ+gRA7oJ+gL8YVg0TWMpAKDeWihRANCAATYU1GpomRyKj1xno3NcRQ0mymS6IRx
Q8Z6TE/ZCoHH453x3MALdSPgAOoBxeZ37Mlf6ThEZbqD/trlQ7i5qQtZ
-----END PRIVATE KEY-----`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBfDCCASGgAwIBAgIUF0dg8OfWP+nqeUX+FFWrnnuNUDAwCgYIKoZIzj0EAwIw
EjEQMA4GA1UEAwwHcHJldmlldzAgFw0yNjExMjExNDEyNDhaGA8yMTI2MTAyODE0
MTI0OFowEjEQMA4GA1UEAwwHcHJldmlldzBZMBMGByqGSM49AgEGCCqGSM49AwEH
A0IABNhTUamiZHIqPXGejc1xFDSbKZLohHFDxnpMT9kKgcfjnfHcwAt1I+AA6gHF
5nfsyV/pOERluoP+2uVDuLmpC1mjUzBRMB0GA1UdDgQWBBTzotaAvp+xywxlnoXN
PUtfHWSyHjAfBgNVHSMEGDAWgBTzotaAvp+xywxlnoXNPUtfHWSyHjAPBgNVHRMB
Af8EBTADAQH/MAoGCCqGSM49BAMCA0kAMEYCIQCQvol5LTBtQSxgMaf1J+DiWOGn
dqzNS6HKzLpuKXmWJwIhAN3FRpwa7kctUvvhfb2CGEq1RQE6ED5EMjR+4oOl1oSB
-----END CERTIFICATE-----`;

/**
 * A preview in a private network: https, by this machine's hostname. It can be rendered only because
 * SERVICE_ALLOW_HOSTS lists it, and with a browser that trusts its certificate.
 */
export class PreviewSite {
  /** HTML by path. */
  pages: Record<string, string>;
  readonly #server: Server;
  readonly #folder: string;
  /** The requested paths, in order. */
  readonly requested: string[] = [];

  private constructor(pages: Record<string, string>, folder: string) {
    this.pages = pages;
    this.#folder = folder;
    this.#server = createServer({ key: KEY, cert: CERTIFICATE }, (req, res) => {
      const path = req.url ?? "/";
      this.requested.push(path);
      const page = this.pages[path];
      res.writeHead(page === undefined ? 404 : 200, { "Content-Type": "text/html; charset=utf-8" });
      res.end(page ?? "<h1>Not found</h1>");
    });
  }

  static async start(pages: Record<string, string>): Promise<PreviewSite> {
    const folder = await mkdtemp(join(tmpdir(), "vrs-preview-"));
    const site = new PreviewSite(pages, folder);
    await writeBrowser(site.#browser);
    site.#server.listen(0);
    await once(site.#server, "listening");
    return site;
  }

  /** The host and port, as platforms write a deployment's URL. */
  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("The site has no port.");
    return `${hostname().toLowerCase()}:${address.port}`;
  }

  /** The environment of a service that can render it. */
  get env(): Record<string, string> {
    return { SERVICE_ALLOW_HOSTS: this.url, CHROMIUM_PATH: this.#browser };
  }

  get #browser(): string {
    return join(this.#folder, "chromium");
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Writes a program that starts the usual browser and makes it trust the site's key. */
async function writeBrowser(path: string): Promise<void> {
  const { cacheDir } = loadConfig({});
  const { executablePath, env } = await findBrowser({ chromiumPath: null, cacheDir });
  const key = new X509Certificate(CERTIFICATE).publicKey.export({ type: "spki", format: "der" });
  const trusted = createHash("sha256").update(key).digest("base64");
  const variables = Object.entries(env).map(([name, value]) => `export ${name}='${value}'`);
  const start = `exec '${executablePath}' --ignore-certificate-errors-spki-list=${trusted} "$@"`;
  await writeFile(path, ["#!/bin/sh", ...variables, start, ""].join("\n"));
  await chmod(path, 0o755);
}
