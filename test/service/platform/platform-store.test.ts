import assert from "node:assert/strict";
import type { Install } from "../../../services/platform/api/platform-api.ts";
import { cleanUp } from "../../../services/platform/cleanup.ts";
import {
  finishDelivery,
  leaseDelivery,
  releaseDelivery,
  wasProcessed,
} from "../../../services/platform/deliveries/delivery.store.ts";
import { ConsentEntity } from "../../../services/platform/installs/consent.entity.ts";
import { findConsent } from "../../../services/platform/installs/consent.store.ts";
import {
  deleteInstall,
  deletePendingInstall,
  insertPendingInstall,
  replaceInstall,
} from "../../../services/platform/installs/install.store.ts";
import { allow, listConsents, revoke } from "../../../services/platform/installs/manage-consents.ts";
import { putTeam } from "../../../services/platform/installs/team.store.ts";
import { migrations } from "../../../services/platform/migrations/index.ts";
import { DatabaseNode } from "../../support/databases/database-node.ts";
import { DATABASES, type TestDatabase } from "../../support/databases/databases.ts";
import { Integration } from "../../support/drivers/integration.ts";
import { CloudApi } from "../../support/fakes/cloud-api.ts";
import { PREVIEW, PREVIEW_DOMAIN, ready } from "../../support/fixtures/platform-events.ts";
import {
  ageDeliveryLeases,
  ageOtherDeliveries,
  agePendingInstalls,
  countDeliveries,
  countPendingInstalls,
  deleteConsents,
  deletePlatformRows,
  insertConsent,
  readConsentKeys,
  readInstallIds,
} from "../../support/rows/platform-rows.ts";
import { TcpProxy } from "../../support/servers/http/tcp-proxy.ts";
import { createDatabase } from "../../support/servers/postgres-server.ts";
import { needs } from "../../support/servers/server-programs.ts";

const MANY = 20;

