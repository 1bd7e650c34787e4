import assert from "node:assert/strict";
import type { VisitRequest } from "../../../../shared/capture/capture-types.ts";
import type { Session } from "../../../../shared/contracts/capture/sessions.ts";
import type { Step } from "../../../../shared/contracts/capture/steps.ts";
import { CaptureTestContext } from "../../../support/contexts/capture-context.ts";
import { captured, colorsAt, failed } from "../../../support/contexts/visit-outcomes.ts";
import { Application, USER } from "../../../support/servers/application/application.ts";

const GREEN = "#2a9d8f";

const EDITOR: Session = {
  url: "/login",
  steps: [
    { action: "fill", selector: "label=Email", value: USER.email },
    { action: "fill", selector: "label=Password", value: `\${secret.PASSWORD}` },
    { action: "click", selector: 'role=button[name="Log in"]' },
  ],
};
const PROVEN: Session = { ...EDITOR, url: "/account", expect: { text: "Account of" } };

/** Two loads of a page, after the one that the login ends on. */
const ONE_CAPTURE = 3;

describe("sessions that end", () => {
  let context: CaptureTestContext;
  let application: Application;

  before(async () => {
    context = await CaptureTestContext.start({});
  });
  after(() => context.stop());
  beforeEach(async () => {
    application = await Application.start();
    application.needsCode = false;
  });
  afterEach(() => application.stop());

  const visit = (
    path: string,
    session: Session = EDITOR,
    options: VisitRequest["options"] = {},
    request: Partial<VisitRequest> = {},
  ) =>
    context.visit(
      application.url + path,
      {
        ...request,
        ...{ session, secrets: { PASSWORD: USER.password }, options: { session: "editor", ...options } },
      },
      application.url,
    );
  const seesAccount = async ([outcome]: Awaited<ReturnType<typeof visit>>) =>
    assert.deepEqual(await colorsAt(captured(outcome), [300, 300]), [GREEN]);

  it("are logged in to again when the server ends them, or the cookie expires", async () => {
    application.pagesPerLogin = ONE_CAPTURE;
    await seesAccount(await visit("/account"));
    await seesAccount(await visit("/account"));
    assert.equal(application.logins, 2);
    application.pagesPerLogin = Number.POSITIVE_INFINITY;
    application.logOutAll();
    application.cookieSeconds = 5;
    await seesAccount(await visit("/account"));
    await new Promise(resolve => setTimeout(resolve, 5_000));
    await seesAccount(await visit("/account"));
    assert.equal(application.logins, 4);
  }).timeout(120_000);

  it("are noticed by a status, by a route of the page's scripts, and by a step", async () => {
    for (const path of ["/private", "/dashboard"]) {
      await seesAccount(await visit(path));
      application.logOutAll();
      await seesAccount(await visit(path));
    }
    assert.equal(application.logins, 3, "both paths share a login");
    application.logOutAll();
    const steps = [
      { action: "click", selector: "text=One" },
      { action: "goto", url: "/account" },
    ] as const;
    await seesAccount(
      await visit("/", EDITOR, { steps: [{ action: "click", selector: "#toggle" }, ...steps] }),
    );
    assert.equal(application.logins, 4);
  }).timeout(120_000);

  it("fail their pages if the server ends each login, and are not logged in to for each page", async () => {
    application.pagesPerLogin = 1;
    const outcomes = await Promise.all([1, 2, 3].map(() => visit("/account", PROVEN)));
    for (const [outcome] of outcomes) {
      const { code, message } = failed(outcome);
      assert.equal(code, "session_failed");
      assert.match(
        message,
        /^The session "editor" ended\. \/account redirected to \/login, even right after a new login\. Check that/,
      );
    }
    assert.equal(application.logins, 2);
    const steps = [{ action: "goto", url: "/account" }] as const;
    const [ended] = await visit("/", PROVEN, { steps: [...steps] });
    assert.match(failed(ended).message, /Step 1 \(goto \/account\) redirected to \/login/);
    assert.equal(application.logins, 2);
  }).timeout(120_000);

  it("are told from pages that the user may not open, and from credentials that are wrong", async () => {
    const [refused] = await visit("/admin", PROVEN);
    assert.match(
      failed(refused).message,
      /^\/admin returned status 403, although the session "editor" is logged in\. Check that its user may/,
    );
    const [wrong] = await visit("/basic", { basicAuth: { username: "ada", password: "wrong" } });
    assert.match(
      failed(wrong).message,
      /^The session "editor" is not logged in\. \/basic returned status 401\. Renew/,
    );
    assert.equal(application.logins, 1);
  });

  it("leave the states that were captured before", async () => {
    const [account] = await visit("/account", PROVEN);
    const { hash } = captured(account);
    const steps: Step[] = [
      { action: "screenshot", name: "account" },
      { action: "goto", url: "/admin" },
      { action: "screenshot", name: "admin" },
    ];
    const states = [
      { state: "account", baselineHash: hash },
      { state: "admin", baselineHash: null },
    ];
    const [before, after] = await visit("/account", PROVEN, { steps }, { states });
    assert.equal(captured(before).hash, hash);
    assert.match(failed(after).message, /^Step 2 \(goto \/admin\) returned status 403/);
  });

  it("do not concern pages that show the login on purpose", async () => {
    const [login] = await visit("/login");
    assert.ok(captured(login).stable);
    const steps = [{ action: "goto", url: "/login" }] as const;
    assert.equal(captured((await visit("/", EDITOR, { steps: [...steps] }))[0]).hash, captured(login).hash);
    assert.equal(application.logins, 1);
  });
});
