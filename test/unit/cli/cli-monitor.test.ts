import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { texts } from "../../../cli/commands/option-values.ts";
import type { Configuration } from "../../../cli/config/load-config.ts";
import { headline } from "../../../cli/monitor/describe-alert.ts";
import { entryLines, historyLines, summaryLine } from "../../../cli/monitor/format-run.ts";
import { type HistoryEntry, historyEntry, type ShotState } from "../../../cli/monitor/history-entry.ts";
import { type MonitorFlags, planMonitor } from "../../../cli/monitor/monitor-plan.ts";
import { type Alerted, planAlert } from "../../../cli/monitor/plan-alert.ts";
import { pruneRule } from "../../../cli/monitor/prune-rule.ts";
import { nextSlot, runRounds } from "../../../cli/monitor/rounds.ts";
import { baselineKeyOf } from "../../../cli/monitor/url-history.ts";
import { bodyOf, briefBodyOf, formOf } from "../../../cli/monitor/webhook-form.ts";
import { type MonitorOptions, monitor, monitorOptionsOf } from "../../../cli/plugins/monitor-plugin.ts";
import type { Plugin } from "../../../cli/plugins/plugin.ts";
import { CommandError } from "../../../cli/terminal.ts";
import { projectConfigSchema } from "../../../shared/project-config/project-config.ts";
import { makeTarget, makeVisit } from "../../support/fixtures/sites/monitor-target.ts";
import {
  discordMessage,
  googleChatMessage,
  readParagraph,
  teamsMessage,
} from "../../support/formats/chat-cards.ts";
import { slackMessage } from "../../support/formats/slack-message.ts";

const NOW = new Date("2026-01-01T12:00:00.000Z");
const A = "https://a.example/";
const B = "https://b.example/pricing?plan=pro";

const loaded = (options: MonitorOptions, more: object = {}): Configuration => ({
  ...withPlugins(monitor(options)),
  config: { ...projectConfigSchema.parse(more), plugins: [monitor(options)] },
});
const withPlugins = (...plugins: Plugin[]): Configuration => ({
  config: { ...projectConfigSchema.parse({}), plugins },
  file: "/here/service.config.ts",
  root: "/project",
});
const plan = (flags: MonitorFlags, config: Configuration | null = null) =>
  planMonitor(flags, config, "/here");

