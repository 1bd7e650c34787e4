import assert from "node:assert/strict";
import { join } from "node:path";
import { closeEmbeddedDatabase, openEmbeddedDatabase } from "../../../mixins/database/embedded-database.ts";
import { ROUTES } from "../../../services/gateway/routes/routes.ts";
import { hashKey, makeKey } from "../../../shared/api-keys.ts";
import { loadConfig } from "../../../shared/config.ts";
import { type Role, runList } from "../../../shared/contracts/runs/runs.ts";
import { submittedRun } from "../../../shared/contracts/runs/submit-run.ts";
import { type CreatedKey, createdKey, type KeyView, keyList } from "../../../shared/contracts/teams/keys.ts";
import { createdTeam } from "../../../shared/contracts/teams/people.ts";
import { DEFAULT_TEAM_ID } from "../../../shared/ids.ts";
import { addTeam } from "../../support/contexts/add-team.ts";
import { EMBEDDED } from "../../support/databases/databases.ts";
import { BrowserClient, pageOf } from "../../support/drivers/browser/browser-client.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { readAllFiles } from "../../support/fixtures/files.ts";
import { problemOf } from "../../support/formats/problem.ts";

/** Every route, with paths of unknown objects, so that admitted requests change nothing. */
const REQUESTS = Object.entries(ROUTES).map(([name, { role }]) => {
  const [method = "", pattern = ""] = name.split(" ");
  return { name, method, path: pattern.replace(/:\w+/g, "none"), role };
});
/**
 * Except for those of other systems, which sign their requests, and for pages that links in messages open.
 */
