import assert from "node:assert/strict";
import type { VisitRequest } from "../../../../shared/capture/capture-types.ts";
import { nextCode } from "../../../../shared/capture/sessions/one-time-code.ts";
import type { Session } from "../../../../shared/contracts/capture/sessions.ts";
import { CaptureTestContext } from "../../../support/contexts/capture-context.ts";
import { captured, colorsAt, failed } from "../../../support/contexts/visit-outcomes.ts";
import { html } from "../../../support/fixtures/sites/flake-pages.ts";
import { Application, USER } from "../../../support/servers/application/application.ts";

const GREEN = "#2a9d8f";
const SECRETS = { PASSWORD: USER.password, DEVICE: USER.totp };

const EDITOR: Session = {
  url: "/login",
  steps: [
    { action: "fill", selector: "label=Email", value: USER.email },
    { action: "fill", selector: "label=Password", value: `\${secret.PASSWORD}` },
    { action: "click", selector: 'role=button[name="Log in"]' },
    { action: "fill", selector: "label=Code", value: `\${totp.DEVICE}` },
    { action: "press", key: "Enter" },
  ],
  expect: { text: "Account of editor@example.com" },
};

/** Without a one-time code. */
const PLAIN: Session = { ...EDITOR, steps: EDITOR.steps?.slice(0, 3) };

