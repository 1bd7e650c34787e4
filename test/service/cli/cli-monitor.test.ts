import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, it } from "mocha";
import { CaptureEngine } from "../../../cli/check/capture-engine.ts";
import { checkUrl } from "../../../cli/monitor/check-url.ts";
import type { HistoryEntry, Outcome } from "../../../cli/monitor/history-entry.ts";
import { listHistory, pruneHistory } from "../../../cli/monitor/list-history.ts";
import type { MonitorVisit } from "../../../cli/monitor/monitor-plan.ts";
import { sendAlert } from "../../../cli/monitor/send-alert.ts";
import { createHistory, imagePath, UrlHistory } from "../../../cli/monitor/url-history.ts";
import { CaptureError } from "../../../shared/capture/capture-types.ts";
import { BROWSER_CACHE } from "../../support/drivers/runner.ts";
import { Site } from "../../support/fixtures/site.ts";
import { makeTarget, NO_LOGINS } from "../../support/fixtures/sites/monitor-target.ts";
import { HttpReceiver } from "../../support/servers/http/http-receiver.ts";

const URL_A = "https://a.example/";
const URL_B = "https://a.example/Pricing?x=1";
const png = (text: string) => Buffer.from(`png of ${text}`);
const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

const entry = (url: string, minute: number, more: Partial<HistoryEntry> = {}): HistoryEntry => ({
  version: 1,
  url,
  at: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
  durationMs: 1,
  outcome: "ok",
  threshold: 0.05,
  shots: [],
  ...more,
});

const found = (
  outcome: Outcome,
  images: HistoryEntry["shots"][number]["images"] = { baseline: null, current: null, diff: null },
) => ({
  outcome,
  shots: [
    {
      stateName: null,
      environment: null,
      viewport: 375,
      state: "changed" as const,
      diffRatio: 0.2,
      diffPixels: 9,
      hash: null,
      images,
      stable: true,
      looks: 2,
      browser: null,
      error: null,
      notes: [],
    },
  ],
});

const never = new AbortController().signal;

/** A browser that sees what it is told to, one look after the other: nothing where it is `lost`, else a page that failed. */
class ScriptedLooker extends CaptureEngine {
  readonly #looks: string[];

  constructor(looks: string[]) {
    super({ chromiumPath: null, firefoxPath: null, cacheDir: "", pages: 1 });
    this.#looks = looks;
  }

  override async capture(): Promise<CaptureError[]> {
    const isLost = this.#looks.shift() === "lost";
    return [new CaptureError(isLost ? "browser_lost" : "timeout", "It was not seen.")];
  }
}

describe("What vrs monitor takes for down", () => {
  const cases: [looks: string[], outcome: Outcome][] = [
    [["failed", "failed"], "down"],
    [["lost", "lost"], "failed"],
    [["lost", "failed", "failed"], "down"],
    [["failed", "lost", "failed"], "down"],
    [["lost", "failed", "lost"], "failed"],
    [["failed", "lost", "lost"], "failed"],
  ];
  for (const [looks, outcome] of cases)
    it(`is ${outcome === "down" ? "" : "not "}a page that was ${looks.join(", then ")}`, async () => {
      const historyDir = await mkdtemp(join(tmpdir(), "vrs-looks-"));
      const left = [...looks];
      const engine = new ScriptedLooker(left);
      try {
        const { outcome: found } = await checkUrl(makeTarget(URL_A, 1280), {
          ...{ engine, logins: NO_LOGINS, historyDir, at: new Date(), threshold: 0.05 },
          ...{ confirms: true, accepts: false, keepsAll: true, signal: new AbortController().signal },
        });
        assert.deepEqual([found, left], [outcome, []]);
      } finally {
        await engine.close();
        await rm(historyDir, { recursive: true });
      }
    });
});

