import assert from "node:assert/strict";
import { pageName } from "../../../shared/contracts/capture/screenshot-key.ts";
import { checkList } from "../../../shared/contracts/monitors/checks.ts";
import { monitorView } from "../../../shared/contracts/monitors/monitors.ts";
import { baselineList } from "../../../shared/contracts/runs/baselines.ts";
import { runView } from "../../../shared/contracts/runs/runs.ts";
import { screenshotList } from "../../../shared/contracts/runs/screenshots.ts";
import { submittedRun } from "../../../shared/contracts/runs/submit-run.ts";
import { until } from "../../support/drivers/until.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { problemOf } from "../../support/formats/problem.ts";
import { Application, USER } from "../../support/servers/application/application.ts";

const reference = (kind: string, name: string) => `\${${kind}.${name}}`;

const OPTIONS = {
  environments: { dark: { colorScheme: "dark", viewports: [{ width: 500, height: 400 }] } },
  sessions: {
    editor: {
      url: "/login",
      steps: [
        { action: "fill", selector: "label=Email", value: USER.email },
        { action: "fill", selector: "label=Password", value: reference("secret", "EDITOR_PASSWORD") },
        { action: "click", selector: 'role=button[name="Log in"]' },
        { action: "fill", selector: "label=Code", value: reference("totp", "EDITOR_TOTP") },
        { action: "click", selector: 'role=button[name="Continue"]' },
      ],
      expect: { text: "Account of" },
    },
  },
  perRoute: {
    "/": {
      clock: "2026-01-31T09:00:00Z",
      steps: [
        { action: "screenshot" },
        { action: "click", selector: "#toggle" },
        { action: "screenshot", name: "menu open" },
      ],
    },
    "/account": { session: "editor", environments: ["default", "dark"] },
  },
};