describe("what vrs monitor watches", () => {
  it("is refused with the reason where it cannot be meant", () => {
    const wrong: [MonitorFlags, Configuration | null, RegExp][] = [
      [{}, null, /no URLs to monitor.*create a service\.config\.ts with plugins/s],
      [{}, withPlugins(), /add the monitor plugin to .*config\.ts: plugins/],
      [{ url: [] }, null, /--url has no URLs/],
      [{ url: ["example.com"] }, null, /"example\.com" must be an absolute http or https URL/],
      [{ url: ["file:///etc/passwd"] }, null, /must be an absolute/],
      [{ url: [A, "https://me:secret@b.example/"] }, null, /without a username/],
      [
        { url: Array.from({ length: 101 }, (_, i) => `${A}${i}`) },
        null,
        /101 URLs\. You can monitor at most 100/,
      ],
      [{ url: [A], threshold: "101" }, null, /percentage from 0 to 100.*You gave "101"/],
      [{ url: [A], threshold: "-1" }, null, /percentage/],
      [{ url: [A], threshold: "five" }, null, /percentage/],
      [{ url: [A], threshold: "" }, null, /percentage/],
      [{ url: [A], webhook: "not-an-address" }, null, /--webhook must be an absolute/],
      [{ url: [A], viewports: ["100"] }, null, /"100" is not a width/],
      [{ url: [A], historyDir: " " }, null, /--history-dir is empty/],
      [{}, loaded({ urls: [] }), /no URLs to monitor\. Give some: vrs monitor -u/],
      [{}, loaded({ alertThreshold: 0.1 }), /add them to the monitor plugin of .*config\.ts: urls: \[/],
      [{}, withPlugins({ name: "monitor" }), /add them to the monitor plugin of .*config\.ts: urls/],
      [
        { url: [A] },
        withPlugins(Object.assign({ name: "monitor" }, { urls: [B] })),
        /config\.ts: plugins\[0\]\.urls \(monitor\) belongs in options\. Write monitor\(\{ urls: … \}\), or/,
      ],
      [
        { url: [A] },
        withPlugins(Object.assign({ name: "monitor" }, { options: A })),
        /plugins\[0\] \(monitor\) must have an object of options/,
      ],
      [
        { url: [A] },
        withPlugins(monitor({ urls: [A] }), { name: "other" }, monitor({ urls: [B] })),
        /plugins\[0\] and plugins\[2\] are both named monitor\. Put all URLs into one/,
      ],
      [{}, loaded({ urls: [A], historyDir: "" }), /historyDir \(monitor\) is empty/],
      [{ url: [A + "x".repeat(2000)] }, null, /^--url: "https:.{1,140}" has more than 2,000 characters\.$/],
      [{}, loaded({ urls: [A, "/pricing"] }), /plugins\[0\]\.urls\[1\] \(monitor\) must be an absolute/],
      [
        {},
        loaded({ urls: [A], alertThreshold: 5 }),
        /must be a fraction from 0 to 1, not a percentage; for 5%, write 0\.05/,
      ],
      [{}, loaded({ urls: [A], alertThreshold: -1 }), /must be at least 0/],
      [
        {},
        loaded({ urls: [A], alerts: { webhook: "" } }),
        /alerts\.webhook \(monitor\) is empty; check the environment variable/,
      ],
      [{}, loaded(Object.assign({ urls: [A] }, { threshold: 1 })), /\(monitor\) has no option threshold/],
    ];
    for (const [flags, config, reason] of wrong) {
      assert.throws(
        () => plan(flags, config),
        error => error instanceof CommandError && reason.test(error.message),
        JSON.stringify(flags),
      );
    }
  });

  it("never says a webhook's address, which is a secret", () => {
    assert.throws(
      () => plan({ url: [A], webhook: "https://user:hunter2@hooks.example/x" }),
      error => error instanceof CommandError && !error.message.includes("hunter2"),
    );
  });

  it("has the spec's defaults, and takes per cent on the command line", () => {
    assert.deepEqual(plan({ url: [A, A, "https://b.example"] }), {
      targets: [A, "https://b.example/"].map(url => makeTarget(url, 1280)),
      threshold: 0.05,
      webhook: null,
      historyDir: "/here/.service/monitor-history",
    });
    const thresholds = ["0", "100", "2.5", "5%", ".5"].map(
      threshold => plan({ url: [A], threshold }).threshold,
    );
    assert.deepEqual(thresholds, [0, 1, 0.025, 0.05, 0.005]);
  });

  it("is a list with commas, or an option that is given several times", () => {
    assert.deepEqual(texts(` ${A} , ,${B}`), [A, B]);
    assert.deepEqual(texts(B, texts(A)), [A, B]);
  });

  it("needs no URL of the plugin where the command line names some", () => {
    const webhook = "https://hooks.example/x";
    const { targets, ...rest } = plan({ url: [A] }, loaded({ alerts: { webhook } }));
    assert.deepEqual([targets.map(({ url }) => url), rest.webhook], [[A], webhook]);
    assert.deepEqual(monitorOptionsOf([monitor()], "x")?.urls, []);
  });

  it("comes from the plugin, which the command line goes before", () => {
    const clock = "2026-01-31T09:00:00Z";
    const region = { x: 0, y: 0, width: 9, height: 9 };
    const ignoreRegions = [{ ...region, viewport: 375 }];
    const common = { options: { masks: [".ad"], clock }, colorThreshold: 0.05 };
    const config = loaded(
      {
        urls: [A, B],
        alertThreshold: 0.2,
        alerts: { webhook: "https://hooks.example/x" },
        historyDir: "kept",
      },
      {
        viewports: [375],
        masks: [".ad"],
        headers: { "x-token": "1" },
        routes: ["/", "/pricing"],
        baseUrl: "https://b.example",
        colorThreshold: 0.05,
        ignoreRegions,
        clock,
        perRoute: {
          "/pricing": {
            ...{ viewports: [1440], colorThreshold: 0, hide: [".chat"], masks: undefined },
            ...{ ignoreRegions: [], random: "real" },
          },
        },
      },
    );
    assert.deepEqual(plan({}, config), {
      targets: [
        makeTarget(A, 375, { ...common, ignoreRegions: [region] }),
        // Headers go to the application's own origin only.
        makeTarget(B, 1440, {
          options: { masks: [".ad"], hide: [".chat"], clock, random: "real", headers: { "x-token": "1" } },
          colorThreshold: 0,
          site: "https://b.example",
        }),
      ],
      threshold: 0.2,
      webhook: "https://hooks.example/x",
      historyDir: "/project/kept",
    });
    const flags = {
      url: [A],
      threshold: "1",
      webhook: "https://other.example/y",
      historyDir: "own",
      viewports: ["800", "800"],
    };
    const { targets, ...rest } = plan(flags, config);
    assert.deepEqual(targets, [makeTarget(A, 800, common)]);
    assert.deepEqual(rest, { threshold: 0.01, webhook: "https://other.example/y", historyDir: "/here/own" });
  });
});

describe("an entry of the history", () => {
  it("of an earlier version has no state and no environment", () => {
    const now = entry(A, "ok");
    const earlier = {
      ...now,
      shots: now.shots.map(({ stateName: _name, environment: _environment, ...shot }) => shot),
    };
    assert.deepEqual(historyEntry.parse(earlier), now);
  });

  it("has baselines by width alone where there is no state and no environment", () => {
    assert.equal(baselineKeyOf({ state: null, environment: null, viewport: 375 }), "375");
    assert.equal(baselineKeyOf({ state: null, environment: "dark", viewport: 375 }), '[375,null,"dark"]');
  });
});

describe("the visits of a monitor", () => {
  const ofConfig = (config: object, url: string, flags: MonitorFlags = {}) => {
    const [target] = plan(
      { url: [url], ...flags },
      loaded({}, { baseUrl: "https://b.example", ...config }),
    ).targets;
    return target?.visits ?? [];
  };
  const config = {
    routes: ["/pricing"],
    viewports: [400],
    environments: { dark: { colorScheme: "dark" }, phone: { device: "iPhone 15" } },
    sessions: { editor: { url: "/login" } },
    session: "editor",
    ignoreRegions: [{ x: 0, y: 0, width: 10, height: 10, environment: "phone" }],
    perRoute: { "/pricing": { steps: [{ action: "screenshot", name: "menu" }] } },
  };

  it("have the environments, states and session of the application's own pages", () => {
    assert.deepEqual(
      ofConfig(config, "https://b.example/pricing").map(
        ({ environment, viewport, height, states, options, ignoreRegions }) => [
          ...[environment, viewport, height, states, options.session],
          ignoreRegions.map(({ width }) => width),
        ],
      ),
      [
        [null, 400, 800, ["menu"], "editor", []],
        ["dark", 400, 800, ["menu"], "editor", []],
        ["phone", 393, 659, ["menu"], "editor", [30]],
      ],
    );
    const wide = ofConfig(config, "https://b.example/pricing", { viewports: ["800"] });
    assert.deepEqual(
      wide.map(({ viewport }) => viewport),
      [800, 800, 393],
    );
  });

  it("have none of them for pages of other origins", () => {
    const visits = ofConfig(config, "https://other.example/pricing");
    assert.deepEqual(visits, [makeVisit("https://other.example/pricing", 400)]);
  });
});

/** What a look found of a URL: `ok`, `failed`, `down`, or the widths that drifted. */
function entry(url: string, found: "ok" | "failed" | "down" | number[], diffRatio = 0.2): HistoryEntry {
  const shot = (viewport: number, state: ShotState) => ({
    stateName: null,
    environment: null,
    viewport,
    state,
    diffRatio: state === "changed" ? diffRatio : 0,
    diffPixels: 0,
    hash: null,
    images: { baseline: null, current: null, diff: null },
    stable: true,
    looks: 2,
    browser: null,
    error: state === "failed" ? "It answered 500." : null,
    notes: [],
  });
  const shots = [375, 1280].map(viewport =>
    typeof found === "string"
      ? shot(viewport, found === "ok" ? "ok" : "failed")
      : shot(viewport, found.includes(viewport) ? "changed" : "ok"),
  );
  const outcome = typeof found === "string" ? found : "changed";
  return { version: 1, url, at: NOW.toISOString(), durationMs: 1, outcome, threshold: 0.05, shots };
}

const NOTHING: Alerted = { pairs: [], about: null };

describe("the alert of a look", () => {
  /** What is decided of looks one after the other, each told. */
  const story = (...looks: HistoryEntry[][]) => {
    let alerted = NOTHING;
    return looks.map((entries, minute) => {
      const plan = planAlert(entries, alerted, new Date(NOW.getTime() + minute * 60_000));
      alerted = plan.next;
      return plan.decision;
    });
  };

  it("is sent for another set of pages and widths, and for the same one not again", () => {
    assert.deepEqual(
      story(
        [entry(A, "ok")],
        [entry(A, [375])],
        [entry(A, [375], 0.9)],
        [entry(A, [375, 1280])],
        [entry(A, [1280])],
      ),
      ["none", "alerted", "repeated", "alerted", "alerted"],
    );
  });

  it("is sent again after a recovery, which is told once", () => {
    assert.deepEqual(story([entry(A, [375])], [entry(A, "ok")], [entry(A, "ok")], [entry(A, [375])]), [
      "alerted",
      "recovered",
      "none",
      "alerted",
    ]);
  });

  it("tells another page that is down from the one that was", () => {
    assert.deepEqual(
      story(
        [entry(A, "down"), entry(B, "ok")],
        [entry(A, "down"), entry(B, "down")],
        [entry(A, "ok"), entry(B, "down")],
      ),
      ["alerted", "alerted", "alerted"],
    );
    assert.deepEqual(story([entry(A, [375])], [entry(A, "down")], [entry(A, [375])]), [
      "alerted",
      "alerted",
      "alerted",
    ]);
  });

  it("leaves alone what this look did not look at, or could not see", () => {
    const looks = [
      [entry(A, [375]), entry(B, [375])],
      [entry(A, "ok")],
      [entry(B, [375])],
      [entry(B, "failed")],
      [entry(B, "ok")],
    ];
    assert.deepEqual(story(...looks), ["alerted", "none", "repeated", "none", "recovered"]);
    const again = [[entry(A, [375]), entry(B, [375])], [entry(A, "ok")], [entry(A, [375])]];
    assert.deepEqual(story(...again), ["alerted", "none", "alerted"]);
  });

  it("leaves alone a width that this look did not look at, or could not see", () => {
    const at375 = (look: HistoryEntry) => ({
      ...look,
      shots: look.shots.filter(({ viewport }) => viewport === 375),
    });
    const wide = [entry(A, [1280])];
    const narrow = [at375(entry(A, "ok"))];
    assert.deepEqual(story(wide, narrow, wide, [entry(A, "ok")]), [
      "alerted",
      "none",
      "repeated",
      "recovered",
    ]);
    const failed = entry(A, "failed").shots.filter(({ viewport }) => viewport === 1280);
    const half = { ...entry(A, [375]), shots: [...at375(entry(A, [375])).shots, ...failed] };
    const both = [entry(A, [375, 1280])];
    assert.deepEqual(story(both, [half], both), ["alerted", "repeated", "repeated"]);
  });

  it("forgets what no look was at for two days, and then says that the others are well", () => {
    const at = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);
    const only375 = (look: HistoryEntry) => ({ ...look, shots: look.shots.slice(0, 1) });
    const first = planAlert([entry(A, [375, 1280])], NOTHING, NOW);
    const failed = planAlert([entry(A, "failed")], first.next, at(40));
    const narrow = planAlert([only375(entry(A, "ok"))], failed.next, at(80));
    assert.deepEqual([narrow.decision, narrow.next.pairs.map(({ viewport }) => viewport)], ["none", [1280]]);
    const wrong = planAlert([only375(entry(A, [375]))], narrow.next, at(81));
    assert.equal(wrong.alert?.about, first.alert?.about);
    const well = planAlert([only375(entry(A, "ok"))], wrong.next, at(89));
    assert.deepEqual([well.decision, well.next], ["recovered", NOTHING]);
    const silent = planAlert([entry(B, "ok")], first.next, at(49));
    assert.deepEqual([silent.decision, silent.alert, silent.next], ["none", null, NOTHING]);
  });

  it("takes a page that is down for down at every width, and one that is seen at any for up", () => {
    const narrow = entry(A, "ok");
    const seen = { ...narrow, shots: narrow.shots.slice(0, 1) };
    assert.deepEqual(story([entry(A, [375, 1280])], [entry(A, "down")], [seen]), [
      "alerted",
      "alerted",
      "recovered",
    ]);
  });

  it("stays down for a page that could not be looked at, and names it with what is new", () => {
    const down = planAlert([entry(A, "down")], NOTHING, NOW);
    const more = planAlert([entry(A, "failed"), entry(B, [375])], down.next, NOW);
    assert.deepEqual([more.decision, more.alert?.kind], ["alerted", "down"]);
    assert.deepEqual(more.alert?.down, [{ url: A, reason: "The page didn't respond at its last check." }]);
    assert.deepEqual(
      more.alert?.regressions.map(({ url }) => url),
      [B],
    );
  });

  it("of a recovery is about what was alerted, though pages of it were well before", () => {
    const first = planAlert([entry(A, [375]), entry(B, [375])], NOTHING, NOW);
    const partly = planAlert([entry(A, "ok")], first.next, NOW);
    const over = planAlert([entry(B, "ok")], partly.next, NOW);
    assert.equal(over.alert?.about, first.alert?.about);
    assert.deepEqual([over.alert?.recovered, over.next], [[B], NOTHING]);
  });

  it("says since when it was wrong", () => {
    const first = planAlert([entry(A, [375])], NOTHING, NOW);
    const more = planAlert([entry(A, [375, 1280])], first.next, new Date(NOW.getTime() + 60_000));
    const over = planAlert([entry(A, "ok")], more.next, new Date(NOW.getTime() + 120_000));
    assert.equal(over.alert?.since, NOW.toISOString());
    assert.deepEqual(over.alert?.recovered, [A]);
  });
});

