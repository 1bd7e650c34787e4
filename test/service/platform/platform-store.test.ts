import assert from "node:assert/strict";
import { cleanUp } from "../../../services/platform/cleanup.ts";
import {
  claimDelivery,
  finishDelivery,
  releaseDelivery,
  wasProcessed,
} from "../../../services/platform/deliveries/delivery.store.ts";
import { ConsentEntity } from "../../../services/platform/installs/consent.entity.ts";
import { findConsent } from "../../../services/platform/installs/consent.store.ts";
import {
  type Install,
  insertBegun,
  removeInstall,
  replaceInstall,
  takeBegun,
} from "../../../services/platform/installs/install.store.ts";
import { allow, listConsents, revoke } from "../../../services/platform/installs/manage-consents.ts";
import { putTeam } from "../../../services/platform/installs/team.store.ts";
import { migrations } from "../../../services/platform/migrations/index.ts";
import { Integration } from "../../support/drivers/integration.ts";
import { CloudApi } from "../../support/fakes/cloud-api.ts";
import { PREVIEW, PREVIEW_DOMAIN, ready } from "../../support/fixtures/platform-events.ts";
import { DatabaseNode } from "../../support/servers/database-node.ts";
import { DATABASES, type TestDatabase } from "../../support/servers/databases.ts";
import { createDatabase } from "../../support/servers/postgres-server.ts";
import { needs } from "../../support/servers/server-programs.ts";
import { TcpProxy } from "../../support/servers/tcp-proxy.ts";

const MANY = 20;

