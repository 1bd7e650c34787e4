import assert from "node:assert/strict";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:https";
import { basename, join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import type { CheckResult } from "../../../../cli/check/check-result.ts";
import { runVrs } from "../../../../cli/program.ts";
import { pageName } from "../../../../shared/contracts/capture/screenshot-key.ts";
import { CheckTestContext } from "../../../support/contexts/check-context.ts";
import { readKeyPair } from "../../../support/servers/certificates.ts";

const MENU = `<!doctype html><title>Menu</title>
<style>body { margin: 0; background: #fff; font: 20px sans-serif } nav { display: none; height: 200px; background: #246 }
.open nav { display: block } @media (prefers-color-scheme: dark) { body { background: #111; color: #eee } }</style>
<body><h1>Menu</h1><button onclick="document.body.classList.toggle('open')">Menu</button><nav>Links</nav>`;

const STEPS = [
  { action: "screenshot" },
  { action: "click", selector: 'role=button[name="Menu"]' },
  { action: "screenshot", name: "menu open" },
];

const CONFIG = {
  routes: ["/", "/plain"],
  environments: { dark: { colorScheme: "dark" } },
  perRoute: { "/": { steps: STEPS } },
};

const named = ({ screenshots }: CheckResult) => screenshots.map(shot => `${shot.status} ${pageName(shot)}`);
const ALL = ["/", "/ › menu open", "/ (dark)", "/ › menu open (dark)", "/plain", "/plain (dark)"];

describe("checking states and environments", () => {
  let context: CheckTestContext;
  before(async () => {
    context = await CheckTestContext.start({ "/": MENU, "/plain": MENU });
    await context.commit();
  });
  after(() => context.stop());

  it("captures each state in each environment, approves all, and finds them unchanged", async () => {
    const first = await context.check(CONFIG);
    assert.deepEqual(
      named(first),
      ALL.map(name => `new ${name}`),
    );
    const [plain, menu, dark, darkMenu] = first.screenshots.map(({ hash }) => hash);
    assert.equal(new Set([plain, menu, dark, darkMenu]).size, 4);
    assert.equal(first.screenshots[4]?.hash, plain, "a route without steps shows the page");
    const { approved } = await context.approve(CONFIG);
    assert.deepEqual(
      approved.map(({ route, state, environment }) => pageName({ route, state, environment })),
      ALL,
    );
    assert.deepEqual(
      (await readdir(join(context.root, ".service/baselines"))).filter(name => name.endsWith(".png")).sort(),
      [
        "index+menu-open--400.png",
        "index+menu-open@dark--400.png",
        "index--400.png",
        "index@dark--400.png",
        "plain--400.png",
        "plain@dark--400.png",
      ],
    );
    const second = await context.check(CONFIG);
    assert.deepEqual(
      named(second),
      ALL.map(name => `unchanged ${name}`),
    );
    assert.equal(second.conclusion, "passed");
  });

  it("checks and approves only the selected environment", async () => {
    context.site.pages.set("/", MENU.replace("#246", "#642"));
    const found = await context.check(CONFIG, { selection: { environments: ["dark"] } });
    assert.deepEqual(named(found), [
      "unchanged / (dark)",
      "changed / › menu open (dark)",
      "unchanged /plain (dark)",
    ]);
    const all = await context.check(CONFIG);
    assert.deepEqual(
      named(all).filter(name => name.startsWith("changed")),
      ["changed / › menu open", "changed / › menu open (dark)"],
    );
    const { approved } = await context.approve(CONFIG, { filter: { environments: ["dark"] } });
    assert.deepEqual(
      approved.map(({ did, file }) => `${did} ${file}`),
      ["updated .service/baselines/index+menu-open@dark--400.png"],
    );
  });

  it("reports states and environments that are no longer configured as removed", async () => {
    const { perRoute: _steps, environments: _environments, ...plain } = CONFIG;
    const found = await context.check(plain);
    assert.deepEqual(named(found), [
      "unchanged /",
      "unchanged /plain",
      "removed / (dark)",
      "removed / › menu open",
      "removed / › menu open (dark)",
      "removed /plain (dark)",
    ]);
  });

  it("scales ignore regions to the pixels of the image", async () => {
    const config = {
      routes: ["/plain"],
      ignoreRegions: [{ x: 1, y: 2, width: 10, height: 20 }],
      environments: { fine: { deviceScaleFactor: 2 } },
      defaultEnvironment: false,
    };
    const [shot] = (await context.check(config)).screenshots;
    assert.deepEqual([shot?.viewport, shot?.width], [400, 800]);
    assert.deepEqual(shot?.ignored.regions, [{ x: 2, y: 4, width: 20, height: 40, pixels: 0 }]);
  });
});

const AD = (top: number, color: string) =>
  `<!doctype html><title>Ad</title><body style="margin:0"><p>Page</p><div class="ad" style="position:absolute;top:${top}px;width:80px;height:40px;background:${color}"></div>`;

describe("checking a page with ignored elements", () => {
  let context: CheckTestContext;
  before(async () => {
    context = await CheckTestContext.start({ "/": AD(100, "red") });
    await context.commit();
  });
  after(() => context.stop());

  const config = { routes: ["/"], ignoreRegions: [{ selector: ".ad", padding: 2 }, { selector: ".none" }] };
  const box = { x: 0, width: 82, height: 44, selector: ".ad" };

  it("ignores an element where it is and where it was in the baseline", async () => {
    const [first] = (await context.check(config)).screenshots;
    assert.deepEqual(first?.ignored.regions, [{ ...box, y: 98, pixels: 0 }]);
    assert.deepEqual(first.notes, ["No element of the screenshot matches the ignore region .none."]);
    await context.approve(config);
    context.site.pages.set("/", AD(300, "blue"));
    const { screenshots, report } = await context.check(config);
    const [moved] = screenshots;
    assert.equal(moved?.status, "unchanged");
    assert.equal(moved.diffPixels, 0);
    assert.deepEqual(moved.ignored.regions, [
      { ...box, y: 298, pixels: 80 * 40 },
      { ...box, y: 98, pixels: 80 * 40 },
    ]);
    assert.match(await readFile(report ?? "", "utf8"), /"selector":"\.ad"/);
  });

  it("counts the changes in elements that are no longer ignored", async () => {
    const [shot] = (await context.check({ routes: ["/"], ignoreRegions: [{ selector: "p" }] })).screenshots;
    assert.equal(shot?.diffPixels, 2 * 80 * 40);
  });
});

describe("checking pages behind a login", () => {
  const LOGIN = {
    routes: ["/"],
    sessions: {
      editor: {
        url: "/login",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a secret's reference
        steps: [{ action: "fill", selector: "label=Password", value: "${secret.EDITOR_PASSWORD}" }],
      },
    },
    session: "editor",
  };
  let context: CheckTestContext;
  before(async () => {
    context = await CheckTestContext.start({ "/": MENU });
  });
  after(() => context.stop());

  it("names the variables of missing secrets, and captures nothing", async () => {
    const { code, message } = await context.failure(context.check(LOGIN));
    assert.equal(code, "missing_secret");
    assert.match(message, /the secret EDITOR_PASSWORD, but SERVICE_SECRET_EDITOR_PASSWORD is not set/);
    assert.deepEqual(context.events, []);
  });

  it("names the file of a missing or unreadable storage state", async () => {
    const config = { ...LOGIN, sessions: { editor: { storageState: "auth/editor.json" } } };
    const missing = await context.failure(context.check(config));
    assert.equal(missing.code, "storage_state_invalid");
    assert.match(missing.message, /session editor from auth\/editor\.json: the file doesn't exist/);
    for (const [content, why] of [
      ["cookies", /the file is not JSON/],
      [JSON.stringify({ cookies: [{ name: 1 }] }), /cookies\[0\]\.name is not what Playwright writes/],
      [" ".repeat(6 * 1024 * 1024), /larger than 5 MiB/],
    ] as const) {
      await context.write("auth/editor.json", content);
      assert.match((await context.failure(context.check(config))).message, why);
    }
  });

  it("keeps the page at a failed login beside the report, and shows it there", async () => {
    const steps = [{ action: "click", selector: "text=Nowhere", timeoutMs: 300 }];
    const found = await context.check({ ...LOGIN, sessions: { editor: { url: "/", steps } } });
    const [shot] = found.screenshots;
    assert.equal(shot?.error?.code, "session_failed");
    const file = shot?.files.failure ?? "";
    assert.deepEqual((await readFile(file)).subarray(1, 4).toString(), "PNG");
    const report = await readFile(join(context.root, ".service/check/report.html"), "utf8");
    assert.ok(report.includes(`<img src="images/${basename(file)}" alt="/ at 400 px when it failed"`));
  });

  it("names the position of an unknown session and environment, and the nearest name", async () => {
    await context.write(
      "service.config.ts",
      `export default {
  sessions: { editor: {} },
  environments: { dark: { colorScheme: "dark" } },
  session: "editr",
  routes: ["/"],
  perRoute: { "/": { environments: ["drk"] } },
};
`,
    );
    const terminal = context.terminal();
    assert.equal(await runVrs(["check"], terminal), 2);
    assert.match(terminal.errors, /service\.config\.ts:4:\d+: .*"editr".*Did you mean "editor"\?/);
    assert.match(terminal.errors, /service\.config\.ts:6:\d+: .*"drk".*Did you mean "dark"\?/);
  });
});

describe("checking pages that ask for a client certificate", () => {
  it("reads the files of the session, and names a missing or wrong one", async () => {
    const trusted = getCACertificates("default");
    const [own, ada] = [readKeyPair("localhost"), readKeyPair("ada")];
    const site = createServer({ ...own, ca: [ada.cert], requestCert: true }, (_request, response) => {
      response.writeHead(200, { "Content-Type": "text/html" }).end(MENU);
    });
    site.listen(0);
    await once(site, "listening");
    const address = site.address();
    assert.ok(typeof address === "object" && address);
    const context = await CheckTestContext.start({});
    const check = (certPath: string) =>
      context.check({
        ...{ baseUrl: `https://localhost:${address.port}`, routes: ["/"], session: "ada" },
        sessions: { ada: { clientCertificates: [{ certPath, keyPath: "auth/ada.key" }] } },
      });
    try {
      setDefaultCACertificates([...trusted, own.cert]);
      await context.write("auth/ada.pem", ada.cert);
      await context.write("auth/ada.key", ada.key);
      await context.write("auth/wrong.pem", "a text");
      assert.deepEqual(named(await check("auth/ada.pem")), ["new /"]);
      const missing = await context.failure(check("auth/none.pem"));
      assert.equal(missing.code, "certificate_invalid");
      assert.match(missing.message, /of the session ada from auth\/none\.pem: ENOENT/);
      assert.match((await context.failure(check("auth/wrong.pem"))).message, /the file has no PEM text/);
    } finally {
      setDefaultCACertificates(trusted);
      site.close();
      await context.stop();
    }
  });
});
