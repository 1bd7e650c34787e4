import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Collection } from "../../../cli/adapters/collection.ts";
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

  it("uploads the part of this machine with parallel, and refuses a nonce without it", async () => {
    const folder = await mkdtemp(join(tmpdir(), "vrs-cypress-"));
    const bodies: unknown[] = [];
    const server = createServer(async (request, response) => {
      bodies.push(JSON.parse(Buffer.concat(await request.toArray()).toString("utf8")));
      response.writeHead(403).end();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const access = { SERVICE_API_URL: `http://127.0.0.1:${port}`, SERVICE_API_KEY: "vrs_key" };
    Object.assign(process.env, access);
    const settings = { enabled: true, project: "shop", nonce: "ci-7" };
    try {
      assert.throws(() => vrs(on, { projectRoot: folder }, settings), /Set `parallel` too/);
      vrs(on, { projectRoot: folder }, { ...settings, enabled: false });
      const afterRun = vrs(on, { projectRoot: folder }, { ...settings, parallel: "2/4" });
      await afterRun({ status: "finished", totalFailed: 0 });
    } finally {
      for (const name of Object.keys(access)) Reflect.deleteProperty(process.env, name);
      server.close();
      await rm(folder, { recursive: true });
    }
    assert.partialDeepStrictEqual(bodies, [{ parallel: { nonce: "ci-7", total: 4 }, shard: "2" }]);
  });

  it("warns if a screenshot replaces that of another test file", async () => {
    const folder = await mkdtemp(join(tmpdir(), "vrs-cypress-"));
    const collection = new Collection({ enabled: true }, { folder: join(folder, "shots"), root: folder });
    const printed: string[] = [];
    const { write } = process.stderr;
    process.stderr.write = text => printed.push(String(text)) > 0;
    try {
      const image = Buffer.from("image");
      for (const testFile of ["a.cy.ts", "a.cy.ts", "b.cy.ts"])
        await collection.add({ name: "Cart", image, metadata: { testFile, browser: "Electron 138.0" } });
      await collection.add({ name: "Cart", image, metadata: { testFile: "c.cy.ts", environment: "dark" } });
    } finally {
      process.stderr.write = write;
      await rm(folder, { recursive: true });
    }
    assert.deepEqual(printed, [
      'vrs: the screenshot "Cart" of b.cy.ts, Electron 138.0 replaces that of a.cy.ts, Electron 138.0. Give one of them another name or environment.\n',
    ]);
  });

  it("captures the chain's element or the page, describes the test, and yields the element", async () => {
    const calls: unknown[] = [];
    interface Chain {
      subject: unknown;
      screenshot(name: string, options: { onAfterScreenshot: (...args: unknown[]) => void }): Chain;
      then(next: (value: unknown) => unknown): Chain;
    }
    const isChain = (value: unknown): value is Chain =>
      typeof value === "object" && value !== null && "subject" in value;
    let isEnabled = true;
    const chain = (value: unknown): Chain => ({
      subject: value,
      screenshot(name, { onAfterScreenshot, ...options }) {
        calls.push({ screenshot: name, ...options });
        onAfterScreenshot(null, { path: `/screenshots/${name}.png` });
        return chain(null);
      },
      // biome-ignore lint/suspicious/noThenProperty: Cypress's chains have it
      then(next) {
        const given = next(value);
        return isChain(given) ? given : chain(given === undefined ? value : given);
      },
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
      screenshot: chain(null).screenshot,
      wrap: (element: unknown) => {
        calls.push({ wrap: element });
        return chain(element);
      },
      task: (name: string, value: unknown) => {
        calls.push({ task: name, value });
        return chain(name === "vrsEnabled" ? isEnabled : null);
      },
    };
    Object.assign(globalThis, { Cypress: cypress, cy });
    try {
      await import("../../../cli/cypress/support.ts");
      assert.ok(typeof command === "function");
      const options = { masks: [".ad"], padding: 4, threshold: 0 };
      assert.equal(command("the button", "Button", options).subject, "the button");
      isEnabled = false;
      assert.equal(command("the link", "Link").subject, "the link");
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
      { wrap: "the button" },
      { task: "vrsEnabled", value: null },
      { wrap: "the link" },
    ]);
  });
});
