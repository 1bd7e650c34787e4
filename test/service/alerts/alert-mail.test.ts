import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, describe, it } from "mocha";
import type { Browser } from "playwright";
import sharp from "sharp";
import { FileImageStore } from "../../../mixins/images/file-image-store.ts";
import { email } from "../../../services/alerts/channels/email.ts";
import { Mailer } from "../../../services/alerts/mail/mailer.ts";
import { Thumbnails } from "../../../services/alerts/mail/thumbnails.ts";
import { messageOf } from "../../../services/alerts/notifications/message.ts";
import { addressPolicy } from "../../../shared/capture/network/address-guard.ts";
import { loadConfig } from "../../../shared/config.ts";
import type { ImageStore } from "../../../shared/contracts/image-store.ts";
import { Links } from "../../../shared/links/links.ts";
import { reportOn } from "../../support/contexts/alerts-context.ts";
import { launchBrowser, visit } from "../../support/drivers/browser/report-browser.ts";
import { encodePng } from "../../support/fixtures/png.ts";
import { MailServer, type ReceivedMail } from "../../support/servers/mail-server.ts";

const TO = "somebody@example.com";
const FROM = { name: "vrs", address: "vrs@example.com" };
const LINKS = new Links("https://vrs.example", "key");

describe("Mail", () => {
  let mails: MailServer;
  let mailer: Mailer | null = null;
  afterEach(async () => {
    mailer?.close();
    await mails?.close();
  });

  const sendTo = async (url: string, more: Partial<Parameters<Mailer["send"]>[0]> = {}) => {
    mailer = new Mailer({ url, from: FROM });
    return mailer.send({
      id: "dlv_1",
      to: TO,
      subject: "Hello",
      html: "<p>Hello</p>",
      text: "Hello",
      images: [],
      headers: {},
      signal: new AbortController().signal,
      ...more,
    });
  };

  it("has one receiver, its own id, and headers of automatic mail", async () => {
    mails = await MailServer.start();
    assert.deepEqual(await sendTo(mails.url()), { kind: "sent", answer: "250 kept" });
    const { mail } = mails.only(TO);
    assert.equal(mail.messageId, "<dlv_1@example.com>");
    assert.equal(mail.headers.get("auto-submitted"), "auto-generated");
    assert.equal(mail.text?.trim(), "Hello");
  });

  it("has no injected headers, whatever a name or subject contains", async () => {
    mails = await MailServer.start();
    const evil = "Hi\r\nBcc: other@example.com\r\nX-Evil: 1\r\n\r\n<b>body";
    await sendTo(mails.url(), {
      subject: evil,
      headers: { "List-Unsubscribe": "<https://a.example/\r\nX-Evil: 2>" },
    });
    const [received] = mails.received;
    assert.deepEqual(received?.to, [TO]);
    assert.equal(received?.mail.subject, "Hi Bcc: other@example.com X-Evil: 1 <b>body");
    assert.equal(received?.mail.headers.has("x-evil"), false);
    for (const to of [
      "a@example.com, b@example.com",
      "a@example.com\r\nRCPT TO:<b@example.com>",
      "nobody",
      "",
    ])
      assert.deepEqual(await sendTo(mails.url(), { to }), {
        kind: "refused",
        answer: "This is not a valid email address.",
      });
    assert.deepEqual(mails.asked, [TO]);
  });

  it("signs in if the server requires it, and is retried if the password is wrong", async () => {
    const onAuth: NonNullable<Parameters<typeof MailServer.start>[0]>["onAuth"] = (
      auth,
      _session,
      callback,
    ) =>
      auth.username === "vrs" && auth.password === "p@ss:word/1"
        ? callback(null, { user: "vrs" })
        : callback(new Error("535 5.7.8 bad credentials for vrs"));
    mails = await MailServer.start({ onAuth, allowInsecureAuth: true, authOptional: false });
    const login = `vrs:${encodeURIComponent("p@ss:word/1")}@`;
    assert.equal((await sendTo(mails.url(login))).kind, "sent");
    const refused = await sendTo(mails.url("vrs:wrong@"));
    assert.equal(refused.kind, "retry");
    assert.match(refused.answer, /SMTP_URL/);
    assert.doesNotMatch(refused.answer, /credentials|535|wrong/);
  });

  it("is encrypted if the server supports it, and not sent if required encryption is missing", async () => {
    mails = await MailServer.start({ secure: true });
    // The server's certificate is not trusted unless the operator allows it.
    assert.equal((await sendTo(mails.url())).kind, "retry");
    assert.equal((await sendTo(mails.url("", "?tls.rejectUnauthorized=false"))).kind, "sent");
    await mails.close();
    mails = await MailServer.start();
    assert.equal((await sendTo(mails.url("", "?requireTLS=true"))).kind, "retry");
    assert.deepEqual(mails.received, []);
  });

  it("is retried if the server is unavailable, without revealing its address", async () => {
    mails = await MailServer.start();
    const url = mails.url();
    await mails.close();
    const outcome = await sendTo(url);
    assert.equal(outcome.kind, "retry");
    assert.doesNotMatch(outcome.answer, /127\.0\.0\.1/);
    mails = await MailServer.start();
  });

  it("needs a valid server and sender, or neither", () => {
    const [SMTP_URL, MAIL_FROM] = ["smtp://mail.example", "vrs@example.com"];
    assert.throws(() => loadConfig({ SMTP_URL }), /MAIL_FROM/);
    assert.throws(() => loadConfig({ MAIL_FROM }), /SMTP_URL/);
    assert.throws(() => loadConfig({ SMTP_URL: "https://mail.example", MAIL_FROM }), /SMTP_URL.*smtps/);
    for (const bad of ["vrs", "a@b.example, c@d.example", "x <y>", "a\r\nBcc: <b@c.example>"])
      assert.throws(() => loadConfig({ SMTP_URL, MAIL_FROM: bad }), /MAIL_FROM/, bad);
    assert.deepEqual(loadConfig({ SMTP_URL, MAIL_FROM: '"Visual checks" <vrs@example.com>' }).mail?.from, {
      name: "Visual checks",
      address: "vrs@example.com",
    });
    assert.equal(loadConfig({}).mail, null);
  });
});