describe("the form of an alert", () => {
  it("is known by the receiver's address", () => {
    const forms: Record<string, string> = {
      "https://hooks.slack.com/services/T0/B0/xyz": "slack",
      "https://hooks.slack.com/triggers/E0/1/x": "slack",
      "http://localhost:9000/services/T0/B0/xyz": "slack",
      "https://discord.com/api/webhooks/123/abc": "discord",
      "https://canary.discord.com/api/v10/webhooks/123/abc": "discord",
      "https://discordapp.com/api/webhooks/123/abc?wait=true": "discord",
      "https://discord.com/api/webhooks/123/abc/slack": "slack",
      "http://localhost:9000/api/webhooks/123/abc": "discord",
      "https://prod-1.westus.logic.azure.com:443/workflows/0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f/triggers/manual/paths/invoke?sig=x":
        "teams",
      "https://default1.2.environment.api.powerplatform.com/powerautomate/automations/direct/workflows/1/triggers/manual/paths/invoke":
        "teams",
      "https://acme.webhook.office.com/webhookb2/1@2/IncomingWebhook/3/4": "teams",
      "https://chat.googleapis.com/v1/spaces/AAA/messages?key=k": "google-chat",
      "https://prod-1.westus.logic.azure.com/other": "generic",
      "https://chat.googleapis.com.evil.example/x": "generic",
      "https://example.com/hook": "generic",
      "https://hooks.slack.com.evil.example/x": "generic",
      "https://notdiscord.com/x/webhooks/1": "generic",
    };
    assert.deepEqual(
      Object.fromEntries(Object.keys(forms).map(address => [address, formOf(address)])),
      forms,
    );
  });

  it("names the state and the environment, which have alerts of their own", () => {
    const withVariant = (stateName: string | null, environment: string | null) => {
      const found = entry(A, [375]);
      return { ...found, shots: found.shots.map(shot => ({ ...shot, stateName, environment })) };
    };
    const dark = planAlert([withVariant("menu open", "dark")], NOTHING, NOW);
    assert.ok(dark.alert);
    assert.match(
      headline(dark.alert),
      /^https:\/\/a\.example\/ › menu open \(dark\) at 375 px changed by 20%/,
    );
    const plain = planAlert([withVariant(null, null)], dark.next, NOW);
    assert.equal(plain.decision, "alerted", "the open alert is of another screenshot");
    assert.deepEqual(
      plain.next.pairs.map(({ state, environment }) => [state, environment]),
      [
        ["menu open", "dark"],
        [null, null],
      ],
    );
  });

  it("is within the limits of all chat tools, whatever pages are called", () => {
    const hostile = `https://a.example/${encodeURIComponent("<!channel> *@everyone* `x` | ")}?q=<b>&x=${"y".repeat(1900)}`;
    const many = Array.from({ length: 60 }, (_, i) =>
      entry(`${hostile}${i}`, i % 3 === 0 ? "down" : [375, 1280]),
    );
    for (const entries of [[entry(A, [375])], [entry(hostile, [375])], many]) {
      const { alert } = planAlert(entries, NOTHING, NOW);
      assert.ok(alert);
      const outgoing = { id: "alr_1", alert, threshold: 0.05 };
      slackMessage.parse(bodyOf("slack", outgoing));
      const { content, embeds } = discordMessage.parse(bodyOf("discord", outgoing));
      const teams = bodyOf("teams", outgoing);
      teamsMessage.parse(teams);
      assert.ok(Buffer.byteLength(JSON.stringify(teams)) <= 28 * 1024);
      const google = bodyOf("google-chat", outgoing);
      for (const widget of googleChatMessage.parse(google).cardsV2[0].card.sections[0].widgets)
        if ("textParagraph" in widget) readParagraph(widget.textParagraph.text);
      assert.ok(Buffer.byteLength(JSON.stringify(google)) <= 32_000);
      assert.ok(content.length + embeds[0].title.length + embeds[0].description.length <= 6000);
      assert.doesNotMatch(JSON.stringify(bodyOf("slack", outgoing)), /<!channel>/);
    }
  });

  it("is the headline alone, in the form of the tool, where that refuses the whole", () => {
    const { alert } = planAlert([entry(A, "down")], NOTHING, NOW);
    assert.ok(alert);
    const outgoing = { id: "alr_1", alert, threshold: 0.05 };
    const teams = teamsMessage.parse(briefBodyOf("teams", outgoing)).attachments[0].content;
    assert.deepEqual(
      teams.body.map(({ inlines }) => inlines.map(({ text }) => text)),
      [["https://a.example/ is down"]],
    );
    assert.deepEqual(briefBodyOf("google-chat", outgoing), { text: "https://a.example/ is down" });
    assert.deepEqual(briefBodyOf("slack", outgoing), { text: "https://a.example/ is down" });
    assert.partialDeepStrictEqual(briefBodyOf("discord", outgoing), {
      content: "https://a.example/ is down",
    });
  });

  it("is data for everybody else", () => {
    const { alert } = planAlert([entry(A, "down"), entry(B, [375, 1280], 0.25)], NOTHING, NOW);
    assert.ok(alert);
    const body = bodyOf("generic", { id: "alr_1", alert, threshold: 0.05 });
    const ofB = { url: B, route: "/pricing?plan=pro", state: null, environment: null };
    assert.partialDeepStrictEqual(body, {
      id: "alr_1",
      type: "monitor.down",
      at: NOW.toISOString(),
      title: "https://a.example/ is down",
      regressionCount: 2,
      regressions: [
        { ...ofB, viewport: 375, diffRatio: 0.25 },
        { ...ofB, viewport: 1280, diffRatio: 0.25 },
      ],
      down: [{ url: A, reason: "It answered 500." }],
      recovered: [],
      since: null,
    });
  });
});

