import assert from "node:assert/strict";
import type { StepResult } from "../../../../shared/contracts/capture/step-result.ts";
import type { Step } from "../../../../shared/contracts/capture/steps.ts";
import { CaptureTestContext } from "../../../support/contexts/capture-context.ts";
import { captured, failed } from "../../../support/contexts/visit-outcomes.ts";
import { html } from "../../../support/fixtures/sites/flake-pages.ts";
import { Application } from "../../../support/servers/application/application.ts";

const SHOT: Step = { action: "screenshot" };
const CLOCK = "2026-01-31T09:00:00Z";

describe("steps of a page", () => {
  let context: CaptureTestContext;
  let application: Application;

  before(async () => {
    application = await Application.start();
    context = await CaptureTestContext.start(
      {
        "/loops": html(`<button onclick="for (;;);">Loop</button><p id="never" hidden>never</p>`),
        "/covered": html(`<button id="below">Below</button><div style="position:fixed;inset:0"></div>`),
        "/gone": (_request, response) => response.writeHead(410).end("gone"),
        "/broken": (_request, response) => response.writeHead(503).end("broken"),
        "/leaves": html(`<a href="/gone">Leave</a><a href="/broken">Break</a>`),
        "/plain": html("<h1>plain</h1>"),
      },
      { captureMs: 12_000, busyMs: 2_000 },
    );
  });
  after(() => Promise.all([context.stop(), application.stop()]));

  const failureOf = async (path: string, ...steps: Step[]) => {
    const [outcome] = await context.visit(path, { options: { steps } });
    return failed(outcome);
  };
  const title = async (...steps: Step[]) => {
    const lease = await context.pool.lease("title");
    await lease.release();
    const url = `${application.url}/`;
    const [outcome] = await context.visit(url, { options: { clock: CLOCK, steps } }, "title");
    captured(outcome);
    return lease.page;
  };

  it("name the failing step, what happened, and what to do", async () => {
    const cases: [string, Step, RegExp][] = [
      [
        "/plain",
        { action: "click", selector: "#none", timeoutMs: 300 },
        /^Step 1 \(click #none\) failed: no element matched #none/,
      ],
      [
        "/covered",
        { action: "click", selector: "#below", timeoutMs: 500 },
        /<div.*> covered the element for 0\.5 seconds/,
      ],
      ["/loops", { action: "hover", selector: "#never", timeoutMs: 300 }, /the element was not visible/],
      ["/plain", { action: "click", selector: "div[[", timeoutMs: 300 }, /while parsing css selector/],
      ["/plain", { action: "press", key: "Foo" }, /Unknown key: "Foo"/],
      [
        "/plain",
        { action: "waitFor", text: "later", timeoutMs: 200 },
        /"later" did not appear within 0\.2 seconds/,
      ],
      ["/plain", { action: "waitFor", function: "oops()", timeoutMs: 200 }, /oops is not defined/],
      ["/plain", { action: "waitFor", function: "false", timeoutMs: 200 }, /did not become true/],
      ["/plain", { action: "fill", selector: "h1", value: `\${secret.NONE}` }, /there is no secret NONE/],
    ];
    for (const [path, step, message] of cases) {
      const { code, message: said } = await failureOf(path, step);
      assert.equal(code, "step_failed");
      assert.match(said, message);
    }
  });

  it("are listed with their time and outcome", async () => {
    const clicks: Step[] = [{ action: "hover", selector: "h1" }, SHOT, { action: "click", selector: "h1" }];
    const open: Step = { action: "screenshot", name: "clicked" };
    const outcomes = await context.visit("/plain", { options: { steps: [...clicks, open] } });
    const namesOf = ({ steps }: { steps: StepResult[] }) =>
      steps.map(({ name, ms, outcome }) => [name, ms >= 0 && ms < 60_000, outcome]);
    const hovered = ["Step 1 (hover h1)", true, "done"];
    assert.deepEqual(
      outcomes.map(outcome => namesOf(captured(outcome))),
      [[hovered], [hovered, ["Step 3 (click h1)", true, "done"]]],
    );
    const missing: Step = { action: "click", selector: "#none", timeoutMs: 300 };
    const failure = await failureOf("/plain", { action: "hover", selector: "h1" }, missing);
    assert.deepEqual(namesOf(failure), [hovered, ["Step 2 (click #none)", true, "failed"]]);
  });

  it("may not go to private addresses, or to pages that fail", async () => {
    const guarded = await failureOf("/plain", { action: "goto", url: "http://127.0.0.1:8080/" });
    assert.match(guarded.message, /^Step 1 \(goto http:\/\/127.0.0.1:8080\/\) failed: .* loopback address/);
    const scheme = await failureOf("/plain", { action: "goto", url: "file:///etc/passwd" });
    assert.match(scheme.message, /only http: and https: are allowed/);
    const broken = await failureOf("/leaves", { action: "click", selector: "text=Break" });
    assert.match(broken.message, /^Step 1 \(click text=Break\) failed: .*\/broken returned status 503/);
    const gone = await failureOf("/leaves", { action: "goto", url: `${context.site.url}/gone` });
    assert.match(gone.message, /^Step 1 \(goto .*\) failed: .*\/gone returned status 410/);
    const other = await failureOf("/leaves", { action: "goto", url: "/gone", status: 404 });
    assert.match(other.message, /\/gone returned status 410 in place of 404/);
  });

  it("capture the page of a refused form, and of a status that a step asks for", async () => {
    const cases: [path: string, steps: Step[]][] = [
      [
        `${application.url}/profile`,
        [
          { action: "click", selector: "text=Save" },
          { action: "waitFor", text: "A name is missing." },
        ],
      ],
      ["/leaves", [{ action: "click", selector: "text=Leave" }]],
      ["/leaves", [{ action: "goto", url: "/gone", status: 410 }]],
    ];
    for (const [path, steps] of cases)
      assert.deepEqual(captured((await context.visit(path, { options: { steps } }))[0]).missing, []);
  });

  it("end with an error when the page's scripts never end, and leave the pool healthy", async () => {
    const { code, message } = await failureOf("/loops", { action: "click", selector: "button" });
    assert.deepEqual([code, /^Step 1 \(click button\)/.test(message)], ["step_failed", true]);
    const loop = await failureOf("/plain", { action: "waitFor", function: "(() => { for (;;); })()" });
    assert.equal(loop.code, "step_failed");
    captured((await context.visit("/plain"))[0]);
  });

  it("end within the time of a visit, which names the step", async () => {
    const wait: Step = { action: "waitFor", function: "new Promise(() => {})", timeoutMs: 30_000 };
    const start = performance.now();
    const { message } = await failureOf("/plain", ...Array.from({ length: 100 }, () => wait));
    assert.match(
      message,
      /^Step 1 \(waitFor function .*\) was still running when the time for all screenshots/,
    );
    assert.ok(performance.now() - start < 20_000);
  });

  it("keep the states that were captured before a failing step", async () => {
    const outcomes = await context.visit("/plain", {
      options: {
        steps: [
          { action: "screenshot", name: "first" },
          { action: "click", selector: "#none", timeoutMs: 200 },
          { action: "screenshot", name: "second" },
        ],
      },
    });
    assert.ok(captured(outcomes[0]).stable);
    assert.equal(failed(outcomes[1]).code, "step_failed");
  });

  it("act on a page: menu, modal, fields, drag and drop, upload", async () => {
    const page = await title(
      { action: "click", selector: 'role=button[name="Menu"]' },
      { action: "waitFor", selector: "#menu.open" },
      { action: "fill", selector: "label=Name", value: "Ada" },
      { action: "check", selector: "#terms" },
      { action: "select", selector: "label=Size", value: "Large" },
      { action: "drag", selector: "#card", to: "#to" },
      {
        action: "upload",
        selector: "#file",
        files: [{ name: "a.txt", contentType: "text/plain", base64: Buffer.from("text").toString("base64") }],
      },
      { action: "focus", selector: "placeholder=Your name" },
      { action: "press", key: "End" },
      { action: "press", key: "!", selector: "#name" },
      { action: "waitFor", text: "Hello Ada!" },
      { action: "waitFor", idle: true },
      { action: "waitFor", function: "document.querySelector('#to #card') !== null" },
      { action: "scrollTo", selector: "#end" },
    );
    const seen = await page.evaluate(() => [
      document.querySelector("#hello")?.textContent,
      document.querySelector("#uploaded")?.textContent,
      document.querySelector<HTMLInputElement>("#terms")?.checked,
      document.querySelector<HTMLSelectElement>("#size")?.value,
      scrollY > 0,
    ]);
    assert.deepEqual(seen, ["Hello Ada!", "a.txt: text", true, "l", true]);
  });

  it("follow navigations and the routes of a single-page application", async () => {
    const page = await title(
      { action: "goto", url: "/router/one" },
      { action: "waitFor", text: "View /router/one" },
      { action: "click", selector: "text=Two" },
      { action: "waitFor", text: "View /router/two" },
      { action: "goto", url: "/" },
      { action: "waitFor", request: "**/" },
      { action: "setViewport", width: 400, height: 500 },
    );
    assert.deepEqual(await page.evaluate(() => [location.pathname, innerWidth, innerHeight]), [
      "/",
      400,
      500,
    ]);
  });

  it("capture all states of a page that equal their baselines in one load", async () => {
    const steps: Step[] = [
      SHOT,
      { action: "click", selector: "#toggle" },
      { action: "screenshot", name: "menu" },
      { action: "hover", selector: "text=One" },
      { action: "screenshot", name: "hover" },
      { action: "click", selector: "#toggle" },
      { action: "click", selector: "#open" },
      { action: "screenshot", name: "modal" },
      { action: "click", selector: "#close" },
      { action: "fill", selector: "#name", value: "Ada" },
      { action: "screenshot", name: "hello" },
    ];
    const options = { clock: CLOCK, steps, masks: ["#card"] };
    const url = `${application.url}/`;
    const first = (await context.visit(url, { options }, "states")).map(captured);
    assert.equal(new Set(first.map(({ hash }) => hash)).size, 5, "every state differs");
    assert.deepEqual(
      first.map(({ stable, attempts }) => [stable, attempts]),
      Array(5).fill([true, 2]),
    );
    const names = [null, "menu", "hover", "modal", "hello"];
    const states = names.map((state, index) => ({ state, baselineHash: first[index]?.hash ?? null }));
    application.requests.length = 0;
    const again = (await context.visit(url, { options, states }, "states")).map(captured);
    assert.equal(application.count("GET /"), 1);
    assert.deepEqual(
      again.map(({ hash, attempts }) => [hash, attempts]),
      first.map(({ hash }) => [hash, 1]),
    );
  });

  it("load a page again only until the last state that is not stable", async () => {
    const steps: Step[] = [
      { action: "screenshot", name: "a" },
      { action: "click", selector: "#toggle" },
      { action: "screenshot", name: "b" },
      { action: "goto", url: "/router/one" },
      { action: "screenshot", name: "c" },
    ];
    const options = { clock: CLOCK, steps };
    const url = `${application.url}/`;
    const first = (await context.visit(url, { options })).map(captured);
    application.requests.length = 0;
    const states = ["a", "b", "c"].map((state, index) => ({
      state,
      baselineHash: state === "b" ? null : (first[index]?.hash ?? null),
    }));
    const again = (await context.visit(url, { options, states })).map(captured);
    assert.deepEqual(
      again.map(({ attempts }) => attempts),
      [1, 2, 1],
    );
    assert.deepEqual([application.count("GET /"), application.count("GET /router/one")], [2, 1]);
  });
});