describe("What vrs monitor confirms", () => {
  /** How the style sheet is answered, one request after the other; then the last one stays. */
  let styles: { color: string; cacheControl: string }[] = [];
  let site: Site;
  let engine: CaptureEngine;
  let historyDir: string;

  before(async () => {
    site = await Site.start({
      "/": "<!doctype html><link rel=stylesheet href=/box.css><div></div>",
      "/box.css": (_request, response) => {
        const [style] = styles.length > 1 ? styles.splice(0, 1) : styles;
        response
          .writeHead(200, { "Content-Type": "text/css", "Cache-Control": style?.cacheControl ?? "" })
          .end(`div { width: 200px; height: 200px; background: ${style?.color} }`);
      },
    });
    engine = new CaptureEngine({
      chromiumPath: null,
      firefoxPath: null,
      cacheDir: BROWSER_CACHE,
      pages: 1,
    });
    historyDir = await mkdtemp(join(tmpdir(), "vrs-confirms-"));
  });
  after(async () => {
    await engine?.close();
    await site?.stop();
    await rm(historyDir, { recursive: true, force: true });
  });

  const watch = (keepsAll = true, more: Partial<MonitorVisit> = {}) =>
    checkUrl(makeTarget(`${site.url}/`, 400, { colorThreshold: 0.1, ...more }), {
      ...{ engine, logins: NO_LOGINS, historyDir, at: new Date(), threshold: 0, signal: never },
      ...{ confirms: true, accepts: false, keepsAll },
    });
  const teal = { color: "teal", cacheControl: "no-store" };
  const stored = () => UrlHistory.of(historyDir, `${site.url}/`).names();

  it("is no change that only the browser's cache shows on", async () => {
    styles = [teal];
    assert.equal((await watch()).outcome, "established");
    styles = [{ color: "orange", cacheControl: "max-age=600" }, teal];
    const { outcome, shots } = await watch();
    assert.deepEqual([outcome, shots[0]?.looks], ["ok", 2]);
  });

  it("is a change that a later look in a fresh context finds too", async () => {
    styles = [{ color: "orange", cacheControl: "no-store" }];
    const begun = performance.now();
    const { outcome, shots } = await watch();
    assert.deepEqual([outcome, shots[0]?.looks], ["changed", 2]);
    assert.ok(performance.now() - begun > 2_000, "it was confirmed at the same moment");
  });

  it("is no change in an ignored element, which the baseline keeps", async () => {
    const ignored = { states: ["ignored"], ignoreSelectors: [{ selector: "div" }] };
    const seen = { ...ignored, options: { steps: [{ action: "screenshot" as const, name: "ignored" }] } };
    styles = [teal];
    assert.equal((await watch(true, seen)).outcome, "established");
    const known = Object.values(await UrlHistory.of(historyDir, `${site.url}/`).baselines());
    assert.deepEqual(known.at(-1)?.selectorRegions?.[0]?.regions[0]?.width, 200);
    styles = [{ ...teal, color: "orange" }];
    const { outcome, shots } = await watch(true, seen);
    assert.deepEqual([outcome, shots[0]?.diffPixels], ["ok", 0]);
  });

  it("is stored each time, or only when it is another finding", async () => {
    const before = (await stored()).length;
    await watch();
    assert.equal((await stored()).length, before + 1);
    await watch(false);
    assert.equal((await stored()).length, before + 1);
    styles = [teal];
    await watch(false);
    assert.equal((await stored()).length, before + 2);
  });
});