describe("A run of pages with states and environments, behind a login", () => {
  let application: Application;
  let vrs: Vrs;

  before(async () => {
    application = await Application.start();
    vrs = await Vrs.start();
  });
  after(async () => {
    await vrs?.stop();
    await application?.stop();
  });

  const submit = (options: object = OPTIONS) =>
    vrs.post("/v1/run", {
      ...{ url: application.url, project: "app", routes: ["/", "/account"], viewports: [600] },
      options,
    });
  const ended = async (answer: Response) => {
    assert.equal(answer.status, 202, await answer.clone().text());
    const { id } = submittedRun.parse(await answer.json());
    const read = async () => runView.parse(await (await vrs.request(`/v1/runs/${id}`)).json());
    await until(async () => (await read()).completedAt !== null);
    const { data } = screenshotList.parse(await (await vrs.request(`/v1/screenshots/${id}`)).json());
    return { run: await read(), screenshots: data };
  };
  const putSecret = (name: string, value: string) =>
    vrs.request(`/v1/projects/app/secrets/${name}`, {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ value }),
    });

  it("is refused until the project has the secrets of the login", async () => {
    const { status, detail } = await problemOf(await submit(), "invalid_request");
    assert.equal(status, 422);
    assert.match(detail, /EDITOR_PASSWORD/);
    assert.match(detail, /PUT \/v1\/projects\/app\/secrets\/EDITOR_PASSWORD/);
  });

  it("says which login failed, and does not take it for a change", async () => {
    assert.equal((await putSecret("EDITOR_PASSWORD", "wrong password")).status, 200);
    assert.equal((await putSecret("EDITOR_TOTP", USER.totp)).status, 200);
    const { screenshots } = await ended(await submit());
    const failed = screenshots.filter(({ status }) => status === "failed");
    assert.deepEqual(failed.map(pageName).toSorted(), ["/account", "/account (dark)"]);
    for (const { error, images } of failed) {
      const { status, headers } = await fetch(images.failure ?? "");
      assert.deepEqual([status, headers.get("content-type")], [200, "image/png"], "the page of the login");
      assert.match(error ?? "", /editor/);
      assert.ok(!error?.includes("wrong password"));
    }
    assert.ok(!vrs.output.includes("wrong password"));
  });

  it("captures every state in every environment, and is unchanged the second time", async () => {
    await putSecret("EDITOR_PASSWORD", USER.password);
    const first = await ended(await submit());
    assert.deepEqual(
      first.screenshots.map(shot => `${pageName(shot)} ${shot.viewport}`).toSorted(),
      [
        "/ 600",
        "/ (dark) 500",
        "/ › menu open (dark) 500",
        "/ › menu open 600",
        "/account (dark) 500",
        "/account 600",
      ].toSorted(),
      JSON.stringify(first.screenshots.map(({ error }) => error)),
    );
    assert.deepEqual(
      first.screenshots.map(({ error }) => error),
      first.screenshots.map(() => null),
    );
    const hashes = new Set(first.screenshots.map(({ images }) => images.current?.split("/").at(-1)));
    assert.equal(hashes.size, first.screenshots.length, "each shows something else");
    const approved = await vrs.post(`/v1/baselines/${first.run.id}/approve`, {});
    assert.equal(approved.status, 200);

    const second = await ended(await submit());
    assert.equal(second.run.conclusion, "passed", JSON.stringify(second.screenshots));
    assert.equal(second.run.counts.unchanged, 6);
    const of = async (query: string) =>
      baselineList.parse(await (await vrs.request(`/v1/baselines?project=app&${query}`)).json()).data;
    assert.equal((await of("environment=dark")).length, 3);
    assert.equal((await of("environment=default")).length, 3);
    assert.deepEqual((await of("state=menu%20open&environment=dark")).map(pageName), [
      "/ › menu open (dark)",
    ]);
    for (const value of [USER.password, USER.totp]) assert.ok(!vrs.output.includes(value));
  });

  it("reports a removed environment like a removed route", async () => {
    const { environments: _environments, ...options } = OPTIONS;
    const perRoute = { ...OPTIONS.perRoute, "/account": { session: "editor" } };
    const { screenshots } = await ended(await submit({ ...options, perRoute }));
    const removed = screenshots.filter(({ status }) => status === "removed");
    assert.deepEqual(removed.map(pageName).toSorted(), [
      "/ (dark)",
      "/ › menu open (dark)",
      "/account (dark)",
    ]);
  });

  it("takes routes, options and logins from the stored configuration of the project", async () => {
    const put = (project: string, configuration: object) =>
      vrs.request(`/v1/projects/${project}/configuration`, {
        method: "PUT",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ version: 0, configuration }),
      });
    const { sessions } = OPTIONS;
    const perRoute = { "/account": { session: "editor" } };
    const configuration = { routes: ["/", "/account"], viewports: [600], sessions, perRoute };
    assert.equal((await put("app", configuration)).status, 200);
    const whole = await ended(await vrs.post("/v1/run", { url: application.url, project: "app" }));
    assert.deepEqual(
      whole.screenshots
        .filter(({ status }) => status !== "removed")
        .map(shot => [pageName(shot), shot.error]),
      [
        ["/", null],
        ["/account", null],
      ],
    );
    const named = { routes: ["/account"], options: { session: "editor" } };
    const one = await ended(await vrs.post("/v1/run", { url: application.url, project: "app", ...named }));
    assert.equal(one.screenshots.find(({ route }) => route === "/account")?.error, null);

    assert.equal((await put("monitors", { sessions })).status, 200);
    const monitor = { name: "Account", url: application.url, ...named };
    await problemOf(await vrs.post("/v1/monitors", monitor), "invalid_request");
    for (const [name, value] of Object.entries({ EDITOR_PASSWORD: USER.password, EDITOR_TOTP: USER.totp }))
      await vrs.request(`/v1/projects/monitors/secrets/${name}`, {
        method: "PUT",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ value }),
      });
    const other = { ...monitor, options: { session: "editr" } };
    const { detail } = await problemOf(await vrs.post("/v1/monitors", other), "invalid_request");
    assert.match(detail, /names "editr", which is not one of the sessions. Did you mean "editor"/);
    const made = await vrs.post("/v1/monitors", monitor);
    assert.equal(made.status, 201);
    const { id } = monitorView.parse(await made.json());
    const expected = [
      ["established", [["/account", "new"]]],
      ["ok", [["/account", "ok"]]],
    ];
    for (const checks of [1, 2]) {
      if (checks === 2) assert.equal((await vrs.post(`/v1/monitors/${id}/run`, {})).status, 202);
      const history = async () =>
        checkList.parse(await (await vrs.request(`/v1/monitors/${id}/history`)).json()).data;
      await until(async () => (await history()).filter(({ outcome }) => outcome !== null).length === checks);
      const [{ outcome, drift } = assert.fail()] = await history();
      assert.deepEqual([outcome, drift.map(({ route, state }) => [route, state])], expected[checks - 1]);
    }
  });
});