const GUARDED = REQUESTS.filter(
  ({ role, method, path }) =>
    role !== "public" &&
    !(role === "signed" && (method === "POST" || /^\/v1\/(?:alerts|notices|chat)\//.test(path))),
);

/** SCIM has a form of its own for errors. */
async function assertUnauthorized(path: string, answer: Response): Promise<void> {
  if (!path.startsWith("/scim/")) return void (await problemOf(answer, "unauthorized"));
  assert.equal(answer.headers.get("content-type"), "application/scim+json; charset=utf-8");
  const { schemas, status, detail } = await answer.json();
  assert.deepEqual([answer.status, status], [401, "401"]);
  assert.deepEqual(schemas, ["urn:ietf:params:scim:api:messages:2.0:Error"]);
  assert.notEqual(detail, "");
}

describe("API keys", () => {
  let vrs: Vrs;
  /** A session from before the service was stopped for a day. */
  let oldCookie: string;

  before(async () => {
    vrs = await Vrs.start({}, EMBEDDED);
  });

  after(() => vrs?.stop());

  const sendRequest = (method: string, path: string, authorization?: string) =>
    fetch(`${vrs.baseUrl}${path}`, {
      method,
      headers: { "Content-Type": "application/json", ...(authorization && { Authorization: authorization }) },
      ...(method === "POST" && { body: "{}" }),
    });

  const make = async (role: Role, name = `a ${role}'s`): Promise<CreatedKey> => {
    const answer = await vrs.post("/v1/keys", { name, role });
    assert.equal(answer.status, 201);
    return createdKey.parse(await answer.json());
  };

  const revoke = (id: string, key = vrs.key) => sendRequest("DELETE", `/v1/keys/${id}`, `Bearer ${key}`);

  const list = async (query = "limit=100") =>
    keyList.parse(await (await vrs.request(`/v1/keys?${query}`)).json());

  const cookieOf = (answer: Response) => answer.headers.get("set-cookie")?.split(";")[0];
  const withCookie = (Cookie: string) => fetch(`${vrs.baseUrl}/v1/runs`, { headers: { Cookie } });
  const signIn = async () => cookieOf(await vrs.post("/v1/session", { apiKey: vrs.key })) ?? "";

  const find = async (id: string): Promise<KeyView | undefined> =>
    (await list()).data.find(candidate => candidate.id === id);

  describe("are required", () => {
    for (const { name, method, path } of GUARDED) {
      it(`by ${name}`, async () => {
        for (const authorization of [
          undefined,
          "Bearer",
          `Bearer ${makeKey()}`,
          `Basic ${vrs.key}`,
          vrs.key,
          `Bearer ${vrs.key}x`,
          `Bearer ${hashKey(vrs.key)}`,
        ]) {
          const answer = await sendRequest(method, path, authorization);
          assert.equal(answer.headers.get("www-authenticate"), 'Bearer realm="vrs"', authorization);
          await assertUnauthorized(path, answer);
        }
      });
    }

    it("on every route that isn't public", async () => {
      for (const { method, path } of REQUESTS.filter(({ role }) => role === "public")) {
        assert.notEqual((await sendRequest(method, path)).status, 401, path);
      }
    });

    it("before the body is read", async () => {
      const body = "{".repeat(10);
      await problemOf(await fetch(`${vrs.baseUrl}/v1/run`, { method: "POST", body }), "unauthorized");
    });
  });

  it("are sufficient: sign-in with a code host explains what to configure", async () => {
    const own = new BrowserClient(vrs.baseUrl);
    await pageOf(await own.get("/auth/login"), 404, /Sign in with an API key.*CODEHOST_CLIENT_ID/);
    await pageOf(await own.get("/auth/callback?code=a&state=b"), 400, /Start again/);
  });

  describe("have a role", () => {
    it("of a reviewer by default, and one of three", async () => {
      const made = createdKey.parse(await (await vrs.post("/v1/keys", { name: "ci" })).json());
      assert.equal(made.role, "reviewer");
      await problemOf(await vrs.post("/v1/keys", { name: "ci", role: "owner" }), "invalid_request");
      await problemOf(await vrs.post("/v1/keys", { name: " " }), "invalid_request");
    });
  });

  describe("are kept", () => {
    it("as a hash only: in no list, file or log", async () => {
      const made = await make("viewer");
      assert.match(made.key, /^vrs_[0-9A-Za-z]{32}$/);
      assert.equal(made.tail, made.key.slice(-4));
      const { key: _key, ...listed } = made;
      assert.deepEqual(await find(made.id), listed);
      assert.equal((await sendRequest("GET", "/v1/runs", `Bearer ${made.key}`)).status, 200);
      const stored = await readAllFiles(join(vrs.dataDir, "database"));
      assert.ok(stored.includes(hashKey(made.key)), "the hash is in the database's files");
      for (const key of [made.key, vrs.key]) {
        assert.ok(!stored.includes(key));
        assert.ok(!vrs.output.includes(key));
      }
    });

    it("with the time of their last use", async () => {
      const made = await make("viewer");
      assert.equal(made.lastUsedAt, null);
      await sendRequest("GET", "/v1/runs", `Bearer ${made.key}`);
      const { lastUsedAt } = (await find(made.id)) ?? {};
      assert.ok(lastUsedAt && lastUsedAt >= made.createdAt);
    });

    it("in a paged list, newest first", async () => {
      for (let count = 0; count < 5; count++) await make("viewer", `part ${count}`);
      const whole = (await list()).data.map(key => key.id);
      assert.deepEqual(whole, whole.toSorted().reverse());
      const parts: string[] = [];
      let next: string | null = "";
      while (next !== null) {
        const page = await list(next === "" ? "limit=2" : `limit=2&cursor=${next}`);
        assert.ok(page.data.length <= 2);
        parts.push(...page.data.map(key => key.id));
        next = page.nextCursor;
      }
      assert.deepEqual(parts, whole);
    });
  });

  describe("are revoked", () => {
    it("at once, also in use, and once", async () => {
      const made = await make("admin");
      const bearer = `Bearer ${made.key}`;
      assert.equal((await sendRequest("GET", "/v1/keys", bearer)).status, 200);
      assert.equal((await revoke(made.id)).status, 204);
      for (const { method, path } of GUARDED)
        await assertUnauthorized(path, await sendRequest(method, path, bearer));
      assert.equal(await find(made.id), undefined);
      await problemOf(await revoke(made.id), "not_found");
    });

    it("except for the last admin key", async () => {
      const admins = (await list()).data.filter(key => key.role === "admin");
      const own = admins.find(key => key.name === "bootstrap");
      for (const { id } of admins) if (id !== own?.id) assert.equal((await revoke(id)).status, 204);
      await problemOf(await revoke(own?.id ?? ""), "conflict");
      assert.equal((await vrs.request("/v1/keys")).status, 200);
    });
  });

  describe("of another team", () => {
    const otherKey = makeKey();
    const bearer = `Bearer ${otherKey}`;

    before(async () => {
      oldCookie = await signIn();
      assert.equal(cookieOf(await withCookie(oldCookie)), undefined);
      await vrs.kill();
      await changeStopped(vrs.dataDir, otherKey);
      await vrs.start();
    });

    it("give no access to this one", async () => {
      const body = {
        url: "http://localhost:9999",
        project: "shared",
        scm: { owner: "a", repo: "b", sha: "abcdef0" },
      };
      const ownDecision = submittedRun.parse(await (await vrs.post("/v1/run", body)).json());
      const { data } = await list();
      for (const [method, path] of [
        ["GET", `/v1/runs/${ownDecision.id}`],
        ["GET", `/v1/runs/${ownDecision.id}/events`],
        ["POST", `/v1/runs/${ownDecision.id}/cancel`],
        ["GET", `/v1/screenshots/${ownDecision.id}`],
        ["GET", `/v1/reports/${ownDecision.id}`],
        ["POST", `/v1/baselines/${ownDecision.id}/approve`],
        ["DELETE", `/v1/keys/${data[0]?.id}`],
      ] as const) {
        await problemOf(await sendRequest(method, path, bearer), "not_found");
      }
      assert.deepEqual(runList.parse(await (await sendRequest("GET", "/v1/runs", bearer)).json()).data, []);
      assert.equal(keyList.parse(await (await sendRequest("GET", "/v1/keys", bearer)).json()).data.length, 1);
      const theirs = await vrs.client(otherKey).submitRun(body);
      assert.notEqual(theirs.id, ownDecision.id);
      assert.equal(theirs.deduplicated, undefined);
    });

    it("don't count as this one's last admin key", async () => {
      const own = (await list()).data.find(key => key.name === "bootstrap");
      await problemOf(await revoke(own?.id ?? ""), "conflict");
    });

    it("survive a restart, and so does one key by the name of the first", async () => {
      assert.equal((await sendRequest("GET", "/v1/keys", bearer)).status, 200);
      const { data } = await list();
      assert.equal(data.filter(key => key.name === "bootstrap").length, 1);
    });
  });

  describe("of a deleted team", () => {
    it("give access only to its list and its restoration", async () => {
      const team = createdTeam.parse(await (await vrs.post("/v1/teams", { name: "Short" })).json());
      const askAs = (path: string, method = "GET") => sendRequest(method, path, `Bearer ${team.key}`);
      const path = `/v1/teams/${team.id}`;
      assert.equal((await askAs("/v1/runs")).status, 200);
      assert.equal((await askAs(path, "DELETE")).status, 200);
      for (const asked of ["/v1/runs", "/v1/keys", `${path}/members`]) {
        const { detail } = await problemOf(await askAs(asked), "conflict");
        assert.match(detail, /restore/);
      }
      assert.equal((await askAs("/v1/teams")).status, 200);
      assert.equal((await askAs(`${path}/restore`, "POST")).status, 200);
      assert.equal((await askAs("/v1/runs")).status, 200);
      await problemOf(await vrs.request(`/v1/teams/${DEFAULT_TEAM_ID}`, { method: "DELETE" }), "conflict");
    });
  });

  describe("whose session is a day old", () => {
    it("gives it another cookie, while requests with the old one are in progress", async () => {
      // Sends requests like a page that loads several things at once.
      const answers = await Promise.all([1, 2, 3].map(() => withCookie(oldCookie)));
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 200],
      );
      const [newCookie = "", ...more] = answers.flatMap(answer => cookieOf(answer) ?? []);
      assert.match(newCookie, /^vrs_session=[\w-]{43}$/);
      assert.deepEqual(more, []);
      assert.notEqual(newCookie, oldCookie);
      for (const cookie of [oldCookie, newCookie]) {
        const answer = await withCookie(cookie);
        assert.deepEqual([answer.status, cookieOf(answer)], [200, undefined]);
      }
    });
  });

  describe("of two admins who revoke each other at the same time", () => {
    it("leave one of them", async () => {
      const own = (await list()).data.find(key => key.name === "bootstrap");
      const other = await make("admin");
      const answers = await Promise.all([revoke(other.id), revoke(own?.id ?? "", other.key)]);
      assert.equal(answers.filter(answer => answer.status === 204).length, 1);
      const opens = await Promise.all(
        [vrs.key, other.key].map(async key => (await sendRequest("GET", "/v1/keys", `Bearer ${key}`)).ok),
      );
      assert.equal(opens.filter(Boolean).length, 1);
    });
  });
});

/** Adds a team, and ages every session by a day, while the service is stopped. */
async function changeStopped(dataDir: string, key: string): Promise<void> {
  const { pglite: database } = await openEmbeddedDatabase(loadConfig({ SERVICE_DATA_DIR: dataDir }));
  try {
    await addTeam((sql, values) => database.query(sql, values), key);
    await database.query("update teams.session set renewed_at = now() - interval '25 hours'");
  } finally {
    await closeEmbeddedDatabase(dataDir);
  }
}