describe("The history of vrs monitor", () => {
  let dir: string;

  beforeEach(async () => {
    dir = join(await mkdtemp(join(tmpdir(), "vrs-history-")), "history");
    await createHistory(dir);
  });

  afterEach(async () => {
    await rm(join(dir, ".."), { recursive: true });
  });

  it("is read after a crash: what was half written is left out, and cleared away by the next run", async () => {
    const history = UrlHistory.of(dir, URL_A);
    await history.open();
    await history.add(entry(URL_A, 1));
    const draft = join(history.folder, ".vrs-draft-1-00ff-left.json");
    const fresh = join(history.folder, ".vrs-draft-2-00ff-now.json");
    for (const path of [draft, fresh]) await writeFile(path, '{ "version": 1, "url": "https://a.ex');
    const old = new Date(Date.now() - 3_600_000);
    await utimes(draft, old, old);
    await writeFile(join(history.folder, "2026-01-01T00-02-00.000Z-00000000.json"), '{ "version": 1, "ur');
    const list = await listHistory(dir, null, 20);
    assert.deepEqual([list.entries.map(({ at }) => at), list.unreadable], [[entry(URL_A, 1).at], 1]);
    await history.open();
    const drafts = (await readdir(history.folder)).filter(name => name.startsWith("."));
    assert.deepEqual(drafts, [".vrs-draft-2-00ff-now.json"], "one that is being written stays");
  });

  it("lists the newest of all URLs, or of one, and reads no more than that", async () => {
    for (const url of [URL_A, URL_B]) {
      const history = UrlHistory.of(dir, url);
      await history.open();
      for (const minute of [3, 1, 2]) await history.add(entry(url, minute));
    }
    const all = await listHistory(dir, null, 3);
    assert.deepEqual(
      all.entries.map(({ at }) => new Date(at).getUTCMinutes()),
      [3, 3, 2],
    );
    const one = await listHistory(dir, [URL_B], 20);
    assert.deepEqual(
      one.entries.map(({ url, at }) => [url, new Date(at).getUTCMinutes()]),
      [3, 2, 1].map(at => [URL_B, at]),
    );
    assert.deepEqual(await listHistory(join(dir, "none"), null, 20), { entries: [], unreadable: 0 });
  });

  it("keeps the baselines of all widths where several are established at once", async () => {
    const history = UrlHistory.of(dir, URL_A);
    await history.open();
    const widths = [375, 768, 1280];
    const baseline = { hash: hashOf(png("baseline")), browser: "chromium 1", at: entry(URL_A, 1).at };
    await Promise.all(widths.map(width => history.establish(URL_A, { [width]: baseline }, never)));
    assert.deepEqual(Object.keys(await history.baselines()).map(Number), widths);
  });

  it("refuses baselines that are damaged rather than take what it sees for new ones", async () => {
    const history = UrlHistory.of(dir, URL_A);
    await history.open();
    assert.deepEqual(await history.baselines(), {});
    await history.putImage(png("baseline"));
    await history.establish(
      URL_A,
      {
        375: { hash: hashOf(png("baseline")), browser: "chromium 1", at: entry(URL_A, 1).at },
      },
      never,
    );
    assert.deepEqual(await history.image(hashOf(png("baseline"))), png("baseline"));
    await writeFile(join(history.folder, imagePath(hashOf(png("baseline")))), "half a p");
    await assert.rejects(history.image(hashOf(png("baseline"))), /damaged/);
    await writeFile(join(history.folder, "baseline.json"), '{ "version": 1, "wid');
    await assert.rejects(history.baselines(), /baseline\.json is damaged\./);
  });

  it("prunes entries and the images that nothing names, and keeps the baseline's", async () => {
    const history = UrlHistory.of(dir, URL_A);
    await history.open();
    const put = (text: string) => history.putImage(png(text));
    const baseline = await put("baseline");
    await history.establish(
      URL_A,
      {
        375: { hash: hashOf(png("baseline")), browser: "chromium 1", at: entry(URL_A, 1).at },
      },
      never,
    );
    for (const minute of [1, 2, 3]) {
      const images = { baseline, current: await put(`current ${minute}`), diff: await put(`diff ${minute}`) };
      await history.add(entry(URL_A, minute, found("changed", images)));
    }
    await writeFile(join(history.folder, "notes.txt"), "mine");
    const folder = join(history.folder, "images");
    const old = new Date(Date.now() - 3_600_000);
    for (const name of await readdir(folder)) await utimes(join(folder, name), old, old);
    assert.equal(await pruneHistory(dir, [URL_A], (_at, newerOnes) => newerOnes < 1), 2);
    assert.equal((await listHistory(dir, null, 20)).entries[0]?.at, entry(URL_A, 3).at);
    const kept = ["baseline", "current 3", "diff 3"].map(text => imagePath(hashOf(png(text))));
    assert.deepEqual((await readdir(folder)).map(name => `images/${name}`).sort(), kept.sort());
    assert.equal(await readFile(join(history.folder, "notes.txt"), "utf8"), "mine");
  });

  it("prunes the entries of a URL whose baselines are damaged, and no image of it", async () => {
    const history = UrlHistory.of(dir, URL_A);
    await history.open();
    const image = await history.putImage(png("maybe the baseline"));
    const old = new Date(Date.now() - 3_600_000);
    await utimes(join(history.folder, image), old, old);
    await writeFile(join(history.folder, "baseline.json"), "half a j");
    await history.add(entry(URL_A, 1));
    assert.equal(await pruneHistory(dir, null, () => false), 1);
    assert.deepEqual(await history.image(hashOf(png("maybe the baseline"))), png("maybe the baseline"));
  });

  it("keeps images of the newest entries only, so that a page that moves all day does not fill the disk", async () => {
    const history = UrlHistory.of(dir, URL_A);
    await history.open();
    const old = new Date(Date.now() - 3_600_000);
    for (let minute = 0; minute < 23; minute++) {
      const current = await history.putImage(png(`current ${minute}`));
      await utimes(join(history.folder, current), old, old);
      await history.add(entry(URL_A, minute, found("changed", { baseline: null, current, diff: null })));
    }
    assert.equal((await readdir(join(history.folder, "images"))).length, 20);
    assert.equal((await history.names()).length, 23);
  });

  it("has a folder of its own for each URL, whatever it is called", async () => {
    const urls = [
      URL_A,
      URL_B,
      "https://a.example/pricing?x=1",
      `https://a.example/${"y".repeat(1900)}`,
      "https://ä.example/ö/%2e%2e",
      "http://[::1]:3000/",
    ];
    const folders = urls.map(url => UrlHistory.of(dir, url).folder);
    assert.equal(new Set(folders.map(folder => folder.toLowerCase())).size, urls.length);
    for (const folder of folders) {
      assert.match(folder.slice(dir.length + 1), /^[a-z0-9.-]{1,80}$/);
      await mkdir(folder);
    }
  });
});

