import assert from "node:assert/strict";
import { createServer as createHttpServer } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { getCACertificates, setDefaultCACertificates, TLSSocket } from "node:tls";
import type { Session } from "../../../../shared/contracts/capture/sessions.ts";
import { CaptureTestContext } from "../../../support/contexts/capture-context.ts";
import { captured, failed } from "../../../support/contexts/visit-outcomes.ts";
import { type KeyPair, readKeyPair } from "../../../support/servers/certificates.ts";

const portOf = (server: { address(): AddressInfo | string | null }) => {
  const address = server.address();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
};

describe("client certificates of sessions", () => {
  const trusted = getCACertificates("default");
  const users: string[] = [];
  let privateRequests = 0;
  const privateServer = createHttpServer((_request, response) => {
    privateRequests++;
    response.end("private");
  });
  let context: CaptureTestContext;
  let site: Server;
  let client: KeyPair;
  let body = "";

  before(async () => {
    const [own, ada] = [readKeyPair("localhost"), readKeyPair("ada")];
    client = ada;
    setDefaultCACertificates([...trusted, own.cert]);
    site = createServer({ ...own, ca: [ada.cert], requestCert: true }, (request, response) => {
      const { socket } = request;
      users.push(socket instanceof TLSSocket ? String(socket.getPeerCertificate().subject?.CN) : "");
      response.writeHead(200, { "Content-Type": "text/html" }).end(body);
    });
    site.listen(0);
    privateServer.listen(0);
    context = await CaptureTestContext.start({});
  });
  after(async () => {
    await context.stop();
    site.close();
    privateServer.close();
    setDefaultCACertificates(trusted);
  });

  const visit = (
    session: Session | null,
    path = "/",
    secrets: Record<string, string> = {},
    key = "same key",
  ) =>
    context.visit(
      `https://localhost:${portOf(site)}${path}`,
      session === null ? {} : { session, secrets, options: { session: "ada" } },
      key,
    );
  const reference = (name: string) => `\${secret.${name}}`;

  it("are presented to their origin, by pages of the session only", async () => {
    body = "<h1>Hello</h1>";
    const session = { clientCertificates: [{ cert: client.cert, key: reference("KEY") }] };
    assert.ok(captured((await visit(session, "/", { KEY: client.key }))[0]).stable);
    assert.deepEqual([...new Set(users.splice(0))], ["ada"]);
    assert.equal(failed((await visit(null))[0]).code, "unreachable");
    const other = { clientCertificates: [{ origin: "https://other.example", ...client }] };
    failed((await visit(other))[0]);
    assert.deepEqual(users, []);
  });

  it("do not open a way to private addresses", async () => {
    const url = `http://127.0.0.1:${portOf(privateServer)}/`;
    body = `<img src="${url}"><script src="${url.replace("http:", "https:")}"></script><img src="http://169.254.169.254/">`;
    const session = { clientCertificates: [client] };
    const { diagnostics } = captured((await visit(session))[0]);
    assert.deepEqual(diagnostics?.failedRequests.map(({ error }) => error).toSorted(), [
      "127.0.0.1 is a loopback address",
      "127.0.0.1 is a loopback address",
      "169.254.169.254 is a link-local address",
    ]);
    const [page] = await context.visit(url, { session, options: { session: "ada" } });
    assert.equal(failed(page).code, "refused_address");
    assert.equal(privateRequests, 0);
  });

  it("are refused if they are invalid, without their secrets", async () => {
    const clientCertificates = [{ ...readKeyPair("locked"), passphrase: reference("PASSPHRASE") }];
    const [wrong] = await visit({ clientCertificates }, "/", { PASSPHRASE: "wrong" });
    assert.match(
      failed(wrong).message,
      /^The client certificate of the session "ada" for https:\/\/localhost:\d+ is invalid: .*bad decrypt.* Check/,
    );
    const [mixed] = await visit({
      clientCertificates: [{ cert: client.cert, key: readKeyPair("locked").cert }],
    });
    assert.equal(failed(mixed).code, "session_failed");
    // The key opens, but the site does not know its certificate.
    const [unknown] = await visit({ clientCertificates }, "/", { PASSPHRASE: "swordfish" }, "other key");
    assert.doesNotMatch(failed(unknown).message, /is invalid/);
  });
});