for (const kind of DATABASES) {
  describe(`The platform service's rows, on ${kind.name}`, () => {
    kind.needed();
    let database: TestDatabase;
    let node: DatabaseNode;

    before(async () => {
      database = await kind.make();
      node = await DatabaseNode.start(database.env, {
        schema: "platform",
        entities: [ConsentEntity],
        migrations,
      });
    });
    beforeEach(() => deletePlatformRows(em()));
    after(async () => {
      await node?.stop();
      await database?.remove();
    });

    const em = () => node.em();
    const atOnce = <T>(work: (index: number) => Promise<T>) =>
      Promise.all(Array.from({ length: MANY }, (_, index) => work(index)));
    const lease = (id: string, by: string) => leaseDelivery(em(), id, by);

    describe("a delivery", () => {
      it("is leased by one of many callers, by the next after its release, and by none when it is done", async () => {
        const first = await atOnce(index => lease("d", `${index}`));
        assert.equal(first.filter(result => result === "mine").length, 1);
        assert.equal(first.filter(result => result === "others").length, MANY - 1);
        assert.equal(await wasProcessed(em(), "d"), false);
        const winner = `${first.indexOf("mine")}`;
        await releaseDelivery(em(), "d", "another");
        assert.equal(await lease("d", "next"), "others");
        await releaseDelivery(em(), "d", winner);
        assert.equal(await lease("d", "next"), "mine");
        await finishDelivery(em(), "d", "next");
        await ageDeliveryLeases(em(), "1 hour");
        assert.deepEqual(new Set(await atOnce(index => lease("d", `${index}`))), new Set(["done"]));
        await releaseDelivery(em(), "d", "next");
        assert.equal(await wasProcessed(em(), "d"), true);
        assert.equal(await wasProcessed(em(), "e"), false);
      });

      it("with an expired lease is leased by one of many callers, and not before", async () => {
        await lease("d", "stopped");
        await ageDeliveryLeases(em(), "9 seconds");
        assert.equal(await lease("d", "early"), "others");
        await ageDeliveryLeases(em(), "4 seconds");
        const leased = await atOnce(index => lease("d", `${index}`));
        assert.equal(leased.filter(each => each === "mine").length, 1);
        // The first holder was only slow. It must not release another holder's lease.
        await releaseDelivery(em(), "d", "stopped");
        assert.equal(await lease("d", "again"), "others");
      });

      it("is kept for 24 hours", async () => {
        await finishDelivery(em(), "old", "a");
        await finishDelivery(em(), "young", "a");
        await lease("stopped", "a");
        await ageOtherDeliveries(em(), "young");
        assert.equal(await wasProcessed(em(), "old"), false);
        await cleanUp({ em });
        assert.equal(await countDeliveries(em()), 1);
        assert.equal(await wasProcessed(em(), "young"), true);
      });
    });

    describe("consent", () => {
      const owner = { projectId: "p", ownerId: "t" };
      const install = (more: Partial<Install> = {}): Install => ({
        configurationId: "c",
        ownerId: "t",
        projects: ["p"],
        ...more,
      });
      const keys = () => readConsentKeys(em());

      it("of a team registers many new projects at once, and removes them with itself", async () => {
        await replaceInstall(em(), install({ projects: "all" }));
        await atOnce(index => findConsent(em(), { projectId: `p${index % 4}`, ownerId: "t" }));
        assert.deepEqual(await keys(), ["project:p0", "project:p1", "project:p2", "project:p3", "team:t"]);
        await deleteInstall(em(), "c");
        assert.deepEqual(await keys(), []);
        assert.equal(await findConsent(em(), { projectId: "p0", ownerId: "t" }), false);
      });

      it("that is removed during registrations leaves none of them", async () => {
        for (let round = 0; round < 5; round++) {
          await replaceInstall(em(), install({ projects: "all" }));
          await Promise.all([
            atOnce(index => findConsent(em(), { projectId: `p${index}`, ownerId: "t" })),
            deleteInstall(em(), "c"),
          ]);
          assert.deepEqual(await keys(), []);
        }
      });

      it("belongs to one installation when a team installs twice at once", async () => {
        await atOnce(index =>
          replaceInstall(em(), install({ configurationId: `c${index}`, projects: [`p${index}`] })),
        );
        const ids = await readInstallIds(em());
        assert.equal(ids.length, 1);
        assert.deepEqual(await keys(), [`project:p${ids[0]?.slice(1)}`]);
      });

      it("moves with a project to another team, and stays there when the old one ends", async () => {
        await replaceInstall(em(), install());
        await replaceInstall(em(), install({ configurationId: "c2", ownerId: "t2" }));
        await deleteInstall(em(), "c");
        assert.equal(await findConsent(em(), { projectId: "p", ownerId: "t2" }), true);
        await deleteInstall(em(), "c2");
        assert.equal(await findConsent(em(), owner), false);
      });

      it("of a project itself does not become its team's", async () => {
        await replaceInstall(em(), install());
        await insertConsent(em(), "team:t");
        assert.equal(await findConsent(em(), owner), true);
        await deleteConsents(em(), "team:t");
        assert.equal(await findConsent(em(), owner), true);
      });

      it("moves a registered project to the next team that has all of its projects", async () => {
        for (const team of ["t", "t2"]) await insertConsent(em(), `team:${team}`);
        assert.equal(await findConsent(em(), owner), true);
        assert.equal(await findConsent(em(), { ...owner, ownerId: "t2" }), true);
        await deleteConsents(em(), "team:t");
        assert.deepEqual(await keys(), ["project:p", "team:t2"]);
      });

      it("is listed by key, added, and removed by an operator, at once", async () => {
        await replaceInstall(em(), install({ projects: ["b", "c"] }));
        await allow(em(), "team:t");
        await findConsent(em(), { projectId: "a", ownerId: "t" });
        const first = await listConsents(em(), { limit: 3 });
        assert.deepEqual(
          first.data.map(({ key, configurationId, registeredBy }) => [key, configurationId, registeredBy]),
          [
            ["project:a", null, "team:t"],
            ["project:b", "c", null],
            ["project:c", "c", null],
          ],
        );
        const rest = await listConsents(em(), { limit: 3, cursor: first.nextCursor ?? "" });
        assert.deepEqual([rest.data.map(({ key }) => key), rest.nextCursor], [["team:t"], null]);
        // An operator's consent for a project outlives the team's.
        assert.equal((await allow(em(), "project:a")).registeredBy, null);
        assert.equal((await allow(em(), "project:b")).configurationId, "c");
        await revoke(em(), "team:t");
        await revoke(em(), "project:b");
        assert.deepEqual(await keys(), ["project:a", "project:c"]);
        assert.equal(await findConsent(em(), { projectId: "b", ownerId: "t" }), false);
        await assert.rejects(revoke(em(), "project:b"), { type: "not_found" });
        for (const key of ["project:", "b", "owner:b", "project:a b", "project:é", `team:${"x".repeat(201)}`])
          await assert.rejects(allow(em(), key), { type: "invalid_request" }, key);
        for (const cursor of ["!", "b", Buffer.from("owner:b").toString("base64url")])
          await assert.rejects(listConsents(em(), { limit: 3, cursor }), { type: "invalid_request" });
      });

      it("is missing without ids", async () => {
        for (const key of ["project:null", "team:null", "project:", "team:"]) await insertConsent(em(), key);
        assert.equal(await findConsent(em(), { projectId: null, ownerId: null }), false);
      });
    });

    it("uses a browser's pending installation once, within half an hour", async () => {
      const pending = { stateHash: "s", browserHash: "b" };
      await insertPendingInstall(em(), pending);
      assert.equal(await deletePendingInstall(em(), { ...pending, browserHash: "other" }), false);
      assert.equal((await atOnce(() => deletePendingInstall(em(), pending))).filter(Boolean).length, 1);
      await insertPendingInstall(em(), pending);
      await agePendingInstalls(em(), "30 minutes");
      assert.equal(await deletePendingInstall(em(), pending), false);
      await cleanUp({ em });
      assert.equal(await countPendingInstalls(em()), 0);
    });
  });
}