describe("The alerts of vrs monitor", () => {
  let dir: string;
  let receiver: HttpReceiver;
  const stopping = new AbortController().signal;
  const send = (entries: HistoryEntry[], webhook = receiver.url()) =>
    sendAlert(entries, { webhook, historyDir: dir, threshold: 0.05, stopping });
  const bad = [entry(URL_A, 1, found("changed"))];
  const good = [
    entry(URL_A, 2, { shots: found("ok").shots.map(shot => ({ ...shot, state: "ok" as const })) }),
  ];
  const types = () => receiver.received.map(({ body }) => JSON.parse(body).type);
  const idOf = (index: number) => receiver.received[index]?.headers["vrs-delivery"];

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "vrs-alerts-"));
    receiver = await HttpReceiver.start();
  });

  afterEach(async () => {
    await receiver.close();
    await rm(dir, { recursive: true });
  });

  it("are sent once for what stays wrong, also across restarts, and again to another receiver", async () => {
    assert.deepEqual(await send(bad), { decision: "alerted", sent: true, error: null });
    assert.deepEqual(await send(bad), { decision: "repeated", sent: false, error: null });
    assert.deepEqual(await send(bad, receiver.url("/other")), {
      decision: "alerted",
      sent: true,
      error: null,
    });
    assert.deepEqual(await send(good), { decision: "recovered", sent: true, error: null });
    assert.deepEqual(await send(good), { decision: "none", sent: false, error: null });
    assert.deepEqual(types(), ["monitor.changed", "monitor.changed", "monitor.recovered"]);
    assert.deepEqual(receiver.faults, []);
  });

  it("are sent once by several that watch the same, also after one that was killed in its turn", async () => {
    receiver.answers = [{ waitMs: 200 }];
    const both = await Promise.all([send(bad), send(bad), send(bad)]);
    assert.deepEqual(both.map(({ decision }) => decision).sort(), ["alerted", "repeated", "repeated"]);
    const alerts = join(dir, "alerts");
    const [memory = "", ...others] = await readdir(alerts);
    assert.deepEqual(others, []);
    const killed = spawn(process.execPath, ["-e", ""]);
    await once(killed, "exit");
    await writeFile(join(alerts, `${memory}.turn`), `${killed.pid} ${hostname()} x`);
    const after = await Promise.all([send(good), send(good)]);
    assert.deepEqual(after.map(({ decision }) => decision).sort(), ["none", "recovered"]);
    await writeFile(join(alerts, `${memory}.turn`), `${process.pid} ${hostname()} x`);
    const stopping = AbortSignal.timeout(50);
    const ended = await sendAlert(bad, {
      webhook: receiver.url(),
      historyDir: dir,
      threshold: 0.05,
      stopping,
    });
    assert.deepEqual([ended.decision, ended.sent], ["alerted", false]);
    assert.match(ended.error ?? "", /Another vrs monitor/);
    assert.deepEqual(types(), ["monitor.changed", "monitor.recovered"]);
  });

  it("are tried again at once, and by the next look where the receiver stays away: as the same message", async () => {
    receiver.answers = [{ status: 503 }, {}];
    assert.equal((await send(bad)).sent, true);
    assert.equal(idOf(0), idOf(1));
    receiver.answers = [{ status: 404, body: "no such hook" }, {}];
    assert.deepEqual(await send(good), { decision: "recovered", sent: false, error: "404 no such hook" });
    assert.deepEqual(await send(good), { decision: "recovered", sent: true, error: null });
    assert.equal(idOf(2), idOf(3));
    assert.notEqual(idOf(1), idOf(2));
  });

  it("follow no redirect, and wait no longer than they are asked to at most", async () => {
    receiver.answers = [{ status: 302, headers: { location: receiver.url("/elsewhere") } }];
    assert.match((await send(bad)).error ?? "", /redirects are not followed/);
    receiver.answers = [{ status: 429, headers: { "retry-after": "3600" } }];
    assert.equal((await send(bad)).sent, false);
    assert.equal(receiver.received.length, 2);
    const webhook = receiver.url();
    await receiver.close();
    const ended = new AbortController();
    ended.abort();
    const away = await sendAlert(bad, {
      webhook,
      historyDir: dir,
      threshold: 0.05,
      stopping: ended.signal,
    });
    assert.match(away.error ?? "", /ECONNREFUSED/);
    receiver = await HttpReceiver.start();
  });

  it("fall back once to a minimal body when the receiver refuses the whole one", async () => {
    receiver.answers = [{ status: 400, body: "invalid_blocks" }, {}];
    assert.deepEqual(await send(bad), { decision: "alerted", sent: true, error: null });
    const [whole, brief] = receiver.received.map(({ body }) => JSON.parse(body));
    assert.ok("regressions" in whole);
    assert.deepEqual(Object.keys(brief), ["id", "type", "at", "title", "text"]);
    assert.deepEqual([brief.id, brief.type, brief.title], [whole.id, "monitor.changed", whole.title]);
    assert.equal(receiver.received.length, 2);
    receiver.answers = [{ status: 422 }, { status: 422, body: "still no" }];
    assert.deepEqual(await send(good), { decision: "recovered", sent: false, error: "422 still no" });
    assert.equal(receiver.received.length, 4, "it is tried once, and not again");
  });

  it("keep the receiver's address to themselves", async () => {
    await send(bad, receiver.url("/a-secret-path"));
    const files = await readdir(dir, { recursive: true, withFileTypes: true });
    for (const file of files.filter(each => each.isFile()))
      assert.doesNotMatch(
        `${file.name} ${await readFile(join(file.parentPath, file.name), "utf8")}`,
        /a-secret-path/,
      );
  });
});
