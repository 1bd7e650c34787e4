import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { vrs } from "../../../cli/cypress/index.ts";
import { ReviewServerTestContext } from "../../support/contexts/review-server-context.ts";

/** Cypress's binary isn't on npm. These are the calls that it makes. */
describe("vrs/cypress", () => {
  let context: ReviewServerTestContext;
  const handlers = new Map<string, unknown>();
  const on = (event: string, handler: unknown) => void handlers.set(event, handler);
  before(async () => {
    context = await ReviewServerTestContext.start();
  });
  after(() => context?.stop());

  /** Calls a task of the plugin. */
  async function task(name: string, value: unknown): Promise<unknown> {
    const tasks = handlers.get("task");
    assert.ok(typeof tasks === "object" && tasks !== null);
    const run: unknown = Reflect.get(tasks, name);
    assert.ok(typeof run === "function");
    return await run(value);
  }

  it("sends the file of a screenshot, and deletes it", async () => {
    const { folder } = context;
    vrs(on, { projectRoot: folder.root });
    assert.equal(await task("vrsEnabled", null), true);
    await folder.draw("cypress/screenshots/Cart.png", "#08f");
    const path = join(folder.root, "cypress/screenshots/Cart.png");
    const metadata = { viewport: { width: 1000, height: 660 }, testFile: "cypress/e2e/shop.cy.ts" };
    assert.equal(await task("vrsScreenshot", { name: "Cart/empty", path, metadata }), null);
    assert.ok(!existsSync(path));
    await assert.rejects(task("vrsScreenshot", { name: "Cart/empty", path, metadata }), /wrote no file/);
    const end = performance.now() + 10_000;
    while (!context.terminal.errors.includes("1 new")) {
      assert.ok(performance.now() < end, context.terminal.errors);
      await new Promise(resolve => setTimeout(resolve, 30));
    }
    const result = JSON.parse(await readFile(join(folder.root, ".service/review/result.json"), "utf8"));
    assert.deepEqual(
      result.screenshots.map(({ route, viewport }: Record<string, unknown>) => [route, viewport]),
      [["Cart/empty", 1000]],
    );
  });

  it("is off outside of CI without vrs dev, and when it is disabled", async () => {
    vrs(on, { projectRoot: "/" }, { enabled: false });
    assert.equal(await task("vrsEnabled", null), false);
    const afterRun = handlers.get("after:run");
    assert.ok(typeof afterRun === "function");
    // It uploads nothing.
    await afterRun({ status: "finished", totalFailed: 0 });
  });

  it("captures the chain's element or the page, and describes the test", async () => {
    const calls: unknown[] = [];
    const chain = (value: unknown) => ({
      screenshot(
        name: string,
        { onAfterScreenshot, ...options }: { onAfterScreenshot: (...args: unknown[]) => void },
      ) {
        calls.push({ screenshot: name, ...options });
        onAfterScreenshot(null, { path: `/screenshots/${name}.png` });
        return chain(null);
      },
      // biome-ignore lint/suspicious/noThenProperty: Cypress's chains have it
      then: (next: (value: unknown) => unknown) => next(value),
    });
    let command: unknown;
    const cypress = {
      Commands: {
        add(_name: string, _options: object, added: unknown) {
          command = added;
        },
      },
      browser: { displayName: "Electron", version: "138.0" },
      spec: { relative: "cypress\\e2e\\shop.cy.ts" },
      currentTest: { titlePath: ["shop", "cart"] },
      currentRetry: 1,
      config: (name: string) => (name === "viewportWidth" ? 1000 : 660),
    };
    const cy = {
      ...chain(null),
      wrap: (element: unknown) => {
        calls.push({ wrap: element });
        return chain(element);
      },
      task: (name: string, value: unknown) => {
        calls.push({ task: name, value });
        return chain(name === "vrsEnabled" ? true : null);
      },
    };
    Object.assign(globalThis, { Cypress: cypress, cy });
    try {
      await import("../../../cli/cypress/support.ts");
      assert.ok(typeof command === "function");
      await command("the button", "Button", { masks: [".ad"], padding: 4, threshold: 0 });
    } finally {
      Reflect.deleteProperty(globalThis, "Cypress");
      Reflect.deleteProperty(globalThis, "cy");
    }
    const capture = {
      overwrite: true,
      capture: "viewport",
      blackout: [".ad"],
      disableTimersAndAnimations: true,
    };
    assert.deepEqual(calls, [
      { task: "vrsEnabled", value: null },
      { wrap: "the button" },
      { screenshot: "Button", ...capture, padding: 4 },
      {
        task: "vrsScreenshot",
        value: {
          ...{ name: "Button", path: "/screenshots/Button.png" },
          metadata: {
            browser: "Electron 138.0",
            viewport: { width: 1000, height: 660 },
            testFile: "cypress/e2e/shop.cy.ts",
            titlePath: ["shop", "cart"],
            retry: 1,
            threshold: 0,
          },
        },
      },
    ]);
  });
});
