import assert from "node:assert/strict";
import { CaptureError } from "../../../shared/capture/capture-types.ts";
import { CaptureTestContext } from "../../support/contexts/capture-context.ts";
import { html } from "../../support/fixtures/sites/flake-pages.ts";

const SECRET = "swordfish-4711";

describe("diagnostics of a page", () => {
  let context: CaptureTestContext;
  before(async () => {
    context = await CaptureTestContext.start(
      {
        "/quiet": html(`<p>quiet</p><script>console.log("hello"); console.info("hello")</script>`),
        "/bad": html(`<img src="/gone.png" alt=""><script src="/bad.js"></script>`),
        "/bad.js": (_request, response) =>
          response
            .writeHead(200, { "Content-Type": "text/javascript" })
            .end(
              `console.error("it broke:", { code: 7 });\nconsole.warn("careful");\nfetch("/cut", { method: "POST" }).catch(() => {});\nfunction later() {\n  missing();\n}\nsetTimeout(later, 10);`,
            ),
        "/cut": (_request, response) => response.destroy(),
        "/rejects": html(`<script>Promise.reject(new RangeError("too far"))</script>`),
        "/floods": html(
          `<script>for (let n = 0; n < 30; n++) { console.error("error " + n); console.error("again") }</script>`,
        ),
        "/talks": html(`<script>for (let n = 0; n < 5000; n++) console.log(n)</script><p>talks</p>`),
        "/throws": html(
          `<p>throws</p><script>for (let n = 0; n < 1500; n++) {
            const error = new Error("no " + n); if (n < 3) error.stack = "\\n ".repeat(100_000); reportError(error)
          }</script>`,
        ),
        "/long": html(`<script>console.error("x".repeat(100_000))</script>`),
        "/gone": (_request, response) =>
          response
            .writeHead(404, { "Content-Type": "text/html" })
            .end(`<script>console.error("here")</script>`),
        "/states": html(`<button onclick="console.error('clicked')">Click</button>`),
        "/leaks": html(
          `<script>const q = "?key=${SECRET}"; fetch("/nothing" + q).catch(() => {}); console.error("sent " + q);
          setTimeout(() => { throw new Error("no " + q) })</script>`,
        ),
        "/refused": html(`<img src="http://127.0.0.1:4321/x.png" alt="">`),
        "/waits": html(`<p>waits</p><script>fetch("/never")</script>`),
        "/never": () => {},
        "/meant": html(`<img src="/blocked.png" alt=""><img src="/stub.png" alt="">`),
      },
      { settleMs: 1_000 },
    );
  });
  after(() => context.stop());

  const diagnosticsOf = async (path: string, options = {}, key = "one") =>
    (await context.capture(path, { options, secrets: { KEY: SECRET } }, key)).diagnostics;

  it("are null for a page without errors, also after a page with errors", async () => {
    assert.notEqual(await diagnosticsOf("/bad"), null);
    assert.equal(await diagnosticsOf("/quiet"), null);
  });

  it("name failed requests, console messages and uncaught errors with their place", async () => {
    const { url } = context.site;
    const { failedRequests, ...others } = (await diagnosticsOf("/bad")) ?? {};
    // The proxy answers for a connection that was cut.
    const cut = { url: `${url}/cut`, method: "POST", type: "fetch", status: 502, error: null, times: 1 };
    const gone = { ...cut, url: `${url}/gone.png`, method: "GET", type: "image", status: 404 };
    assert.deepEqual(
      failedRequests?.toSorted((a, b) => a.url.localeCompare(b.url)),
      [cut, gone],
    );
    const script = `${url}/bad.js`;
    assert.deepEqual(others, {
      consoleMessages: [
        { level: "error", text: "it broke: {code: 7}", url: script, line: 1, times: 1 },
        { level: "warning", text: "careful", url: script, line: 2, times: 1 },
      ],
      pageErrors: [
        {
          message: "ReferenceError: missing is not defined",
          source: `later (${script}:5:3)`,
          times: 1,
        },
      ],
      dropped: { failedRequests: 0, consoleMessages: 0, pageErrors: 0 },
    });
  });

  it("include rejections that no script handles", async () => {
    const errors = (await diagnosticsOf("/rejects"))?.pageErrors ?? [];
    assert.deepEqual(
      errors.map(({ message }) => message),
      ["RangeError: too far"],
    );
  });

  it("list 20 different messages, and count repeated and dropped ones", async () => {
    const found = await diagnosticsOf("/floods");
    assert.equal(found?.consoleMessages.length, 20);
    assert.deepEqual(
      found.consoleMessages.slice(0, 2).map(({ text, times }) => [text, times]),
      [
        ["error 0", 1],
        ["again", 30],
      ],
    );
    assert.equal(found.dropped.consoleMessages, 11);
  });

  it("include messages of the page after one that floods its console", async () => {
    await diagnosticsOf("/talks");
    assert.equal((await diagnosticsOf("/bad"))?.consoleMessages.length, 2);
  });

  it("are bounded for a page that throws without end, with stacks that are slow to read", async () => {
    const start = performance.now();
    const found = await diagnosticsOf("/throws");
    assert.equal(found?.pageErrors.length, 20);
    assert.equal(found.dropped.pageErrors, 980);
    assert.ok(performance.now() - start < 10_000, `${performance.now() - start} ms`);
  });

  it("have texts of at most 500 characters", async () => {
    assert.equal((await diagnosticsOf("/long"))?.consoleMessages[0]?.text.length, 500);
  });

  it("stay with the error of a page that can't be captured", async () => {
    const [outcome] = await context.visit("/gone");
    assert.ok(outcome instanceof CaptureError);
    assert.equal(outcome.code, "http_status");
    assert.deepEqual(
      outcome.diagnostics?.failedRequests.map(({ status, type }) => [status, type]),
      [[404, "document"]],
    );
  });

  it("belong to the state in which they happened, and to later ones", async () => {
    const steps = [
      { action: "screenshot", name: "before" } as const,
      { action: "click", selector: "button" } as const,
      { action: "screenshot", name: "after" } as const,
    ];
    const outcomes = await context.visit("/states", { options: { steps } });
    assert.deepEqual(
      outcomes.map(({ diagnostics }) => diagnostics?.consoleMessages.map(({ text }) => text)),
      [undefined, ["clicked"]],
    );
  });

  it("have no secrets", async () => {
    const found = JSON.stringify(await diagnosticsOf("/leaks"));
    assert.ok(!found.includes(SECRET), found);
    assert.match(found, /sent \?key=•••/);
    assert.match(found, /no \?key=•••/);
    assert.match(found, /nothing\?key=•••/);
  });

  it("say why the service refused a request", async () => {
    assert.match((await diagnosticsOf("/refused"))?.failedRequests[0]?.error ?? "", /127\.0\.0\.1/);
  });

  it("name requests without a response", async () => {
    const requests = (await diagnosticsOf("/waits"))?.failedRequests ?? [];
    assert.deepEqual(
      requests.map(({ url, error }) => [new URL(url).pathname, error]),
      [["/never", "no response yet"]],
    );
  });

  it("exclude requests that a network rule blocks or answers", async () => {
    const network = [
      { url: "**/blocked.png", action: "block" },
      { url: "**/stub.png", action: "fulfil", status: 404, contentType: "image/png", body: "" },
    ];
    assert.equal(await diagnosticsOf("/meant", { network }), null);
  });
});