for (const kind of DATABASES) {
  describe(`What the platform's integration keeps, on ${kind.name}`, () => {
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
    beforeEach(() => sql("truncate platform.delivery, platform.begun, platform.consent, platform.install"));
    after(async () => {
      await node?.stop();
      await database?.remove();
    });

    const em = () => node.em();
    const sql = (text: string, values: unknown[] = []) => em().execute(text, values);
    const atOnce = <T>(work: (index: number) => Promise<T>) =>
      Promise.all(Array.from({ length: MANY }, (_, index) => work(index)));
    const claim = (id: string, by: string) => claimDelivery(em(), id, by);

    describe("a delivery", () => {
      it("is claimed by one of many at once; by the next when that one lets go; by none when it is done", async () => {
        const first = await atOnce(index => claim("d", `${index}`));
        assert.equal(first.filter(claimed => claimed === "mine").length, 1);
        assert.equal(first.filter(claimed => claimed === "others").length, MANY - 1);
        assert.equal(await wasProcessed(em(), "d"), false);
        const winner = `${first.indexOf("mine")}`;
        await releaseDelivery(em(), "d", "somebody else");
        assert.equal(await claim("d", "next"), "others");
        await releaseDelivery(em(), "d", winner);
        assert.equal(await claim("d", "next"), "mine");
        await finishDelivery(em(), "d", "next");
        await sql("update platform.delivery set claimed_at = claimed_at - interval '1 hour'");
        assert.deepEqual(new Set(await atOnce(index => claim("d", `${index}`))), new Set(["done"]));
        await releaseDelivery(em(), "d", "next");
        assert.equal(await wasProcessed(em(), "d"), true);
        assert.equal(await wasProcessed(em(), "e"), false);
      });

      it("whose claim is over is claimed by one of many at once, and not before", async () => {
        await claim("d", "dead");
        await sql("update platform.delivery set claimed_at = claimed_at - interval '9 seconds'");
        assert.equal(await claim("d", "early"), "others");
        await sql("update platform.delivery set claimed_at = claimed_at - interval '4 seconds'");
        const claimed = await atOnce(index => claim("d", `${index}`));
        assert.equal(claimed.filter(each => each === "mine").length, 1);
        // The dead one was only slow: what it lets go is not its own any more.
        await releaseDelivery(em(), "d", "dead");
        assert.equal(await claim("d", "again"), "others");
      });

      it("is known for 24 hours, and then forgotten", async () => {
        await finishDelivery(em(), "old", "a");
        await finishDelivery(em(), "young", "a");
        await claim("dead", "a");
        await sql(
          "update platform.delivery set done_at = done_at - interval '24 hours', claimed_at = now() - interval '24 hours' where id <> encode(sha256('young'), 'hex')",
        );
        assert.equal(await wasProcessed(em(), "old"), false);
        await cleanUp({ em });
        assert.equal((await sql("select 1 from platform.delivery")).length, 1);
        assert.equal(await wasProcessed(em(), "young"), true);
      });
    });

    describe("consent", () => {
      const whose = { projectId: "p", ownerId: "t" };
      const install = (more: Partial<Install> = {}): Install => ({
        configurationId: "c",
        ownerId: "t",
        projects: ["p"],
        ...more,
      });
      const keys = async () => {
        const rows = await sql("select key from platform.consent order by key");
        return rows.map(({ key }) => key);
      };

      it("of a team registers new projects, many at once, and loses them with its own end", async () => {
        await replaceInstall(em(), install({ projects: "all" }));
        await atOnce(index => findConsent(em(), { projectId: `p${index % 4}`, ownerId: "t" }));
        assert.deepEqual(await keys(), ["project:p0", "project:p1", "project:p2", "project:p3", "team:t"]);
        await removeInstall(em(), "c");
        assert.deepEqual(await keys(), []);
        assert.equal(await findConsent(em(), { projectId: "p0", ownerId: "t" }), false);
      });

      it("that ends while projects are registered leaves none of them", async () => {
        for (let round = 0; round < 5; round++) {
          await replaceInstall(em(), install({ projects: "all" }));
          await Promise.all([
            atOnce(index => findConsent(em(), { projectId: `p${index}`, ownerId: "t" })),
            removeInstall(em(), "c"),
          ]);
          assert.deepEqual(await keys(), []);
        }
      });

      it("is of one installation when a team installs twice at the same moment", async () => {
        await atOnce(index =>
          replaceInstall(em(), install({ configurationId: `c${index}`, projects: [`p${index}`] })),
        );
        const installs = await sql("select configuration_id as id from platform.install");
        assert.equal(installs.length, 1);
        assert.deepEqual(await keys(), [`project:p${String(installs[0]?.id).slice(1)}`]);
      });

      it("goes to the team that a project was moved to, and stays there when the old one ends", async () => {
        await replaceInstall(em(), install());
        await replaceInstall(em(), install({ configurationId: "c2", ownerId: "t2" }));
        await removeInstall(em(), "c");
        assert.equal(await findConsent(em(), { projectId: "p", ownerId: "t2" }), true);
        await removeInstall(em(), "c2");
        assert.equal(await findConsent(em(), whose), false);
      });

      it("that a project has of its own is not made its team's", async () => {
        await replaceInstall(em(), install());
        await sql("insert into platform.consent (key, registered_at) values ('team:t', now())");
        assert.equal(await findConsent(em(), whose), true);
        await sql("delete from platform.consent where key = 'team:t'");
        assert.equal(await findConsent(em(), whose), true);
      });

      it("moves a project that was registered under a team to the next team that has all of its projects", async () => {
        for (const team of ["t", "t2"])
          await sql("insert into platform.consent (key, registered_at) values (?, now())", [`team:${team}`]);
        assert.equal(await findConsent(em(), whose), true);
        assert.equal(await findConsent(em(), { ...whose, ownerId: "t2" }), true);
        await sql("delete from platform.consent where key = 'team:t'");
        assert.deepEqual(await keys(), ["project:p", "team:t2"]);
      });

      it("is listed by its key, added, and removed by an operator, which holds at once", async () => {
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
        // The operator's word for a project outlives the team's.
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

      it("of nobody is none", async () => {
        for (const key of ["project:null", "team:null", "project:", "team:"])
          await sql("insert into platform.consent (key, registered_at) values (?, now())", [key]);
        assert.equal(await findConsent(em(), { projectId: null, ownerId: null }), false);
      });
    });

    it("takes what a browser began once, within half an hour", async () => {
      const begun = { stateHash: "s", browserHash: "b" };
      await insertBegun(em(), begun);
      assert.equal(await takeBegun(em(), { ...begun, browserHash: "other" }), false);
      assert.equal((await atOnce(() => takeBegun(em(), begun))).filter(Boolean).length, 1);
      await insertBegun(em(), begun);
      await sql("update platform.begun set created_at = created_at - interval '30 minutes'");
      assert.equal(await takeBegun(em(), begun), false);
      await cleanUp({ em });
      assert.deepEqual(await sql("select 1 from platform.begun"), []);
    });
  });
}

describe("Two nodes of the platform's integration on one database", () => {
  needs("database");

  it("make one run of a delivery that comes to both at the same moment", async () => {
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
        assert.equal(api.asked, run);
        const triggered = answers.filter(({ body }) => JSON.stringify(body).includes(`"run_${run}"`));
        assert.equal(triggered.length, 1, JSON.stringify(answers.map(({ body }) => body)));
      }
    } finally {
      await Promise.all(nodes.map(node => node.stop()));
      await api.close();
    }
  });
});

describe("The platform's integration while its database is away", () => {
  needs("database");

  it("checks previews on the platform's own domain, and has custom ones delivered again", async () => {
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
      await integration
        .em()
        .execute("insert into platform.consent (key, registered_at) values ('project:prj_unknown', now())");
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
      // The API knows what nothing here remembers.
      assert.deepEqual(await Promise.all([answer(own), answer(custom())]), [triggered, refused]);
      assert.equal((await answer(privateUrl())).status, 400);
      assert.equal(api.runs.length, 2);
    } finally {
      await integration.stop();
      await api.close();
    }
  });

  it("submits nothing with the process's key where installations have keys of their own", async () => {
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
