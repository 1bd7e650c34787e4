import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { Role } from "../../../shared/contracts/runs/runs.ts";
import { submittedRun } from "../../../shared/contracts/runs/submit-run.ts";
import { createdKey } from "../../../shared/contracts/teams/keys.ts";
import { createdTeam } from "../../../shared/contracts/teams/people.ts";
import { sessionList, sessionView } from "../../../shared/contracts/teams/sessions.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { problemOf } from "../../support/formats/problem.ts";

describe("A browser that signed in with an API key", () => {
  let vrs: Vrs;

  before(async () => {
    vrs = await Vrs.start({ SERVICE_BASE_URL: "https://vrs.example/path" });
  });
  after(() => vrs?.stop());

  const ORIGIN = { Origin: "https://vrs.example" };

  const sendRequest = (method: string, path: string, headers: Record<string, string> = {}, body?: object) =>
    fetch(`${vrs.baseUrl}${path}`, {
      method,
      headers: { ...headers, ...(body && { "Content-Type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });

  const makeKey = async (role: Role = "admin") =>
    createdKey.parse(await (await vrs.post("/v1/keys", { name: `a ${role}'s`, role })).json());

  const signIn = async (apiKey: string, headers: Record<string, string> = {}) => {
    const answer = await sendRequest("POST", "/v1/session", headers, { apiKey });
    assert.equal(answer.status, 201);
    const [set = "", ...more] = answer.headers.getSetCookie();
    assert.deepEqual(more, []);
    const cookie = set.split(";")[0] ?? "";
    return { set, cookie, view: sessionView.parse(await answer.json()) };
  };

  describe("has a cookie", () => {
    it("that scripts can't read, other sites don't send, and goes only to this service over TLS", async () => {
      const { set } = await signIn(vrs.key);
      const [pair = "", ...attributes] = set.split("; ");
      assert.match(pair, /^vrs_session=[\w-]{43}$/);
      assert.deepEqual(attributes.sort(), [
        "HttpOnly",
        "Max-Age=7776000",
        "Path=/path",
        "SameSite=Lax",
        "Secure",
      ]);
    });

    it("that changes with each sign-in, which ends the one before", async () => {
      const first = await signIn(vrs.key);
      const second = await signIn(vrs.key, { Cookie: first.cookie, ...ORIGIN });
      assert.notEqual(first.cookie, second.cookie);
      await problemOf(await sendRequest("GET", "/v1/runs", { Cookie: first.cookie }), "unauthorized");
      assert.equal((await sendRequest("GET", "/v1/runs", { Cookie: second.cookie })).status, 200);
    });

    it("that is stored as a hash, and isn't a key", async () => {
      const { cookie } = await signIn(vrs.key);
      const token = cookie.slice("vrs_session=".length);
      await problemOf(
        await sendRequest("GET", "/v1/runs", { Authorization: `Bearer ${token}` }),
        "unauthorized",
      );
      await problemOf(
        await sendRequest("GET", "/v1/runs", { Cookie: `vrs_session=${vrs.key}` }),
        "unauthorized",
      );
      assert.ok(!vrs.output.includes(token));
    });
  });

  describe("may do what the key may", () => {
    it("and no more", async () => {
      const { key } = await makeKey("viewer");
      const { cookie, view } = await signIn(key);
      assert.deepEqual([view.actor.kind, view.team?.role], ["key", "viewer"]);
      assert.ok(Date.parse(view.expiresAt ?? "") > Date.now());
      assert.equal((await sendRequest("GET", "/v1/runs", { Cookie: cookie })).status, 200);
      await problemOf(await sendRequest("GET", "/v1/keys", { Cookie: cookie }), "forbidden");
    });

    it("until the key is revoked, including open streams", async () => {
      const { key, id } = await makeKey("reviewer");
      const { cookie } = await signIn(key);
      // A page that doesn't respond keeps its run in progress.
      const site = await hangingSite();
      try {
        const body = { url: site.url };
        const run = submittedRun.parse(await (await vrs.post("/v1/run", body)).json());
        const headers = { Cookie: cookie };
        const streams = await Promise.all([
          sendRequest("GET", `/v1/runs/${run.id}/events`, headers),
          sendRequest("GET", `/v1/runs/${run.id}/events`, { Authorization: `Bearer ${key}` }),
        ]);
        const ended = streams.map(stream => stream.text());
        assert.equal((await vrs.request(`/v1/keys/${id}`, { method: "DELETE" })).status, 204);
        await problemOf(await sendRequest("GET", "/v1/runs", headers), "unauthorized");
        for (const text of await Promise.all(ended)) assert.ok(!text.includes('"status":"completed"'));
        await vrs.request(`/v1/runs/${run.id}/cancel`, { method: "POST" });
      } finally {
        site.close();
      }
    });

    it("in the key's team only", async () => {
      const { cookie } = await signIn(vrs.key);
      const other = createdTeam.parse(await (await vrs.post("/v1/teams", { name: "Other" })).json());
      for (const team of [other.id, "none"]) {
        const headers = { Cookie: cookie, "Vrs-Team": team };
        await problemOf(await sendRequest("GET", "/v1/runs", headers), "not_found");
        await problemOf(await sendRequest("GET", "/v1/session", headers), "not_found");
      }
    });
  });

  describe("changes nothing from another site", () => {
    const foreign: Record<string, Record<string, string>> = {
      "another origin": { Origin: "https://evil.example" },
      "an origin that only begins like ours": { Origin: "https://vrs.example.evil.example" },
      "our name without TLS": { Origin: "http://vrs.example" },
      "no origin": {},
      "a page that hides its origin": { Origin: "null" },
      "another site": { "Sec-Fetch-Site": "cross-site" },
      "a site beside ours": { "Sec-Fetch-Site": "same-site" },
    };
    for (const [name, headers] of Object.entries(foreign)) {
      it(`that is, with ${name}`, async () => {
        const { cookie } = await signIn(vrs.key);
        for (const [method, path] of [
          ["POST", "/v1/keys"],
          ["DELETE", "/v1/session"],
          ["PATCH", "/v1/teams/none"],
        ] as const)
          await problemOf(await sendRequest(method, path, { Cookie: cookie, ...headers }), "forbidden");
        assert.equal((await sendRequest("GET", "/v1/session", { Cookie: cookie, ...headers })).status, 200);
      });
    }

    it("but from its own, and with a key in the header from any origin", async () => {
      const { cookie } = await signIn(vrs.key);
      const body = { name: "made in a browser" };
      const allowed: Record<string, string>[] = [
        ORIGIN,
        { "Sec-Fetch-Site": "same-origin" },
        { Authorization: `Bearer ${vrs.key}`, Origin: "https://evil.example" },
      ];
      for (const headers of allowed)
        assert.equal(
          (await sendRequest("POST", "/v1/keys", { Cookie: cookie, ...headers }, body)).status,
          201,
        );
    });

    it("such as signing it in to another account", async () => {
      const headers = { Origin: "https://evil.example" };
      const answer = await sendRequest("POST", "/v1/session", headers, { apiKey: vrs.key });
      assert.deepEqual(answer.headers.getSetCookie(), []);
      await problemOf(answer, "forbidden");
    });
  });

  it("is ignored if a key is sent: a wrong key doesn't fall back to the cookie", async () => {
    const { cookie } = await signIn(vrs.key);
    for (const Authorization of ["Bearer none", "Basic none"])
      await problemOf(
        await sendRequest("GET", "/v1/runs", { Cookie: cookie, Authorization }),
        "unauthorized",
      );
  });

  it("signs out, and lists and ends its other sessions", async () => {
    const { key } = await makeKey("viewer");
    const [here, there] = [await signIn(key), await signIn(key)];
    const listed = async () =>
      sessionList.parse(await (await sendRequest("GET", "/v1/sessions", { Cookie: here.cookie })).json())
        .data;
    const [newest, oldest] = await listed();
    assert.ok(newest && oldest && newest.id > oldest.id);
    const headers = { Cookie: here.cookie, ...ORIGIN };
    assert.equal((await sendRequest("DELETE", `/v1/sessions/${newest.id}`, headers)).status, 204);
    await problemOf(await sendRequest("GET", "/v1/runs", { Cookie: there.cookie }), "unauthorized");
    const others = { Cookie: (await signIn(vrs.key)).cookie, ...ORIGIN };
    await problemOf(await sendRequest("DELETE", `/v1/sessions/${oldest.id}`, others), "not_found");
    const out = await sendRequest("DELETE", "/v1/session", headers);
    assert.equal(out.status, 204);
    assert.match(out.headers.get("set-cookie") ?? "", /^vrs_session=; Path=\/path; Max-Age=0;/);
    await problemOf(await sendRequest("GET", "/v1/runs", headers), "unauthorized");
  });

  it("is refused a key in the URL in any form", async () => {
    for (const query of [`api_key=${vrs.key}`, "key=x", "access_token=x", `x=vrs_${"0".repeat(32)}`])
      for (const path of ["/v1/runs", "/v1/session", "/docs"]) {
        const answer = await sendRequest("GET", `${path}?${query}`, { Authorization: `Bearer ${vrs.key}` });
        const { detail } = await problemOf(answer, "unauthorized");
        assert.match(detail, /Authorization: Bearer/);
        assert.ok(!detail.includes(vrs.key));
      }
  });

  describe("from an address that tries many keys", () => {
    it("has to wait after some", async () => {
      const wrong = (apiKey: string) => sendRequest("POST", "/v1/session", {}, { apiKey });
      // From one address at the same time: the last attempt must find no allowance.
      const answers = await Promise.all(Array.from({ length: 150 }, () => wrong("vrs_wrong")));
      const statuses = new Set(answers.map(({ status }) => status));
      assert.deepEqual([...statuses].sort(), [401, 429]);
      const refused = answers.find(({ status }) => status === 429);
      assert.ok(refused && Number(refused.headers.get("retry-after")) > 0);
      const { detail } = await problemOf(refused, "rate_limited");
      assert.match(detail, /^This IP address sent more than/);
    });
  });
});

/** A site that accepts requests and never responds. */
async function hangingSite(): Promise<{ url: string; close(): void }> {
  const server = createServer(() => {}).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    url: `http://localhost:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