describe("The mail of an alert", () => {
  let mails: MailServer;
  let mailer: Mailer;
  let folder: string;
  let images: ImageStore;
  let browser: Browser;
  let mail: ReceivedMail;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "vrs-mail-"));
    [mails, images, browser] = await Promise.all([
      MailServer.start(),
      FileImageStore.open(folder),
      launchBrowser(),
    ]);
    mailer = new Mailer({ url: mails.url(), from: FROM });
    mail = await sendAlert();
  });
  after(async () => {
    mailer?.close();
    await Promise.all([browser?.close(), mails?.close(), images?.close()]);
    await rm(folder, { recursive: true, force: true });
  });

  /** Sends an alert about a tall page whose block moved far down. */
  async function sendAlert(): Promise<ReceivedMail> {
    const [baseline, current, diff] = await Promise.all([
      images.put(pageWith(3_000, "blue")),
      images.put(pageWith(3_100, "red")),
      images.put(maskOf([3_000, 3_100])),
    ]);
    const found = ["/pricing", "/a?<b>=\"&'", "/missing", "/four"].map((route, index) => ({
      route,
      viewport: 1280,
      diffRatio: 0.2 / (index + 1),
      images:
        route === "/missing"
          ? { baseline: "0".repeat(64), current: null, diff: null }
          : { baseline, current, diff },
    }));
    const report = reportOn("mon_1", {}, { kind: "changed", regressions: found });
    const message = messageOf(report, { kind: "changed", about: "f", since: null, incidentId: null });
    const signal = new AbortController().signal;
    const outcome = await email.send(
      { id: "dlv_1", receiver: { address: TO, secret: null }, message, signal },
      {
        links: async () => LINKS,
        baseUrl: "https://vrs.example",
        thumbnails: new Thumbnails(images),
        mailer,
        policy: addressPolicy([]),
        onUnresolved: () => {},
        pagerdutyUrl: "",
      },
    );
    assert.equal(outcome.kind, "sent", outcome.answer);
    return mails.only(TO);
  }

  it("names the change, the page and the difference in its first line, also as text", () => {
    const { subject, text = "" } = mail.mail;
    assert.match(subject ?? "", /^Acme shop: \/pricing at 1280 px differs by 20%, and 3 more$/);
    assert.ok(text.startsWith(subject ?? "-"));
    for (const part of [
      "/a?<b>=\"&'",
      "https://vrs.example/v1/reports/",
      "/v1/alerts/snooze/",
      "/v1/images/",
    ])
      assert.ok(text.includes(part), part);
  });

  it("has three thumbnails of the change for each of the first pages", async () => {
    const { attachments } = mail.mail;
    assert.deepEqual(
      attachments.map(({ filename }) => filename),
      ["before-1.jpg", "after-1.jpg", "difference-1.jpg", "before-2.jpg", "after-2.jpg", "difference-2.jpg"],
    );
    for (const { content, related } of attachments) {
      assert.equal(related, true);
      const { width, height, format } = await sharp(content).metadata();
      assert.deepEqual([width, height, format], [352, 220, "jpeg"]);
      assert.ok(content.length < 60_000);
    }
    const share = async (index: number, is: (r: number, g: number, b: number) => boolean) => {
      const raw = await sharp(attachments[index]?.content).raw().toBuffer();
      const pixels = raw.length / 3;
      return (
        Array.from({ length: pixels }).filter((_, i) =>
          is(raw[3 * i] ?? 0, raw[3 * i + 1] ?? 0, raw[3 * i + 2] ?? 0),
        ).length / pixels
      );
    };
    assert.ok((await share(0, (r, g, b) => b > 180 && r < 90 && g < 90)) > 0.02, "the block as it was");
    assert.ok((await share(1, (r, g, b) => r > 180 && g < 90 && b < 90)) > 0.02, "the block as it is");
    assert.ok((await share(2, (r, g, b) => r > 180 && g < 120 && b > 180)) > 0.02, "the mask");
  });

  it("has an unsubscribe link, and one-click headers for mail programs", () => {
    assert.match(mail.raw, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m);
    const list = mail.mail.headers.get("list");
    const url = /unsubscribe\/([^/]+)\/([^/]+)\/([^/]+)\/([\w-]+)/.exec(JSON.stringify(list));
    assert.ok(url);
    const [, team = "", monitor = "", name = "", signature = ""] = url;
    assert.ok(LINKS.opensUnsubscribe(team, monitor, name, signature));
    assert.equal(Buffer.from(name, "base64url").toString(), TO);
    assert.ok(!LINKS.opensUnsubscribe(team, "mon_2", name, signature));
  });

  for (const colorScheme of ["light", "dark"] as const)
    for (const width of [320, 800])
      it(`is readable at ${width} px, ${colorScheme}, with images and without`, async () => {
        const axe = await readFile(
          new URL("../../../node_modules/axe-core/axe.min.js", import.meta.url),
          "utf8",
        );
        const { html } = mail.mail;
        assert.ok(html);
        // mailparser embedded the images. The second variant has only their names.
        for (const shown of [html, html.replaceAll(/src="data:[^"]*"/g, 'src=""')]) {
          await using visited = await visit(browser, { viewport: { width, height: 800 }, colorScheme });
          const { page } = visited;
          await page.setContent(shown);
          const overflow = await page.evaluate("document.documentElement.scrollWidth - window.innerWidth");
          assert.ok(Number(overflow) <= 0, `${overflow} px too wide`);
          await page.evaluate(axe);
          const faults = await page.evaluate(
            "axe.run().then(({ violations }) => violations.filter(v => !['region', 'landmark-one-main'].includes(v.id)).map(v => v.id + ': ' + v.nodes[0].html))",
          );
          assert.deepEqual(faults, []);
          const folder = process.env.VRS_TEST_PICTURES;
          if (folder)
            await page.screenshot({
              path: join(folder, `mail-${width}-${colorScheme}-${shown === html ? "all" : "bare"}.png`),
              fullPage: true,
            });
        }
      });
});

