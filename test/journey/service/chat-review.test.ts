import assert from "node:assert/strict";
import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Service, ServiceBroker, type ServiceSchema } from "moleculer";
import { z } from "zod";
import type { EntityManager, WithDatabase } from "../../../mixins/database.ts";
import { brokerOptions } from "../../../moleculer.config.ts";
import { hashKey } from "../../../shared/api-keys.ts";
import { loadConfig } from "../../../shared/config.ts";
import { service } from "../../../shared/contracts/bus.ts";
import { chatAppView } from "../../../shared/contracts/monitors/chat-apps.ts";
import type { Role } from "../../../shared/contracts/runs/runs.ts";
import { SERVICE_NAMES } from "../../../shared/environment/variables.ts";
import { DEFAULT_TEAM_ID, newId } from "../../../shared/ids.ts";
import { ApiAccess } from "../../support/drivers/api-access.ts";
import { BuildClient, picture } from "../../support/drivers/build-client.ts";
import { freePort } from "../../support/drivers/free-port.ts";
import { until } from "../../support/drivers/until.ts";
import { slackMessage } from "../../support/formats/slack-message.ts";
import { addMemberRow } from "../../support/rows/people-rows.ts";
import { FakeDiscord } from "../../support/servers/http/fake-discord.ts";
import { HttpReceiver } from "../../support/servers/http/http-receiver.ts";

const TEAM = `/v1/teams/${DEFAULT_TEAM_ID}`;
const SIGNING_SECRET = "0123456789abcdef0123456789abcdef";

/** The whole service in this process, with access to the tables of people. */
class Alone extends ApiAccess {
  readonly baseUrl: string;
  em: () => EntityManager = () => assert.fail("not started");
  readonly #broker: ServiceBroker;

  constructor(folder: string, port: number, discordUrl: string) {
    super();
    this.baseUrl = `http://localhost:${port}`;
    const config = loadConfig({
      ...{ PORT: String(port), SERVICE_DATA_DIR: folder, SERVICE_BOOTSTRAP_KEY: this.key },
      ...{ SERVICE_RATE_LIMIT: "1000000", SERVICE_ALLOW_HOSTS: "localhost,127.0.0.1", LOG_LEVEL: "fatal" },
      ...{ NOTICE_DELAY_SECONDS: "1", DISCORD_API_URL: discordUrl },
    });
    this.#broker = new ServiceBroker(brokerOptions(config));
  }

  async start(): Promise<void> {
    const alone = this;
    for (const name of SERVICE_NAMES) {
      const { default: schema }: { default: ServiceSchema } = await import(
        `../../../services/${name}/${name}.service.ts`
      );
      const watched = service<Service & WithDatabase>({
        name,
        mixins: [schema],
        async started() {
          if (name === "teams") alone.em = () => this.em();
        },
      });
      this.#broker.createService(name === "teams" ? watched : schema);
    }
    await this.#broker.start();
  }

  stop(): Promise<void> {
    return this.#broker.stop();
  }

  /** Creates another team. @returns its id */
  async otherTeam(): Promise<string> {
    return (await this.client().createTeam("Other")).id;
  }

  /** Adds a member, or of another team without a role, with a session. @returns the cookie */
  async signIn(login: string, role: Role | null): Promise<string> {
    const id = newId("user");
    const token = login.padEnd(43, "x");
    const user = { id, login, email: `${login}@example.com`, role: role ?? "viewer" };
    await addMemberRow(this.em(), role === null ? await this.otherTeam() : DEFAULT_TEAM_ID, user);
    await this.em().execute("insert into teams.session (id, hash, user_id) values (?, ?, ?)", [
      newId("ses"),
      hashKey(token),
      id,
    ]);
    return `vrs_session=${token}`;
  }
}

