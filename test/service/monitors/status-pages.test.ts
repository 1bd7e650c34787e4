import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { deleteTeamStatusPages } from "../../../services/monitors/status-pages/status-page.store.ts";
import type { StatusContent, StatusPageBody } from "../../../shared/contracts/monitors/status-pages.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { newId } from "../../../shared/ids.ts";
import type { MonitorTestContext } from "../../support/contexts/monitor-context.ts";
import { MAIN_DATABASES } from "../../support/databases/databases.ts";
import { useMonitors } from "../../support/drivers/monitor-driver.ts";

const PASSWORD = "open sesame";

for (const database of MAIN_DATABASES)
  describe(`Status pages, badges and tags on ${database.name}`, () => {
    let context: MonitorTestContext;
    useMonitors(database, started => {
      context = started;
    });
    let pages = 0;

    const body = (monitorId: string, own: Partial<StatusPageBody> = {}): StatusPageBody => {
      pages += 1;
      return {
        ...{ title: "Acme status", slug: `acme-${pages}`, components: [{ monitorId, name: "Public shop" }] },
        ...own,
      };
    };
    const create = (caller: Caller, wanted: StatusPageBody) =>
      context.ask("monitors.createStatusPage", { id: newId("stp"), body: wanted }, caller);
    const open = (slug: string, by: { password?: string; ticket?: string } = {}) =>
      context.broker.call<Awaited<ReturnType<typeof opened>>, object>("monitors.openStatusPage", {
        slug,
        ...by,
      });
    const opened = (slug: string) => context.ask("monitors.openStatusPage", { slug }, context.team());
    const contentOf = async (slug: string): Promise<StatusContent> => {
      const page = await open(slug);
      assert.equal(page.kind, "open");
      return page.kind === "open" ? page.content : assert.fail();
    };

    it("show states, uptime and outages, but no names, URLs, routes or ids of monitors", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, {
        name: "Internal name",
        url: "https://internal.example",
        routes: ["/secret-route"],
      });
      context.shows.set("https://internal.example/secret-route@1280", [
        "as ever",
        { blame: "page", reason: "It answers 500 with a secret." },
      ]);
      await context.check(admin, id);
      const { slug, url } = await create(admin, body(id));
      assert.match(url, new RegExp(`/status/${slug}$`));
      const [before] = (await contentOf(slug)).components;
      assert.deepEqual(
        [before?.name, before?.state, before?.uptime, before?.days.length, before?.days.at(-1)?.uptime],
        ["Public shop", "operational", 1, 90, 1],
      );
      await context.check(admin, id);
      context.alerts.outages = [{ monitorId: id, from: "2026-01-01T00:00:00.000Z", until: null }];
      const content = await contentOf(slug);
      assert.deepEqual([content.components[0]?.state, content.components[0]?.uptime], ["outage", 0.5]);
      assert.deepEqual(content.outages, [
        { name: "Public shop", from: "2026-01-01T00:00:00.000Z", until: null },
      ]);
      const text = JSON.stringify(content);
      for (const hidden of ["Internal", "internal.example", "secret", id, admin.teamId])
        assert.ok(!text.includes(hidden), hidden);
    });

    it("don't call a site up whose last result is old, as of a paused monitor", async () => {
      const admin = context.team();
      const { id } = await context.create(admin);
      await context.check(admin, id);
      const { badgeUrl } = await context.ask("monitors.createBadge", { id }, admin);
      const token = /([\w-]{24})\.svg$/.exec(badgeUrl ?? "")?.[1] ?? "";
      const { slug } = await create(admin, body(id));
      const states = async () => {
        const badge = await context.ask("monitors.badge", { token }, admin);
        return [(await contentOf(slug)).components.map(({ state }) => state), badge?.state];
      };
      const age = (hours: number) =>
        context.sql(
          "update monitors.monitor set last_result_at = now() - make_interval(hours => ?) where id = ?",
          [hours, id],
        );
      await context.ask("monitors.change", { id, body: { paused: true } }, admin);
      await age(3);
      assert.deepEqual(await states(), [["operational"], "operational"], "it misses three intervals later");
      await age(4);
      assert.deepEqual(await states(), [["unknown"], "unknown"]);
      await context.ask("monitors.change", { id, body: { paused: false } }, admin);
      assert.deepEqual(await states(), [["operational"], "operational"], "its next check is due");
    });

    it("open with their password, and later with a ticket until it changes", async () => {
      const admin = context.team();
      const { id: monitorId } = await context.create(admin);
      const wanted = body(monitorId, { password: PASSWORD });
      const { id, slug, hasPassword } = await create(admin, wanted);
      assert.equal(hasPassword, true);
      assert.deepEqual(await open(slug), { kind: "locked", title: "Acme status", isWrong: false });
      assert.deepEqual(await open(slug, { password: "wrong" }), {
        ...{ kind: "locked", title: "Acme status", isWrong: true },
      });
      const first = await open(slug, { password: PASSWORD });
      const ticket = first.kind === "open" ? (first.ticket ?? "") : "";
      assert.match(ticket, /^[\w-]{43}$/);
      assert.equal((await open(slug, { ticket })).kind, "open");
      const { password: _password, ...kept } = wanted;
      await context.ask("monitors.changeStatusPage", { id, body: kept }, admin);
      assert.equal((await open(slug, { ticket })).kind, "open");
      await context.ask(
        "monitors.changeStatusPage",
        { id, body: { ...wanted, password: "another one" } },
        admin,
      );
      assert.equal((await open(slug, { ticket })).kind, "locked");
      const stored = JSON.stringify(
        await context.sql("select * from monitors.status_page where id = ?", [id]),
      );
      assert.ok(!stored.includes("another one"));
      const kinds = new Set<string>();
      for (let guess = 0; guess < 12; guess += 1)
        kinds.add((await open(slug, { password: `guess ${guess}` })).kind);
      assert.ok(kinds.has("limited"));
      await context.ask("monitors.changeStatusPage", { id, body: { ...wanted, password: null } }, admin);
      assert.equal((await open(slug)).kind, "open");
    });

    it("are read once for many who open one at the same time", async () => {
      const admin = context.team();
      const { id } = await context.create(admin);
      const { slug } = await create(admin, body(id));
      const before = context.alerts.outageReads;
      const opened = await Promise.all(Array.from({ length: 50 }, () => contentOf(slug)));
      assert.equal(opened.length, 50);
      assert.ok(context.alerts.outageReads - before < 25);
      assert.equal((await contentOf(slug)).title, "Acme status");
    });

    it("refuse an address that another team takes at the same time", async () => {
      const admins = Array.from({ length: 8 }, () => context.team());
      const monitors = await Promise.all(admins.map(admin => context.create(admin)));
      for (let round = 0; round < 10; round += 1) {
        const slug = `acme-race-${round}`;
        const taken = await Promise.allSettled(
          admins.map((admin, index) => create(admin, body(monitors[index]?.id ?? "", { slug }))),
        );
        const errors = taken.flatMap(each => (each.status === "rejected" ? [each.reason.type] : []));
        assert.deepEqual(
          errors,
          Array.from({ length: 7 }, () => "invalid_request"),
        );
      }
    });

    it("refuse taken addresses and monitors of other teams, and end with their team", async () => {
      const [admin, other] = [context.team(), context.team()];
      const [{ id }, { id: theirs }] = [await context.create(admin), await context.create(other)];
      const page = await create(admin, body(id));
      await assert.rejects(create(other, body(theirs, { slug: page.slug })), {
        type: "invalid_request",
        message: /taken/,
      });
      await assert.rejects(create(admin, body(theirs)), { type: "invalid_request" });
      await assert.rejects(
        context.ask("monitors.changeStatusPage", { id: page.id, body: body(theirs) }, other),
        { code: 404 },
      );
      await assert.rejects(context.ask("monitors.deleteStatusPage", { id: page.id }, other), { code: 404 });
      context.closed.add(admin.teamId);
      assert.equal((await open(page.slug)).kind, "missing");
      context.closed.delete(admin.teamId);
      assert.equal((await open(page.slug)).kind, "open");
      await deleteTeamStatusPages(context.monitors.em(), admin.teamId);
      assert.equal((await open(page.slug)).kind, "missing");
    });

    it("give monitors badges with unguessable URLs that can be replaced", async () => {
      const admin = context.team();
      const { id, badgeUrl } = await context.create(admin);
      assert.equal(badgeUrl, null);
      const tokenOf = (url: string | null) => /\/badges\/([\w-]{24})\.svg$/.exec(url ?? "")?.[1] ?? "";
      const create = async () => tokenOf((await context.ask("monitors.createBadge", { id }, admin)).badgeUrl);
      const first = await create();
      const badge = (token: string) => context.ask("monitors.badge", { token }, context.team());
      assert.deepEqual(await badge(first), { state: "unknown", uptime: null });
      await context.check(admin, id);
      assert.deepEqual(await badge(first), { state: "operational", uptime: 1 });
      const second = await create();
      assert.notEqual(second, first);
      assert.equal(await badge(first), null);
      await context.ask("monitors.deleteBadge", { id }, admin);
      assert.equal(await badge(second), null);
    });

    it("filter monitors by tag, text and status", async () => {
      const admin = context.team();
      const shop = await context.create(admin, {
        name: "Shop 100%",
        tags: ["Production", "eu", "production"],
      });
      const blog = await context.create(admin, { name: "Blog", url: "https://blog.example", tags: ["eu"] });
      assert.deepEqual(shop.tags, ["production", "eu"]);
      const list = async (query: { tag?: string; find?: string; status?: "ok" | "down" }) =>
        (await context.ask("monitors.list", { query: { limit: 20, ...query } }, admin)).data.map(
          ({ id }) => id,
        );
      assert.deepEqual(await list({ tag: "production" }), [shop.id]);
      assert.deepEqual(await list({ tag: "eu" }), [blog.id, shop.id]);
      assert.deepEqual(await list({ find: "BLOG.example" }), [blog.id]);
      assert.deepEqual(await list({ find: "100%" }), [shop.id]);
      assert.deepEqual(await list({ find: "_" }), []);
      assert.deepEqual(await list({ status: "ok" }), []);
      await context.check(admin, blog.id);
      assert.deepEqual(await list({ status: "ok", tag: "eu" }), [blog.id]);
    });
  });