describe("The thumbnails of a change", () => {
  const hashes = { baseline: "before", current: "after", diff: "mask" };
  const plain = (fill: number) =>
    encodePng({ width: 300, height: 300, data: new Uint8Array(300 * 300 * 4).fill(fill) }, { alpha: true });
  const files = new Map([
    ["before", plain(255)],
    ["after", plain(200)],
    ["mask", plain(255)],
  ]);
  const never = new AbortController().signal;

  /** Returns an image store that counts requests. */
  const store = () => {
    const asked: string[] = [];
    const get = async (hash: string) => {
      asked.push(hash);
      return files.get(hash) ?? assert.fail(`no ${hash}`);
    };
    return { asked, get };
  };

  it("are created once for all receivers", async () => {
    const images = store();
    const thumbnails = new Thumbnails(images);
    const of = () => thumbnails.of({ images: hashes }, never);
    const [first, ...others] = await Promise.all([of(), of(), of()]);
    for (const images of [...others, await of()]) assert.deepEqual(images, first);
    assert.equal(first?.length, 3);
    assert.deepEqual(images.asked.toSorted(), ["after", "before", "mask"]);
  });

  it("are created again if an image failed to load", async () => {
    const images = store();
    const thumbnails = new Thumbnails(images);
    const of = () => thumbnails.of({ images: { ...hashes, baseline: "away" } }, never);
    assert.deepEqual([(await of()).length, (await of()).length], [2, 2]);
    assert.equal(images.asked.length, 6);
  });

  it("are created only while a receiver waits", async () => {
    const images = store();
    const thumbnails = new Thumbnails(images);
    const [one, other] = [new AbortController(), new AbortController()];
    const waiting = [one, other].map(({ signal }) => thumbnails.of({ images: hashes }, signal));
    one.abort();
    assert.equal((await Promise.all(waiting))[1]?.length, 3);
    const left = { ...hashes, current: "before" };
    const both = [one, other].map(({ signal }) => thumbnails.of({ images: left }, signal));
    other.abort();
    assert.deepEqual(
      (await Promise.allSettled(both)).map(({ status }) => status),
      ["rejected", "rejected"],
    );
    assert.equal(images.asked.length, 3, "nothing was read for who is gone");
  });
});

const [WIDTH, HEIGHT] = [1280, 3_600];
const BLOCK = { width: 300, height: 100, left: 700 };

type Color = [red: number, green: number, blue: number, alpha: number];

function pageWith(top: number, color: "red" | "blue"): Buffer {
  return draw([255, 255, 255, 255], [top], color === "red" ? [230, 20, 20, 255] : [20, 20, 230, 255]);
}

function maskOf(tops: number[]): Buffer {
  return draw([0, 0, 0, 0], tops, [255, 0, 255, 255], { alpha: true });
}

/** Draws blocks at these heights. */
function draw(background: Color, tops: number[], color: Color, options = { alpha: false }): Buffer {
  const data = Buffer.alloc(WIDTH * HEIGHT * 4, Buffer.from(background));
  const row = Buffer.alloc(BLOCK.width * 4, Buffer.from(color));
  for (const top of tops)
    for (let y = top; y < top + BLOCK.height; y++) data.set(row, (y * WIDTH + BLOCK.left) * 4);
  return encodePng({ width: WIDTH, height: HEIGHT, data }, options);
}
