import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright";
import { configurationView } from "../../../../shared/contracts/configuration/configuration.ts";
import { createdKey } from "../../../../shared/contracts/teams/keys.ts";
import { assertAccessible } from "../../../support/drivers/browser/axe.ts";
import { launchBrowser, type Visit, visit } from "../../../support/drivers/browser/report-browser.ts";
import { Vrs } from "../../../support/drivers/vrs.ts";
import { Application, USER } from "../../../support/servers/application/application.ts";

const ROOT = join(import.meta.dirname, "../../../..");
const PASSWORD = `\${secret.EDITOR_PASSWORD}`;
const PAGE = "/baselines/configuration?project=app";

/** The steps of the login, as action and fields in the form's order. */
const STEPS = [
  ["fill", "label=Email", USER.email],
  ["fill", "label=Password", PASSWORD],
  ["click", 'role=button[name="Log in"]'],
] as const;

describe("The configuration in the dashboard", () => {
  let vrs: Vrs;
  let application: Application;
  let browser: Browser;
  let visited: Visit;
  let page: Page;

  const at = (path: string) => `${vrs.baseUrl}${path}`;
  const send = (method: string, path: string, body: object) =>
    vrs.request(path, {
      method,
      body: JSON.stringify(body),
      headers: { "Content-Type": "application/json" },
    });
  const stored = async () =>
    configurationView.parse(await (await vrs.request("/v1/projects/app/configuration")).json());
  const signIn = async (on: Page, key = vrs.key) => {
    await on.goto(at("/sign-in"));
    await on.getByLabel("API key").fill(key);
    await on.getByRole("button", { name: "Sign in with API key" }).click();
    await on.getByRole("heading", { name: "Runs" }).waitFor();
  };
  const save = async (section: string) => {
    await page.getByRole("button", { name: `Save ${section}`, exact: true }).click();
    await page.getByRole("button", { name: `Save ${section}`, exact: true, disabled: false }).waitFor();
  };

  before(async () => {
    await promisify(execFile)(process.execPath, [join(ROOT, "cli/build-dashboard.mjs")]);
    application = await Application.start();
    application.needsCode = false;
    [vrs, browser] = await Promise.all([Vrs.start(), launchBrowser()]);
    visited = await visit(browser, { viewport: { width: 1440, height: 900 }, bypassCSP: true });
    page = visited.page;
    await signIn(page);
  });
  after(async () => {
    await browser?.close();
    await Promise.all([vrs?.stop(), application?.stop()]);
  });

  it("is edited by section, with the steps of a login, and saved", async () => {
    await page.goto(at(PAGE));
    await page.getByText("Not saved yet.").waitFor();
    await page.getByLabel("Routes", { exact: true }).fill("/\n/account");
    await page.getByLabel("Viewports").first().fill("600, 900 × 500");
    await page.getByLabel("Threshold in percent").fill("0.5");
    await page.getByRole("button", { name: "Add environment" }).click();
    await page.getByRole("form", { name: "Pages and threshold" }).getByText("Unsaved changes").waitFor();
    const environment = page.getByRole("group", { name: "New environment" });
    await environment.getByLabel("Name").fill("dark");
    await page
      .getByRole("group", { name: "Environment dark" })
      .getByLabel("Color scheme")
      .selectOption("dark");
    await page.getByRole("button", { name: "Add ignore region" }).click();
    await page.getByLabel("CSS selector", { exact: true }).fill(".clock");
    await page.getByRole("button", { name: "Add session" }).click();
    await page.getByRole("group", { name: "New session" }).getByLabel("Name", { exact: true }).fill("editor");
    const session = page.getByRole("group", { name: "Session editor" });
    await session.getByLabel("Login page").fill("/login");
    await session.getByLabel("Proof of the login").fill("Account of");
    for (const [index, [action, selector, value]] of STEPS.entries()) {
      await session.getByRole("button", { name: "Add step" }).click();
      const step = session.getByRole("group", { name: `Step ${index + 1}`, exact: true });
      await step.getByLabel("Action").selectOption(action);
      await step.getByLabel("Locator").fill(selector);
      if (value) await step.getByLabel("Value").fill(value);
    }
    await page.getByRole("button", { name: "Add route" }).click();
    await page
      .getByRole("group", { name: "New route" })
      .getByLabel("Route", { exact: true })
      .fill("/account");
    await page.getByRole("group", { name: "Route /account" }).getByLabel("Session").selectOption("editor");
    await save("pages and threshold");
    await page.getByText("Configuration saved. It applies to the next run.").waitFor();
    assert.deepEqual((await stored()).configuration, {
      routes: ["/", "/account"],
      viewports: [600, { width: 900, height: 500 }],
      threshold: 0.005,
    });
    assert.equal(await page.getByRole("form", { name: "Sessions" }).getByText("Unsaved changes").count(), 1);
    for (const section of ["ignore regions", "environments", "sessions", "settings of single routes"])
      await save(section);
    assert.equal(await page.getByText("Unsaved changes").count(), 0);
    const { configuration, version } = await stored();
    assert.equal(version, 5);
    assert.deepEqual(configuration, {
      routes: ["/", "/account"],
      viewports: [600, { width: 900, height: 500 }],
      threshold: 0.005,
      ignoreRegions: [{ selector: ".clock" }],
      environments: { dark: { colorScheme: "dark" } },
      sessions: {
        editor: {
          url: "/login",
          expect: { text: "Account of" },
          steps: STEPS.map(([action, selector, value]) => ({ action, selector, ...(value && { value }) })),
        },
      },
      perRoute: { "/account": { session: "editor" } },
    });
    await page.getByText("doesn't have 1 secret that this configuration uses: EDITOR_PASSWORD").waitFor();
    await assertAccessible(page);
  });

  it("keeps secrets, and never shows them", async () => {
    await page.getByLabel("Secret name").fill("EDITOR_PASSWORD");
    await page.getByLabel("Value").last().fill(USER.password);
    await page.getByRole("button", { name: "Save secret" }).click();
    await page.getByText("Secret EDITOR_PASSWORD saved.").waitFor();
    await page.getByRole("list", { name: "Secrets" }).getByText("EDITOR_PASSWORD").waitFor();
    assert.equal(await page.getByText("doesn't have 1 secret").count(), 0);
    assert.equal((await page.content()).includes(USER.password), false);
  });

  it("tries a page that is behind the login, in an environment", async () => {
    const panel = page.getByRole("region", { name: "Try it" });
    await panel.getByLabel("URL of the site").fill(application.url);
    await panel.getByLabel("Route").fill("/account");
    await panel.getByLabel("Environment").selectOption("dark");
    await panel.getByLabel("Viewport").selectOption("900");
    await panel.getByRole("button", { name: "Try it" }).click();
    await panel.getByText("Captured 1 screenshot.").waitFor();
    const image = panel.getByRole("img", { name: /Screenshot of \/account/ });
    await image.evaluate((element: HTMLImageElement) => element.decode());
    assert.equal(await image.evaluate((element: HTMLImageElement) => element.naturalWidth), 900);
    assert.equal(application.logins, 1);
    await assertAccessible(page);
  });

  it("tries steps that are not saved, and names the one that failed", async () => {
    const route = page.getByRole("group", { name: "Route /account" });
    await route.getByRole("button", { name: "Add step" }).click();
    await route.getByRole("button", { name: "Add step" }).click();
    await route.getByRole("group", { name: "Step 1", exact: true }).getByLabel("Locator").fill("#none");
    const second = route.getByRole("group", { name: "Step 2", exact: true });
    await second.getByLabel("Action").selectOption("hover");
    await second.getByLabel("Locator").fill("h1");
    // The keyboard suffices.
    await route.getByRole("button", { name: "Move step 2 up" }).press("Enter");
    const panel = page.getByRole("region", { name: "Try it" });
    await panel.getByRole("button", { name: "Try it" }).press("Enter");
    await panel.getByText("1 screenshot could not be captured.").waitFor();
    await panel
      .getByRole("alert")
      .getByText(/Step 2 \(click #none\) failed/)
      .waitFor();
    await panel.getByRole("img", { name: /when it failed/ }).waitFor();
    const steps = await panel.locator(".trial-steps li").allTextContents();
    assert.match(steps[0] ?? "", /Step 1 \(hover h1\)Done/);
    assert.match(steps[1] ?? "", /Step 2 \(click #none\)Failed/);
    assert.equal((await stored()).version, 5);
  });

  it("shows errors at their fields", async () => {
    const viewports = page.getByLabel("Viewports").first();
    await viewports.fill("wide");
    await save("pages and threshold");
    await page.getByText("The configuration was not saved.").waitFor();
    assert.equal(await viewports.getAttribute("aria-invalid"), "true");
    await viewports.fill("600");
    const session = page.getByRole("group", { name: "Session editor" });
    const step = session.getByRole("group", { name: "Step 2", exact: true });
    await step.getByLabel("Value").fill("a password");
    await save("sessions");
    await step.getByText(/must be a reference to a secret/).waitFor();
    assert.equal(await step.getByLabel("Value").getAttribute("aria-invalid"), "true");
    await step.getByLabel("Value").fill(PASSWORD);
  });

  it("doesn't replace a version that someone else saved", async () => {
    const configuration = { routes: ["/other"] };
    assert.equal(
      (await send("PUT", "/v1/projects/app/configuration", { version: 5, configuration })).status,
      200,
    );
    await save("elements");
    await page.getByText(/The configuration changed since you read version 5/).waitFor();
    assert.deepEqual((await stored()).configuration, configuration);
    await page.getByRole("button", { name: "Discard changes and load the latest" }).click();
    await page.getByText(/Version 6, saved by/).waitFor();
    assert.equal(await page.getByLabel("Routes", { exact: true }).inputValue(), "/other");
  });

  it("is edited as JSON, and keeps fields that the form doesn't show", async () => {
    await page.getByRole("radio", { name: "JSON" }).check();
    const json = page.getByLabel("Configuration as JSON");
    await json.fill("{");
    await page.getByRole("radio", { name: "Form" }).click();
    await page.getByText(/This is not valid JSON/).waitFor();
    await json.fill(JSON.stringify({ clock: "2026-01-31T09:00:00Z", masks: [".ad"] }));
    await save("JSON");
    await page.getByText(/Version 7, saved by/).waitFor();
    await page.getByRole("radio", { name: "Form" }).check();
    await page.getByText("Also set: clock. Switch to JSON to edit.").waitFor();
    await page.getByLabel("Masks").fill(".ad\n.clock");
    await save("elements");
    await page.getByText(/Version 8, saved by/).waitFor();
    assert.deepEqual((await stored()).configuration, {
      clock: "2026-01-31T09:00:00Z",
      masks: [".ad", ".clock"],
    });
  });

  it("opens with the latest version after the page was left", async () => {
    await page.locator(".project a").click();
    await page.getByRole("heading", { name: "Baselines", exact: true }).waitFor();
    const configuration = { masks: [".later"] };
    const saved = await send("PUT", "/v1/projects/app/configuration", { version: 8, configuration });
    assert.equal(saved.status, 200);
    await page.goBack();
    await page.getByText(/Version 9, saved by/).waitFor();
    assert.equal(await page.getByLabel("Masks").inputValue(), ".later");
  });

  it("is read-only for viewers, and linked from the project and the monitors", async () => {
    const made = await send("POST", "/v1/keys", { name: "reader", role: "viewer" });
    const { key } = createdKey.parse(await made.json());
    const reader = await visit(browser, { viewport: { width: 375, height: 800 }, bypassCSP: true });
    await signIn(reader.page, key);
    await reader.page.goto(at("/baselines?project=app"));
    await reader.page.getByRole("link", { name: "Project settings" }).click();
    assert(await reader.page.getByLabel("Masks").isDisabled());
    for (const name of [/^Save /, "Try it"])
      assert.equal(await reader.page.getByRole("button", { name }).count(), 0);
    await assertAccessible(reader.page);
    await reader.page.goto(at("/monitors"));
    await reader.page.getByRole("link", { name: "Monitor settings" }).click();
    await reader.page.getByText("All monitors can use these environments, sessions and secrets").waitFor();
    assert.equal(await reader.page.getByLabel("Routes", { exact: true }).count(), 0);
    assert.equal(await reader.page.getByRole("heading", { name: "Environments" }).count(), 1);
    await reader.page.close();
  });
});
