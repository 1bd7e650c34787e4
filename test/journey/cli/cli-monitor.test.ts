import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, it } from "mocha";
import { historyEntry } from "../../../cli/monitor/history-entry.ts";
import { until } from "../../support/drivers/until.ts";
import { VrsCommand, vrs } from "../../support/drivers/vrs-command.ts";
import { Site } from "../../support/fixtures/site.ts";
import { slackMessage } from "../../support/formats/slack-message.ts";
import { HttpReceiver } from "../../support/servers/http/http-receiver.ts";
import { requireListed } from "../../support/tools/require-output.ts";

const page = (height: number) =>
  `<body style="margin:0;background:#fff"><h1>Shop</h1><div style="height:${height}px;background:#c00"></div></body>`;
const FINE = page(10);
const DRIFTED = page(400);

describe("vrs monitor", () => {
  let site: Site;
  let cwd: string;
  const running: VrsCommand[] = [];

  before(async () => {
    site = await Site.start();
  });

  after(() => site.stop());

  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), "vrs-monitor-"));
    site.pages.clear();
    for (const path of ["/", "/pricing"]) site.pages.set(path, FINE);
  });

  afterEach(async () => {
    for (const command of running.splice(0)) {
      command.signal("SIGKILL");
      await command.ended();
    }
    await rm(cwd, { recursive: true, maxRetries: 5 });
  });

  const monitor = (...args: string[]) => vrs(["monitor", ...args], { cwd });
  const start = (...args: string[]) => {
    const command = new VrsCommand(["monitor", ...args], { cwd });
    running.push(command);
    return command;
  };
  /** Paths of all files of the history. */
  const files = async () => {
    const found = await readdir(join(cwd, ".service/monitor-history"), { recursive: true }).catch(() => []);
    return found.map(path => `.service/monitor-history/${path}`);
  };
  const entries = async () => {
    const names = (await files()).filter(path => /\/\d{4}-[^/]*\.json$/.test(path));
    // What is there is whole, at whatever moment it is read.
    return Promise.all(
      names.map(async name => historyEntry.parse(JSON.parse(await readFile(join(cwd, name), "utf8")))),
    );
  };

  it("says what is wrong before it looks at anything", async () => {
    const refused = await monitor("-u", `${site.url}/`, "-t", "5000");
    assert.deepEqual([refused.code, refused.stdout], [2, ""], refused.stderr);
    assert.match(refused.stderr, /percentage from 0 to 100/);
    const mixed = await monitor("--watch", "--interval", "5");
    assert.equal(mixed.code, 2);
    assert.match(mixed.stderr, /--watch and --interval can't be combined/);
    await writeFile(
      join(cwd, "service.config.ts"),
      'import { monitor } from "vrs";\nexport default { plugins: [monitor({ urls: ["https://a.example/"], alertThreshold: 5 })] };\n',
    );
    const { code, stdout } = await monitor("--json");
    assert.equal(code, 2);
    assert.deepEqual(JSON.parse(stdout).error, {
      code: "config_invalid",
      message:
        "service.config.ts: plugins[0].alertThreshold (monitor) must be a fraction from 0 to 1, not a percentage; for 5%, write 0.05",
    });
    assert.deepEqual(site.requested, []);
  });

  it("establishes, finds drift over the threshold, tells it once, and lists what it found", async () => {
    const receiver = await HttpReceiver.start(({ body }) => void slackMessage.parse(JSON.parse(body)));
    try {
      const webhook = receiver.url("/services/T0/B0/xyz");
      await writeFile(
        join(cwd, "service.config.ts"),
        `import { defineConfig, monitor } from "vrs";
        export default defineConfig({
          viewports: [375, 800],
          plugins: [monitor({ urls: ["${site.url}/", "${site.url}/pricing"], alertThreshold: 0.1, alerts: { webhook: "${webhook}" } })],
        });`,
      );
      const first = await monitor();
      assert.equal(first.code, 0, first.stderr);
      assert.match(first.stdout, /\+ http:\/\/localhost:\d+\/pricing · 375, 800 px · new baseline created/);
      site.pages.set("/pricing", DRIFTED);
      const drifted = await monitor("--json");
      assert.equal(drifted.code, 1, drifted.stderr);
      const run = requireListed("monitor", drifted.stdout);
      assert.equal(run.outcome, "changed");
      assert.deepEqual(run.alert, { decision: "alerted", sent: true, error: null });
      const [fine, bad] = run.entries.map((entry: unknown) => historyEntry.parse(entry));
      assert.deepEqual([fine.outcome, bad.outcome], ["ok", "changed"]);
      for (const shot of bad.shots) {
        assert.ok(shot.diffRatio > 0.1 && shot.looks === 2, JSON.stringify(shot));
        const folder = (await files()).find(path => path.endsWith(shot.images.diff));
        assert.ok(folder, "the difference is kept");
      }
      const again = await monitor();
      assert.equal(again.code, 1);
      assert.match(again.stdout, /± .*pricing · changed by [\d.]+%, more than the threshold of 10%/);
      assert.match(again.stdout, /No alert: these changes were already reported/);
      // The command line goes before the plugin: this drift is less than that.
      assert.equal((await monitor("-t", "90")).code, 0);
      assert.deepEqual(receiver.faults, []);
      const heads = receiver.received.map(({ body }) => JSON.parse(body).text);
      assert.equal(heads.length, 2);
      assert.match(heads[0], /pricing at (375|800) px changed by .* and 1 more/);
      assert.match(heads[1], /pricing recovered/);
      assert.equal((await monitor("--accept")).code, 0);
      const history = await monitor("--history", "--limit", "3");
      assert.deepEqual([history.code, history.stdout.trim().split("\n").length], [0, 3]);
      assert.match((await monitor("--prune", "2")).stdout, /Deleted 6 entries/);
      assert.deepEqual((await entries()).map(({ outcome }) => outcome).sort(), [
        "established",
        "established",
        "ok",
        "ok",
      ]);
      assert.equal((await monitor("--quiet")).stdout, "", "the accepted look is the baseline, and stays it");
    } finally {
      await receiver.close();
    }
  });

  it("looks again at a page that is down before it says so", async () => {
    const url = `${site.url}/`;
    assert.equal((await monitor("-u", url)).code, 0);
    const answers = [500, 200];
    site.pages.set("/", (_req, res) => {
      res.writeHead(answers.shift() ?? 200, { "Content-Type": "text/html" }).end(FINE);
    });
    assert.equal((await monitor("-u", url)).code, 0, "it was down for a moment only");
    site.pages.set("/", (_req, res) => void res.writeHead(503).end());
    const down = await monitor("-u", url);
    assert.equal(down.code, 2, down.stderr);
    assert.match(down.stdout, /✗ http.* · down\n.*1280 px.* 503.*\(2 attempts\)/);
    const [baseline] = (await files()).filter(path => path.endsWith(".png"));
    await writeFile(join(cwd, baseline ?? ""), "half a p");
    site.pages.set("/", DRIFTED);
    const unread = await monitor("-u", url);
    assert.equal(unread.code, 2, "neither down nor a new baseline");
    assert.match(
      unread.stdout,
      /Failed to read the baseline: The image is damaged\. To create a new one, add --accept/,
    );
  });

  it("tells of the others where one URL's baselines are damaged", async () => {
    const receiver = await HttpReceiver.start();
    try {
      const urls = `${site.url}/,${site.url}/pricing`;
      assert.equal((await monitor("-u", urls)).code, 0);
      const damaged = (await files()).find(path => /\/localhost-\d+-[0-9a-f]{8}\/baseline\.json$/.test(path));
      await writeFile(join(cwd, damaged ?? ""), "garbage");
      site.pages.set("/pricing", DRIFTED);
      const { code, stdout, stderr } = await monitor("-u", urls, "--webhook", receiver.url());
      assert.deepEqual([code, stderr], [1, ""]);
      assert.match(
        stdout,
        /! http.*\/ · couldn't be checked\n.*baseline\.json is damaged\. To create a new one, add --accept\./,
      );
      assert.match(stdout, /± http.*\/pricing · changed by/);
      const [alert] = receiver.received.map(({ body }) => JSON.parse(body));
      assert.deepEqual([alert?.type, alert?.regressions[0]?.url], ["monitor.changed", `${site.url}/pricing`]);
      assert.equal(await readFile(join(cwd, damaged ?? ""), "utf8"), "garbage", "and is not replaced unseen");
    } finally {
      await receiver.close();
    }
  });

  it("as a daemon keeps on while its receiver is away, tells each thing once, and ends after its round", async () => {
    const receiver = await HttpReceiver.start();
    try {
      const url = `${site.url}/`;
      receiver.answers = [{ status: 404, body: "not now" }, {}];
      const daemon = start("-u", url, "--webhook", receiver.url(), "--interval", "0.02", "--json");
      const runs = () =>
        daemon.stdout
          .split("\n")
          .filter(line => line.endsWith("}"))
          .map(line => JSON.parse(line));
      await until(() => runs().length >= 1);
      site.pages.set("/", DRIFTED);
      await until(() => runs().some(({ alert }) => alert.decision === "repeated"));
      assert.match(runs().find(({ alert }) => alert.error !== null)?.alert.error, /404 not now/);
      site.pages.set("/", FINE);
      await until(() => receiver.received.length >= 3);
      // A page that holds the round up: asked to end, it is finished.
      const asked = Promise.withResolvers<void>();
      const answer = Promise.withResolvers<void>();
      site.pages.set("/", async (_req, res) => {
        asked.resolve();
        await answer.promise;
        res.writeHead(200, { "Content-Type": "text/html" }).end(FINE);
      });
      await asked.promise;
      const before = runs().length;
      daemon.signal("SIGTERM");
      answer.resolve();
      assert.equal(await daemon.ended(), 0, daemon.output);
      assert.equal(runs().length, before + 1, "the round under way is finished, and no other begun");
      assert.equal((await entries()).length, runs().length);
      const types = receiver.received.map(({ body }) => JSON.parse(body).type);
      assert.deepEqual(types, ["monitor.changed", "monitor.changed", "monitor.recovered"]);
      const [first, second] = receiver.received.map(({ headers }) => headers["vrs-delivery"]);
      assert.equal(first, second, "what is sent again is the same message");
    } finally {
      await receiver.close();
    }
  });

  it("as a daemon ends at once at the second signal, and leaves nothing half-written when it is killed", async () => {
    const url = `${site.url}/`;
    let height = 1;
    // Each look drifts, so that each writes as much as there is.
    site.pages.set("/", (_req, res) => {
      height += 7;
      res.writeHead(200, { "Content-Type": "text/html" }).end(page(height));
    });
    await monitor("-u", url);
    for (let round = 0; round < 2; round++) {
      const daemon = start("-u", url, "--interval", "0.001", "-t", "0");
      const before = (await entries()).length;
      await until(async () => (await entries()).length > before + round);
      daemon.signal("SIGKILL");
      assert.equal(await daemon.ended(), "SIGKILL");
      await entries();
    }
    const { code, stdout } = await monitor("--history", "--json", "--limit", "500");
    assert.deepEqual([code, JSON.parse(stdout).unreadable], [0, 0]);
    const asked = Promise.withResolvers<void>();
    site.pages.set("/", () => asked.resolve());
    const hanging = start("-u", url, "--interval", "5");
    await asked.promise;
    hanging.signal("SIGINT");
    hanging.signal("SIGTERM");
    assert.ok([130, 143].includes(Number(await hanging.ended())), hanging.output);
  });

  it("watches while you work: a look in which nothing moved is not told again", async () => {
    const watch = start("-u", `${site.url}/`, "--watch", "-t", "0");
    await until(() => watch.stdout.includes("1 with new baselines"));
    await until(() => watch.stdout.includes("1 unchanged"));
    site.pages.set("/", DRIFTED);
    await until(() => watch.stdout.includes("1 changed"));
    const asked = site.requested.length;
    await until(() => site.requested.length >= asked + 2);
    assert.equal(watch.stdout.match(/1 changed/g)?.length, 1, watch.stdout);
    watch.signal("SIGINT");
    assert.equal(await watch.ended(), 0, watch.output);
    const outcomes = (await entries()).map(({ outcome }) => outcome);
    assert.deepEqual([...new Set(outcomes)].sort(), ["changed", "established", "ok"]);
    assert.ok(outcomes.length > 3, "each look is stored");
  });

  it("stores only changes of what it finds where it is asked to", async () => {
    const watch = start("-u", `${site.url}/`, "--watch", "--history-changes-only");
    await until(() => watch.stdout.includes("1 unchanged"));
    const asked = site.requested.length;
    await until(() => site.requested.length >= asked + 3);
    watch.signal("SIGINT");
    assert.equal(await watch.ended(), 0, watch.output);
    assert.deepEqual((await entries()).map(({ outcome }) => outcome).sort(), ["established", "ok"]);
  });
});
