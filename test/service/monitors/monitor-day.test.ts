import assert from "node:assert/strict";
import { MonitoredCorpus } from "../../../bench/monitor-day/monitored-corpus.ts";
import { readChecks, readScreenshots } from "../../../bench/monitor-day/read-checks.ts";
import { hourlyChecks, suspicionsOf } from "../../../bench/monitor-day/suspicions.ts";
import { MAIN_DATABASES, type TestDatabase } from "../../support/databases/databases.ts";
import { Site } from "../../support/fixtures/site.ts";
import { OPEN_AND_DARK } from "../../support/fixtures/sites/job-pages.ts";
import { HttpReceiver } from "../../support/servers/http/http-receiver.ts";

const HOUR_MS = 3_600_000;
/** An attempt loads a page that differs from its baseline until two loads agree. */
const LOADS_OF_A_LOOK = 2;

for (const kind of MAIN_DATABASES) {
  describe(`A monitor over hours, with a browser and a receiver of alerts, on ${kind.name}`, () => {
    kind.needed();
    // It takes a minute. check-outcomes.test.ts tests the services' part of it on both databases.
    const itOnOne = (title: string, test: () => Promise<void>) => {
      if (kind === MAIN_DATABASES[0]) it(title, test);
    };
    let database: TestDatabase;
    let site: Site;
    let receiver: HttpReceiver;
    let corpus: MonitoredCorpus;
    /** Number of loads that still get another page. */
    let strange = 0;
    let hour = 0;

    before(async () => {
      database = await kind.make();
      site = await Site.start({
        "/shop/home": (_request, response) => {
          const color = strange > 0 ? "#d62828" : "#2a9d8f";
          strange -= 1;
          response
            .writeHead(200, { "Content-Type": "text/html" })
            .end(`<!doctype html><p id="now"></p><div style="width:99px;height:99px;background:${color}"></div>
              <script>now.textContent = new Date().getUTCFullYear()</script>`);
        },
      });
      receiver = await HttpReceiver.start();
      corpus = await MonitoredCorpus.start(database.env);
      const url = `${site.url}/shop`;
      const monitor = { site: "shop", name: "shop", url, routes: ["/home"], viewports: [400] };
      await corpus.addMonitor(monitor, receiver.url());
    });
    after(async () => {
      await corpus?.stop();
      await receiver?.close();
      await site?.stop();
      await database?.remove();
    });

    /** Lets an hour pass. @returns the outcome of its check */
    const pass = async (loads: number, year = 2026) => {
      strange = loads;
      hour += 1;
      await corpus.runHour(new Date(Date.UTC(year, 0, 1) + hour * HOUR_MS));
      await corpus.deliverAll();
      return (await readChecks(corpus)).at(-1)?.outcome;
    };
    const alerts = () => receiver.received.map(({ body }) => JSON.parse(body).type);
    const suspected = async () => {
      const hours = hourlyChecks(await readChecks(corpus));
      return suspicionsOf(hours, await readScreenshots(corpus)).map(one => [
        one.page,
        one.hour,
        one.isConfirmed,
      ]);
    };

    it("sends no alert for a page that changed in one attempt only", async () => {
      assert.equal(await pass(0), "established");
      assert.equal(await pass(0), "ok");
      assert.equal(await pass(LOADS_OF_A_LOOK), "ok");
      assert.equal(await pass(0), "ok");
      assert.deepEqual(alerts(), []);
      assert.deepEqual(await suspected(), [["shop/home at 400 px", 2, false]]);
    });

    it("sends one alert for a page that stays changed, and one recovery", async () => {
      assert.equal(await pass(1_000), "changed");
      assert.equal(await pass(1_000), "changed");
      assert.deepEqual(alerts(), ["monitor.changed"]);
      assert.equal(await pass(0), "ok");
      assert.deepEqual(alerts(), ["monitor.changed", "monitor.recovered"]);
    });

    it("gives pages the current time", async () => {
      assert.equal(await pass(0, 2027), "changed");
      assert.equal(await pass(0), "ok");
    });

    it("confirms each width separately, without the browser cache of another", async () => {
      // The page keeps the width of its first layout in the cache.
      let narrow = "#2a9d8f";
      site.pages.set("/menu/home", (_request, response) => {
        response
          .writeHead(200, { "Content-Type": "text/html" })
          .end(`<!doctype html><div id="box"></div><script>
          fetch("/menu/theme", { headers: { "x-width": innerWidth } }).then(answer => answer.text()).then(color => {
            box.style.cssText = "width:99px;height:99px;background:" + color;
          });
        </script>`);
      });
      site.pages.set("/menu/theme", ({ headers }, response) => {
        const color = headers["x-width"] === "400" ? narrow : "#2a9d8f";
        response.writeHead(200, { "Content-Type": "text/plain", "Cache-Control": "max-age=600" }).end(color);
      });
      const plan = { site: "menu", name: "menu", url: `${site.url}/menu`, routes: ["/home"] };
      const id = await corpus.addMonitor({ ...plan, viewports: [400, 800] }, receiver.url());
      const driftOf = async () => {
        const [check] = await corpus.query<{ drift: { viewport: number; state: string }[] }>(
          "select drift from monitors.check where monitor_id = ? order by id desc limit 1",
          [id],
        );
        return check?.drift.map(({ viewport, state }) => [viewport, state]);
      };
      await pass(0);
      narrow = "#d62828";
      await pass(0);
      assert.deepEqual(await driftOf(), [
        [400, "changed"],
        [800, "ok"],
      ]);
    });

    itOnOne("names the state and the environment in one alert until another one changes", async () => {
      const colors = { open: "#2a9d8f", plain: "#2a9d8f" };
      site.pages.set("/modes/home", (_request, response) => {
        response.writeHead(200, { "Content-Type": "text/html" }).end(`<!doctype html><style>
            #menu, #box { width: 99px; height: 99px; background: #2a9d8f }
            @media (prefers-color-scheme: light) { #box { background: ${colors.plain} } }
            @media (prefers-color-scheme: dark) { #box.open { background: ${colors.open} } }
          </style><div id="menu" onclick="box.className = 'open'"></div><div id="box"></div>`);
      });
      const plan = { site: "modes", name: "modes", url: `${site.url}/modes`, routes: ["/home"] };
      const modes = await HttpReceiver.start();
      try {
        await corpus.addMonitor({ ...plan, viewports: [400], options: OPEN_AND_DARK }, modes.url());
        const titles = () => modes.received.map(({ body }) => JSON.parse(body).title);
        await pass(0);
        assert.deepEqual(titles(), []);
        colors.open = "#d62828";
        await pass(0);
        await pass(0);
        assert.equal(titles().length, 1, "the same pages are reported once");
        assert.match(titles()[0], /\/home › open \(dark\) at 400 px/);
        const { regressions } = JSON.parse(modes.received[0]?.body ?? "{}");
        assert.deepEqual(
          regressions.map(({ route, state, environment }: Record<string, unknown>) => [
            route,
            state,
            environment,
          ]),
          [["/home", "open", "dark"]],
        );
        colors.plain = "#d62828";
        await pass(0);
        assert.equal(titles().length, 2, "other pages are another alert");
        Object.assign(colors, { open: "#2a9d8f", plain: "#2a9d8f" });
        await pass(0);
        assert.equal(JSON.parse(modes.received.at(-1)?.body ?? "{}").type, "monitor.recovered");
        assert.equal(titles().length, 3);
      } finally {
        await modes.close();
      }
    });
  });
}