describe("sessions", () => {
  let context: CaptureTestContext;
  let application: Application;

  before(async () => {
    application = await Application.start();
    context = await CaptureTestContext.start({
      "/leaks": html(
        `<label>Key <input oninput="document.body.insertAdjacentHTML('beforeend',
          '<img src=/images/' + this.value + '.png><p id=' + this.value + '>' + Date.now())"></label>`,
      ),
      "/role": (request, response) => {
        const role =
          request.headers["x-role"] ?? /role=(\w+)/.exec(request.headers.cookie ?? "")?.[1] ?? "white";
        response
          .writeHead(200, { "Content-Type": "text/html", "Cache-Control": "max-age=600" })
          .end(html(`<style>body { background: ${role} }</style>`));
      },
      "/echo": html(
        `<label>Key <input oninput="document.querySelector('p').textContent = this.value"></label><p></p>`,
      ),
    });
  });
  after(() => Promise.all([context.stop(), application.stop()]));

  const visit = (path: string, request: Partial<VisitRequest>, key?: string) =>
    context.visit(
      application.url + path,
      { ...request, options: { session: "editor", ...request.options } },
      key,
    );

  it("that fail name the step and what the page says, without secrets, and do not log in again", async () => {
    application.requests.length = 0;
    const secrets = { ...SECRETS, PASSWORD: "wrong horse" };
    const session = { ...EDITOR, steps: EDITOR.steps?.map(step => ({ ...step, timeoutMs: 1_000 })) };
    const [first] = await visit("/account", { session, secrets }, "wrong");
    const [second] = await visit("/basic", { session, secrets }, "wrong");
    const { code, message } = failed(first);
    assert.equal(code, "session_failed");
    assert.match(
      message,
      /^The session "editor" could not log in\. Step 4 \(fill label=Code\) failed: no element matched label=Code .* The page says: "Log in ••• is not the password\./,
    );
    assert.equal(failed(second).message, message);
    assert.equal(application.count("POST /login"), 1);
    // No page has seen the code, so the next login does not wait for another one.
    (await nextCode(USER.totp, AbortSignal.timeout(1_000))).giveBack();
  });

  it("fail without secrets, steps that prove them, or a definition", async () => {
    const missing = failed((await visit("/account", { session: EDITOR }))[0]);
    assert.match(missing.message, /Step 2 \(fill label=Password\) failed: there is no secret PASSWORD/);
    const unknown = failed((await visit("/account", {}))[0]);
    assert.deepEqual(
      [unknown.code, /not one of the sessions/.test(unknown.message)],
      ["session_failed", true],
    );
    const file = failed((await visit("/account", { session: { storageState: "state.json" } }))[0]);
    assert.match(file.message, /only the command line reads/);
    const unproven = { url: "/login", expect: { text: "Account", timeoutMs: 300 } };
    const { message } = failed((await visit("/account", { session: unproven }))[0]);
    assert.match(message, /The check "expect" \(text "Account"\) failed: "Account" did not appear/);
  });

  it("mask secrets that a page repeats in its error", async () => {
    const steps = [
      { action: "fill", selector: "label=Key", value: `\${secret.PASSWORD}` },
      { action: "click", selector: "#none", timeoutMs: 300 },
    ] as const;
    const options = { session: "editor" };
    const [outcome] = await context.visit("/echo", {
      session: { url: "/echo", steps: [...steps] },
      secrets: SECRETS,
      options,
    });
    const { message } = failed(outcome);
    assert.match(message, /The page says: "Key •••"/);
    assert.ok(!message.includes(USER.password));
  });

  it("mask secrets in the names of missing files and of moving elements", async () => {
    const steps = [{ action: "fill", selector: "label=Key", value: `\${secret.KEY}` }] as const;
    const options = { steps: [...steps] };
    const [outcome] = await context.visit("/leaks", { secrets: { KEY: "swordfish" }, options });
    const { missing, moving } = captured(outcome);
    assert.deepEqual([missing, moving], [["/images/•••.png (404)"], ["#••• (text)"]]);
  });

  it("log in again with the next code if another process has used the code", async () => {
    application.needsCode = true;
    application.useCode();
    application.logins = 0;
    const [outcome] = await visit("/account", { session: EDITOR, secrets: SECRETS }, "used");
    assert.deepEqual(await colorsAt(captured(outcome), [300, 300]), [GREEN]);
    assert.deepEqual([application.logins, application.count("POST /login/code")], [1, 2]);
  }).timeout(120_000);

  it("log in once for 20 pages", async () => {
    application.needsCode = false;
    application.requests.length = 0;
    const request = { session: PLAIN, secrets: SECRETS };
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => visit(`/account?page=${index}`, request, "twenty")),
    );
    assert.equal(outcomes.filter(([outcome]) => captured(outcome).stable).length, 20);
    assert.equal(application.count("POST /login"), 1);
  }).timeout(240_000);

  it("log in once for concurrent pages, whose cookies are cleared between them", async () => {
    application.logins = 0;
    application.needsCode = false;
    const request = { session: PLAIN, secrets: SECRETS };
    const outcomes = await Promise.all([1, 2, 3].map(() => visit("/account", request, "editor")));
    for (const [outcome] of outcomes)
      assert.deepEqual(await colorsAt(captured(outcome), [300, 300]), [GREEN]);
    const [after] = await visit("/account", request, "editor");
    assert.ok(captured(after).stable);
    assert.equal(application.logins, 1);
    const [without] = await context.visit(`${application.url}/account`, {}, "editor");
    assert.notEqual(captured(without).hash, captured(after).hash);
  }).timeout(120_000);

  it("share no HTTP cache with another session, other headers, or none of them", async () => {
    const colorOf = async (options: VisitRequest["options"], session?: Session) => {
      const request = { options, ...(session && { session }) };
      const [outcome] = await context.visit("/role", request, "roles");
      return (await colorsAt(captured(outcome), [300, 300]))[0];
    };
    const withCookie = (role: string) => ({ cookies: [{ name: "role", value: role }] });
    assert.equal(await colorOf({ session: "admin" }, withCookie("red")), "#ff0000");
    assert.equal(await colorOf({ session: "guest" }, withCookie("blue")), "#0000ff");
    assert.equal(await colorOf({}), "#ffffff");
    assert.equal(await colorOf({ headers: { "X-Role": "black" } }), "#000000");
    assert.equal(await colorOf({ headers: { "X-Role": "lime" } }), "#00ff00");
  }).timeout(120_000);

  it("give pages the storage of the login, equally in each load", async () => {
    const state = {
      cookies: [],
      origins: [{ origin: application.url, localStorage: [{ name: "theme", value: "set" }] }],
    };
    const session = { storageState: "state.json" };
    const steps = [{ action: "waitFor", function: "localStorage.theme === 'set'" }] as const;
    const [outcome] = await visit(
      "/",
      { session, storageState: state, options: { steps: [...steps], clock: "2026-01-31T09:00:00Z" } },
      "stored",
    );
    assert.deepEqual([captured(outcome).stable, captured(outcome).attempts], [true, 2]);
    const [none] = await context.visit(
      `${application.url}/`,
      { options: { steps: [{ ...steps[0], timeoutMs: 200 }] } },
      "stored",
    );
    assert.equal(failed(none).code, "step_failed");
  });

  it("send credentials of basic authentication", async () => {
    const basicAuth = { username: USER.email, password: `\${secret.PASSWORD}` };
    const [outcome] = await visit("/basic", { session: { basicAuth }, secrets: SECRETS });
    assert.deepEqual(await colorsAt(captured(outcome), [300, 300]), [GREEN]);
    assert.equal(failed((await context.visit(`${application.url}/basic`))[0]).code, "http_status");
  });
});