describe("the rounds of a daemon", () => {
  it("keep their turns, and leave out those that a long round missed", () => {
    const turns = [
      [0, 10, 1],
      [0, 999, 1],
      [0, 1_000, 2],
      [0, 3_500, 4],
      [3, 2_999, 4],
      [3, 3_001, 4],
    ] as const;
    assert.deepEqual(
      turns.map(([turn, elapsed]) => nextSlot(turn, elapsed, 1_000)),
      turns.map(([, , next]) => next),
    );
  });

  it("never overlap, and finish the one that is under way when asked to end", async () => {
    const stopping = new AbortController();
    const told: string[] = [];
    await runRounds({ everyMs: 1 }, stopping.signal, async () => {
      told.push("begins");
      await new Promise(resolve => setTimeout(resolve, 5));
      if (told.length >= 5) stopping.abort();
      await new Promise(resolve => setTimeout(resolve, 5));
      told.push("ends");
    });
    assert.deepEqual(told, ["begins", "ends", "begins", "ends", "begins", "ends"]);
  });
});

describe("what pruning keeps", () => {
  it("is refused where it is neither an age nor a number", () => {
    for (const text of ["", "all", "-1", "3y", "1.5d", "12345678"])
      assert.throws(() => pruneRule(text), /--prune must say what to keep/, text);
  });

  it("is what is no older, or so many", () => {
    const ago = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000);
    const [days, hours, weeks, many] = ["2d", "12h", "1w", "3"].map(text => pruneRule(text)(NOW));
    assert.deepEqual([days?.(ago(48), 99), days?.(ago(49), 0)], [true, false]);
    assert.deepEqual([hours?.(ago(12), 0), hours?.(ago(13), 0)], [true, false]);
    assert.deepEqual([weeks?.(ago(168), 0), weeks?.(ago(169), 0)], [true, false]);
    assert.deepEqual([many?.(ago(9999), 2), many?.(ago(0), 3)], [true, false]);
  });
});