describe("Review from a chat message", () => {
  let folder: string;
  let vrs: Alone;
  let slack: HttpReceiver;
  let discord: FakeDiscord;
  let runId: string;
  const answers: { path: string; body: Record<string, unknown> }[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "vrs-chat-"));
    discord = await FakeDiscord.start();
    vrs = new Alone(folder, await freePort(), discord.url);
    slack = await HttpReceiver.start(({ path, body }) => {
      // The webhook takes messages, and the response URL what Slack documents for it.
      if (path === "/hook") slackMessage.parse(JSON.parse(body));
      else answers.push({ path, body: JSON.parse(body) });
    });
    await vrs.start();
  });
  after(async () => {
    await vrs?.stop();
    await slack?.close();
    await discord?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const put = async (path: string, body: object) => {
    const headers = { "Content-Type": "application/json" };
    return await vrs.request(path, { method: "PUT", headers, body: JSON.stringify(body) });
  };
  /** Uploads a screenshot that needs review. @returns the run's id */
  const upload = async (color: string) => {
    const client = new BuildClient(vrs);
    const shots = [{ name: "Card", bytes: await picture(color) }];
    const { id } = await client.upload({ project: "shop" }, shots);
    await client.ended(id);
    return id;
  };
  const runOf = async (id: string) =>
    z.object({ conclusion: z.string() }).parse(await (await vrs.request(`/v1/runs/${id}`)).json()).conclusion;
  const payload = (user: string, action: string, blocks: object[] = []) =>
    JSON.stringify({
      type: "block_actions",
      user: { id: `U_${user}`, username: user },
      team: { id: "T_acme" },
      actions: [{ action_id: action, value: runId }],
      response_url: slack.url("/response"),
      message: { blocks },
    });
  const signed = (body: string, secret = SIGNING_SECRET, ageSeconds = 0) => {
    const time = String(Math.floor(Date.now() / 1_000) - ageSeconds);
    const signature = `v0=${createHmac("sha256", secret).update(`v0:${time}:${body}`).digest("hex")}`;
    return { "X-Slack-Request-Timestamp": time, "X-Slack-Signature": signature };
  };
  const send = (body: string, headers: Record<string, string>, tool = "slack", team = DEFAULT_TEAM_ID) =>
    fetch(`${vrs.baseUrl}/v1/chat/${tool}/${team}`, { method: "POST", body, headers });
  let clicks = 0;
  /** Selects a button, and returns what the service answers. */
  const click = async (user: string, action = "vrs_approve", blocks: object[] = []) => {
    const count = answers.length;
    const body = `payload=${encodeURIComponent(payload(user, action, blocks))}&n=${clicks++}`;
    assert.equal((await send(body, signed(body))).status, 200);
    await until(() => answers.length > count);
    return answers.at(-1)?.body ?? {};
  };
  const linkIn = (text: unknown) =>
    /<(http[^|>]+)\|/.exec(JSON.stringify(text))?.[1]?.replaceAll("&amp;", "&") ?? "";
  const open = (link: string, cookie: string, init: RequestInit = {}) =>
    fetch(link, { ...init, headers: { Cookie: cookie, ...Object.fromEntries(new Headers(init.headers)) } });
  const confirm = (link: string, cookie: string) =>
    open(link, cookie, { method: "POST", headers: { Origin: vrs.baseUrl } });

  it("sends buttons only if the team has an app", async () => {
    const address = slack.url("/hook");
    assert.equal((await put("/v1/projects/shop/chat", { slack: address })).status, 200);
    await upload("red");
    await until(() => slack.received.length === 1);
    assert.doesNotMatch(slack.received[0]?.body ?? "", /vrs_approve/);
    assert.equal((await put(`${TEAM}/chat-apps/slack`, { secret: "0".repeat(64) })).status, 422);
    assert.equal((await put(`${TEAM}/chat-apps/irc`, { secret: SIGNING_SECRET })).status, 404);
    const answer = await put(`${TEAM}/chat-apps/slack`, { secret: SIGNING_SECRET });
    const text = await answer.text();
    assert.ok(!text.includes(SIGNING_SECRET));
    const view = chatAppView.parse(JSON.parse(text));
    assert.deepEqual(
      [view.isSet, view.requestUrl],
      [true, `${vrs.baseUrl}/v1/chat/slack/${DEFAULT_TEAM_ID}`],
    );
    runId = await upload("blue");
    await until(() => slack.received.length === 2);
    assert.match(slack.received[1]?.body ?? "", new RegExp(`vrs_approve","value":"${runId}"`));
    assert.deepEqual(slack.faults, []);
  });

  it("refuses requests that Slack didn't sign, old ones, and repeated ones", async () => {
    const body = `payload=${encodeURIComponent(payload("bob", "vrs_approve"))}`;
    const refused: Record<string, string>[] = [
      {},
      signed(body, "f".repeat(32)),
      signed(`${body}&x=1`),
      signed(body, SIGNING_SECRET, 301),
      signed(body, SIGNING_SECRET, -400),
      { ...signed(body), "X-Slack-Request-Timestamp": "now" },
    ];
    for (const headers of refused) assert.equal((await send(body, headers)).status, 401);
    const other = await send(body, signed(body), "slack", newId("team"));
    assert.equal(other.status, 401);
    assert.equal((await send("payload={}", signed("payload={}"))).status, 400);
    // Slack sends clicks on links too, and shows an error unless the answer is 200.
    const link = { type: "block_actions", actions: [{ action_id: "open-0", type: "button" }] };
    const opened = `payload=${encodeURIComponent(JSON.stringify(link))}`;
    assert.equal((await send(opened, signed(opened))).status, 200);
    const headers = signed(body);
    assert.equal((await send(body, headers)).status, 200);
    assert.equal((await send(body, headers)).status, 401);
    await until(() => answers.length === 1);
    assert.equal(await runOf(runId), "new");
  });

  it("links a person only after a member confirms it in a session", async () => {
    const bob = await vrs.signIn("bob", "reviewer");
    const outsider = await vrs.signIn("mallory", null);
    const reply = await click("bob");
    assert.deepEqual([reply.response_type, reply.replace_original], ["ephemeral", false]);
    const link = linkIn(reply);
    assert.match(link, /\/v1\/chat\/link\//);
    assert.equal((await fetch(link)).status, 401);
    assert.equal((await open(link, outsider)).status, 403);
    assert.equal(
      (
        await open(
          link.replace(/.$/, end => (end === "a" ? "b" : "a")),
          bob,
        )
      ).status,
      401,
    );
    const page = await open(link, bob);
    assert.match(await page.text(), /<b>bob<\/b>/);
    assert.equal(
      (await open(link, bob, { method: "POST", headers: { Origin: "https://evil.example" } })).status,
      403,
    );
    assert.equal((await click("bob")).replace_original, false);
    assert.equal((await confirm(link, outsider)).status, 403);
    assert.equal((await confirm(link, bob)).status, 200);
  });

  it("checks the member's role at the click, decides, and updates the message", async () => {
    const vera = await vrs.signIn("vera", "viewer");
    await confirm(linkIn(await click("vera")), vera);
    assert.match(JSON.stringify(await click("vera")), /Only reviewers/);
    assert.equal(await runOf(runId), "new");
    const blocks = [
      { type: "header", text: { type: "plain_text", text: "Review needed", emoji: false } },
      { type: "actions", elements: [] },
    ];
    const reply = await click("bob", "vrs_approve", blocks);
    assert.equal(reply.replace_original, true);
    const kept = z.array(z.object({ type: z.string() })).parse(reply.blocks);
    assert.deepEqual(
      kept.map(({ type }) => type),
      ["header", "section"],
    );
    assert.match(JSON.stringify(reply), /bob approved this run/);
    assert.equal(await runOf(runId), "approved");
    runId = await upload("purple");
    const settings = (requiredApprovals: number) =>
      vrs.request(TEAM, {
        method: "PATCH",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ requiredApprovals }),
      });
    assert.equal((await settings(2)).status, 200);
    const partly = await click("bob");
    assert.equal(partly.replace_original, false);
    assert.match(JSON.stringify(partly), /1 screenshot still needs approvals by others/);
    assert.equal((await settings(1)).status, 200);
    runId = await upload("green");
    assert.match(JSON.stringify(await click("bob", "vrs_reject")), /bob rejected this run/);
    assert.equal(await runOf(runId), "rejected");
  });

  it("forgets a person who left, and one who unlinks", async () => {
    runId = await upload("orange");
    const enforce = (enforced: boolean) =>
      vrs.em().execute(
        `insert into teams.sign_in_policy (team_id, enforced) values (?, ?)
         on conflict (team_id) do update set enforced = excluded.enforced`,
        [DEFAULT_TEAM_ID, enforced],
      );
    await enforce(true);
    assert.match(linkIn(await click("bob")), /chat\/link/, "bob linked without the team's provider");
    await enforce(false);
    await vrs
      .em()
      .execute(
        `delete from teams.membership where user_id = (select id from teams."user" where login = 'vera')`,
      );
    assert.match(JSON.stringify(await click("vera")), /aren't a member/);
    const headers = { Cookie: `vrs_session=${"bob".padEnd(43, "x")}`, Origin: vrs.baseUrl };
    const unlinked = await fetch(`${vrs.baseUrl}/v1/account/chat-links`, { method: "DELETE", headers });
    assert.equal(unlinked.status, 204);
    assert.match(linkIn(await click("bob")), /chat\/link/);
    assert.notEqual(await runOf(runId), "approved");
  });

  it("takes Discord's interactions, which are signed with Ed25519", async () => {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const secret = publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("hex");
    assert.equal((await put(`${TEAM}/chat-apps/discord`, { secret })).status, 200);
    const sendSigned = (text: string, time: string, signature: string) =>
      send(text, { "X-Signature-Timestamp": time, "X-Signature-Ed25519": signature }, "discord");
    let last = { text: "", time: "", signature: "" };
    const post = async (body: object, key = privateKey, ageSeconds = 0) => {
      const text = JSON.stringify(body);
      const time = String(Math.floor(Date.now() / 1_000) - ageSeconds);
      const signature = sign(null, Buffer.from(time + text), key).toString("hex");
      last = { text, time, signature };
      return await sendSigned(text, time, signature);
    };
    assert.deepEqual(await (await post({ type: 1 })).json(), { type: 1 });
    assert.equal((await sendSigned(last.text, last.time, last.signature.toUpperCase())).status, 401);
    assert.equal((await post({ type: 1, x: 1 }, generateKeyPairSync("ed25519").privateKey)).status, 401);
    assert.equal((await post({ type: 1, x: 2 }, privateKey, 301)).status, 401);
    const clicked = (n: number) => ({
      ...{ type: 3, guild_id: "1", member: { user: { id: "2", username: "bob" } }, n },
      ...{ application_id: "77", token: `t-${n}` },
      data: { custom_id: `vrs_approve:${runId}` },
    });
    const clickDiscord = async (n: number, key = privateKey) => {
      const count = discord.shown.length;
      // Discord waits for three seconds, so the result follows.
      assert.deepEqual(await (await post(clicked(n), key)).json(), { type: 6 });
      await until(() => discord.shown.length > count);
      const [shown = assert.fail(), ...more] = discord.shown.slice(count);
      assert.deepEqual([shown.token, more], [`t-${n}`, []]);
      return shown;
    };
    const first = await clickDiscord(1);
    assert.equal(first.to, "person");
    const link = /https?:\S+/.exec(first.content)?.[0] ?? "";
    assert.equal((await confirm(link, `vrs_session=${"bob".padEnd(43, "x")}`)).status, 200);
    const decided = await clickDiscord(2);
    assert.equal(decided.to, "message");
    assert.match(decided.content, /bob approved/);
    assert.equal(await runOf(runId), "approved");
    // The owner of another application could click as everyone who is linked.
    const other = generateKeyPairSync("ed25519");
    const otherKey = other.publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("hex");
    assert.equal((await put(`${TEAM}/chat-apps/discord`, { secret: otherKey })).status, 200);
    assert.match((await clickDiscord(3, other.privateKey)).content, /chat\/link/);
    const bent = { ...clicked(4), token: "../../users/@me" };
    assert.equal((await post(bent, other.privateKey)).status, 400);
    assert.deepEqual(discord.faults, []);
  });

  it("refuses keys that anyone can forge signatures for", async () => {
    for (const secret of ["0".repeat(64), `01${"0".repeat(62)}`, `ec${"f".repeat(60)}7f`]) {
      const answer = await put(`${TEAM}/chat-apps/discord`, { secret });
      assert.equal(answer.status, 422);
      assert.match(await answer.text(), /can be forged by anyone/);
    }
    assert.equal((await put(`${TEAM}/chat-apps/slack`, { secret: "a".repeat(32) })).status, 422);
  });
});
