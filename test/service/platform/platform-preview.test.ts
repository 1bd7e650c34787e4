import assert from "node:assert/strict";
import { NOT_ALLOWED, triggered, webhookTestContext } from "../../support/contexts/webhook-context.ts";
import { PREVIEW, ready } from "../../support/fixtures/platform-events.ts";
import { deleteConsents, insertConsent, readConsentKeys } from "../../support/rows/platform-rows.ts";

describe("The guard of platform previews", () => {
  const context = webhookTestContext();

  describe("consent", () => {
    beforeEach(() => deleteConsents(context.em()));
    const consent = (key: string) => insertConsent(context.em(), key);
    const custom = (project: unknown = "prj_a", team: unknown = "team_a") =>
      ready({
        deployment: { url: "shop.example" },
        payload: { project: { id: project }, team: { id: team } },
      });
    const allowed = async (body: string) => {
      const { status, body: answered } = await context.answer(body);
      if (status === 400) assert.deepEqual(answered, NOT_ALLOWED.body);
      else assert.equal(status, 200);
      return status === 200;
    };

    it("is required for a custom domain, from the project or its whole team", async () => {
      assert.equal(await allowed(custom()), false);
      await consent("project:prj_b");
      await consent("team:team_b");
      assert.equal(await allowed(custom()), false);
      assert.equal(await allowed(custom("prj_b")), true);
      assert.equal(await allowed(custom("prj_c", "team_b")), true);
      assert.equal(await allowed(custom("prj_a", "team_a")), false);
    });

    it("of a team registers a new project, and its removal ends both at once", async () => {
      await consent("team:team_a");
      assert.equal(await allowed(custom()), true);
      const keys = () => readConsentKeys(context.em());
      assert.deepEqual(await keys(), ["project:prj_a", "team:team_a"]);
      assert.equal(await allowed(custom()), true);
      // A project that is registered under one team gives another team no consent.
      assert.equal(await allowed(custom("prj_a", "team_b")), false);
      await deleteConsents(context.em(), "team:team_a");
      assert.deepEqual(await keys(), []);
      assert.equal(await allowed(custom()), false);
    });

    it("of a project ends when its row is deleted", async () => {
      await consent("project:prj_a");
      assert.equal(await allowed(custom()), true);
      await deleteConsents(context.em(), "project:prj_a");
      assert.equal(await allowed(custom()), false);
    });

    it("is looked up only by valid ids", async () => {
      await consent("project:");
      await consent("project:null");
      await consent("team:undefined");
      for (const id of [null, undefined, "", {}, [], "a b", "a\u0000", "x".repeat(201)])
        assert.equal(await allowed(custom(id, id)), false, JSON.stringify(id));
    });

    it("accepts numeric ids, and a user's id without a team", async () => {
      await consent("project:17");
      await consent("team:user_a");
      assert.equal(await allowed(custom(17)), true);
      const personal = {
        deployment: { url: "shop.example" },
        payload: { team: null, user: { id: "user_a" } },
      };
      assert.equal(await allowed(ready(personal)), true);
      const ofTeam = { ...personal, payload: { team: { id: "team_x" }, user: { id: "user_a" } } };
      assert.equal(await allowed(ready(ofTeam)), false);
    });

    for (const host of [
      "a.previews.example",
      "a.b.previews.example",
      "A.PREVIEWS.EXAMPLE",
      "a.previews.example.",
    ])
      it(`is not required for ${host}`, async () => {
        assert.equal(await allowed(ready({ deployment: { url: host } })), true);
      });

    for (const host of [
      "evilpreviews.example",
      "previews.example.evil.example",
      "previews.example",
      "evil.example/previews.example",
      "evil.example?.previews.example",
      "evil.example#.previews.example",
      "evil.example\\.previews.example",
      "a.previews.example@evil.example",
      "evil.example:443/a.previews.example",
      "a.previews.exаmple",
      "a.previews.example%2eevil.example",
    ])
      it(`is required for ${host}`, async () => {
        assert.equal(await allowed(ready({ deployment: { url: host } })), false);
      });
  });

  describe("the URL guard", () => {
    before(() => insertConsent(context.em(), "project:prj_all"));
    after(() => deleteConsents(context.em()));
    const withConsent = (url: string) =>
      ready({ deployment: { url }, payload: { project: { id: "prj_all" } } });

    const refused = [
      // Schemes.
      "http://shop.example",
      "ftp://shop.example",
      "file:///etc/passwd",
      "javascript:alert(1)",
      "data:text/html,x",
      "wss://shop.example",
      // Loopback.
      "https://127.0.0.1",
      "https://127.255.255.254:8443/a",
      "https://[::1]",
      "https://localhost",
      "https://LOCALHOST.",
      "localhost:8443",
      "https://localhost.localdomain",
      "https://a.localhost",
      "https://ⓛocalhost",
      "https://2130706433",
      "https://0x7f000001",
      "https://0x7f.1",
      "https://0177.0.0.1",
      "https://127.1",
      "https://127。0。0。1",
      "https://127.0.0.1.",
      // Link-local, including the metadata address.
      "https://169.254.0.1",
      "https://169.254.169.254/latest/meta-data",
      "https://2852039166",
      // Private.
      "https://10.0.0.1",
      "https://10.255.255.255",
      "https://172.16.0.1",
      "https://172.31.255.255",
      "https://192.168.1.1",
      // IPv6.
      "https://[fc00::1]",
      "https://[fdff:ffff::1]",
      "https://[fe80::1]",
      "https://[febf::1]",
      "https://[::]",
      "https://[::ffff:127.0.0.1]",
      "https://[::ffff:a00:1]",
      "https://[::127.0.0.1]",
      "https://[64:ff9b::7f00:1]",
      "https://[2002:7f00:1::]",
      "https://[ff02::1]",
      // Carrier-grade NAT.
      "https://100.64.0.1",
      "https://100.127.255.255",
      // Multicast, reserved, and this network.
      "https://224.0.0.1",
      "https://239.255.255.255",
      "https://240.0.0.1",
      "https://255.255.255.255",
      "https://0.0.0.0",
      "https://0.1.2.3",
      "https://0",
      // Metadata names.
      "https://metadata.google.internal",
      "https://metadata.google.internal./computeMetadata/v1",
      "https://metadata",
      "https://METADATA.",
      // Invalid addresses.
      "https://user@shop.example",
      "https://user:password@shop.example",
      "https://shop.example:22",
      "https://shop.example:0",
      "https://shop.example:99999",
      "https://",
      "https:///",
      "https://a b.example",
      "https://[::1",
      "https://256.256.256.256",
      `https://shop.example/${"a".repeat(2_000)}`,
    ];
    for (const url of refused)
      it(`refuses ${url.slice(0, 60)} also with consent`, async () => {
        assert.deepEqual(await context.answer(withConsent(url)), NOT_ALLOWED);
        assert.equal(context.api.requestCount, 0);
      });

    it("applies to hosts on the platform's own domain too", async () => {
      for (const url of [`http://${PREVIEW}`, `https://user@${PREVIEW}`, `https://${PREVIEW}:22`])
        assert.deepEqual(await context.answer(ready({ deployment: { url } })), NOT_ALLOWED);
    });

    const taken: Record<string, string> = {
      "shop.example": "https://shop.example",
      "https://shop.example": "https://shop.example",
      "HTTPS://Shop.Example/": "https://shop.example/",
      " shop.example/a?b=c ": "https://shop.example/a?b=c",
      "shop.example:8443": "https://shop.example:8443",
      "https://bücher.example": "https://xn--bcher-kva.example",
      "https://8.8.8.8": "https://8.8.8.8",
      "https://172.32.0.1": "https://172.32.0.1",
      "https://100.128.0.1": "https://100.128.0.1",
      "https://[2606:4700::1111]": "https://[2606:4700::1111]",
      "https://metadata.example": "https://metadata.example",
      "https://localhost.example": "https://localhost.example",
      "https://sh\top.example": "https://shop.example",
    };
    for (const [url, sent] of Object.entries(taken))
      it(`accepts ${JSON.stringify(url)} and submits the URL that it checked`, async () => {
        assert.deepEqual(await context.answer(withConsent(url)), triggered("run_1", sent));
        assert.deepEqual(
          context.api.runs.map(run => run.url),
          [sent],
        );
      });
  });
});