describe("what a look at live pages prints", () => {
  const plain = (_: unknown, text: string) => text;
  const looked = (url: string, diffRatio: number): HistoryEntry => {
    const made = entry(url, "ok");
    return { ...made, threshold: 0.05, shots: made.shots.map(shot => ({ ...shot, diffRatio })) };
  };
  const entries = [looked("https://a.example/", 0.0036), looked("https://b.example/", 0)];

  it("tells minor changes from no change at all", () => {
    const said = entries.map(each => entryLines(each, plain, { historyDir: "/h", cwd: "/" })[0]);
    assert.match(
      said[0] ?? "",
      /^≈ https:\/\/a\.example\/.* · minor change of 0\.36%, within the threshold of 5%$/,
    );
    assert.match(said[1] ?? "", /^✓ https:\/\/b\.example\/.* · no change$/);
    const about = { version: 1 as const, startedAt: NOW.toISOString(), threshold: 0.05, historyDir: "/h" };
    const run = { ...about, entries, outcome: "ok" as const, durationMs: 2_000, alert: null };
    assert.match(summaryLine(run, plain), /^✓ 1 with minor changes, 1 unchanged /);
    const [first, second] = historyLines({ entries, unreadable: 0 }, plain);
    assert.match(first ?? "", / ≈ minor +0\.36% /);
    assert.match(second ?? "", / ✓ ok +0% /);
  });
});