describe("Two nodes of the platform's integration on one database", () => {
  needs("database");

  it("start one run for a delivery that arrives at both at once", async () => {
    const api = await CloudApi.start();
    const env = {
      ...api.env,
      DATABASE_URL: await createDatabase(),
      PLATFORM_PREVIEW_DOMAIN: PREVIEW_DOMAIN,
    };
    const nodes = await Promise.all([Integration.start(env), Integration.start(env)]);
    try {
      for (let run = 1; run <= 5; run++) {
        const body = ready();
        const answers = await Promise.all(nodes.flatMap(node => [node.deliver(body), node.deliver(body)]));
        assert.equal(api.requestCount, run);
        const triggered = answers.filter(({ body }) => JSON.stringify(body).includes(`"run_${run}"`));
        assert.equal(triggered.length, 1, JSON.stringify(answers.map(({ body }) => body)));
      }
    } finally {
      await Promise.all(nodes.map(node => node.stop()));
      await api.close();
    }
  });
});

describe("The platform's integration without its database", () => {
  needs("database");

  it("checks previews on the platform's own domain, and refuses custom ones until later", async () => {
    const url = new URL(await createDatabase());
    const proxy = await TcpProxy.start(Number(url.port));
    url.port = String(proxy.port);
    url.hostname = "127.0.0.1";
    const api = await CloudApi.start();
    const integration = await Integration.start({
      ...api.env,
      DATABASE_URL: url.href,
      PLATFORM_PREVIEW_DOMAIN: PREVIEW_DOMAIN,
    });
    const answer = async (bytes: string) => {
      const { status, body } = await integration.deliver(bytes);
      return { status, body };
    };
    try {
      await insertConsent(integration.em(), "project:prj_unknown");
      const custom = () => ready({ deployment: { url: "shop.example" } });
      assert.equal((await answer(custom())).status, 200);
      const own = ready();
      const triggered = {
        status: 200,
        body: { triggered: true, runId: "run_2", previewUrl: `https://${PREVIEW}` },
      };
      const refused = {
        status: 503,
        body: { triggered: false, error: "The database isn't responding. Deliver the event again" },
      };
      const privateUrl = () => ready({ deployment: { url: "127.0.0.1" } });
      proxy.cut();
      assert.deepEqual(await Promise.all([answer(own), answer(custom())]), [triggered, refused]);
      await proxy.stop();
      // The API recognizes repeats that this service does not know.
      assert.deepEqual(await Promise.all([answer(own), answer(custom())]), [triggered, refused]);
      assert.equal((await answer(privateUrl())).status, 400);
      assert.equal(api.runs.length, 2);
    } finally {
      await integration.stop();
      await api.close();
    }
  });

  it("submits nothing with the process's key if installations have their own keys", async () => {
    const url = new URL(await createDatabase());
    const proxy = await TcpProxy.start(Number(url.port));
    url.port = String(proxy.port);
    url.hostname = "127.0.0.1";
    const api = await CloudApi.start();
    const env = { ...api.env, DATABASE_URL: url.href, PLATFORM_PREVIEW_DOMAIN: PREVIEW_DOMAIN };
    const integration = await Integration.start(env);
    try {
      await putTeam(integration.em(), "icfg_1", { teamId: "team_1", apiKey: api.key });
      assert.equal((await integration.deliver(ready())).status, 200);
      await proxy.stop();
      assert.equal((await integration.deliver(ready())).status, 503);
      assert.equal(api.runs.length, 1);
    } finally {
      await integration.stop();
      await api.close();
    }
  });
});
