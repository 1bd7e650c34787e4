import assert from "node:assert/strict";
import { CheckTestContext, reported } from "../../../support/contexts/check-context.ts";
import { Site } from "../../../support/fixtures/site.ts";

describe("checking with a HAR file", () => {
  let context: CheckTestContext;
  let api: Site;
  let apiUrl = "";
  before(async () => {
    const cors = { "Access-Control-Allow-Origin": "*" };
    api = await Site.start({
      "/price": (_request, response) =>
        response
          .writeHead(200, { ...cors, "Content-Type": "text/plain; charset=utf-8", "Set-Cookie": "a=1" })
          .end("5 €"),
      "/old": (_request, response) => response.writeHead(302, { ...cors, Location: "/price" }).end(),
    });
    apiUrl = api.url;
    context = await CheckTestContext.start({
      "/": `<!doctype html><title>Shop</title><h1></h1><h2></h2><script>
        const show = (to, path) => fetch("${apiUrl}" + path).then(r => r.text()).then(t => { to.textContent = t }, () => { to.textContent = "offline" });
        show(document.querySelector("h1"), "/price"); show(document.querySelector("h2"), "/old")</script>`,
    });
    await context.commit();
  });
  after(() => Promise.all([context.stop(), api.stop()]));

  const config = (more: object = {}) => ({
    routes: ["/"],
    network: [{ url: `${apiUrl}/**`, action: "har", file: "stubs/api.har", ...more }],
  });
  const text = async () => (await context.read("stubs/api.har")).toString();

  it("refuses a missing file, and says how to record it", async () => {
    const { code, message } = await context.failure(context.check(config()));
    assert.equal(code, "rule_file_invalid");
    assert.match(message, /stubs\/api\.har .*doesn't exist\. Record it with `vrs check --record-har`/);
    await context.write("stubs/api.har", "no HAR");
    assert.match((await context.failure(context.check(config()))).message, /is not a HAR file/);
  });

  it("refuses to record without a rule", async () => {
    const { message } = await context.failure(context.check({ routes: ["/"] }, { recordHar: true }));
    assert.match(message, /No network rule of these pages has the action har/);
  });

  it("records the file, and replays it after the server has stopped", async () => {
    await context.write("stubs/api.har", '{ "log": { "entries": [] } }');
    await context.check(config(), { recordHar: true });
    assert.deepEqual(
      context.events.flatMap(event => (event.type === "note" ? [event.message] : [])),
      ["Recorded 2 responses in stubs/api.har."],
    );
    assert.ok(!(await text()).includes("a=1"), "without cookies");
    await context.approve(config());
    await api.stop();
    const replayed = await context.check(config());
    assert.deepEqual(reported(replayed), ["unchanged /"]);
    assert.equal(replayed.screenshots[0]?.diagnostics, null);
    assert.deepEqual(reported(await context.check({ routes: ["/"] })), ["changed /"]);
  });

  it("lets other requests fail, and says that the file doesn't have them", async () => {
    await context.write("stubs/api.har", (await text()).replaceAll("/price", "/other"));
    const [shot] = (await context.check(config())).screenshots;
    assert.equal(shot?.status, "changed");
    assert.deepEqual(
      shot.diagnostics?.failedRequests.map(({ url, error }) => [url, error]),
      [[`${apiUrl}/price`, "not in stubs/api.har"]],
    );
  });

  it("doesn't have the requests of logins", async () => {
    const sessions = { user: { url: "/login", steps: [{ action: "waitFor", selector: "h1" }] } };
    const all = { routes: ["/"], session: "user", sessions };
    const network = [{ url: "**", action: "har", file: "stubs/all.har" }];
    context.site.pages.set("/login", "<h1>Login</h1>");
    await context.check({ ...all, network }, { recordHar: true });
    const recorded = (await context.read("stubs/all.har")).toString();
    assert.ok(context.site.requested.includes("/login"));
    assert.ok(recorded.includes("<h1>") && !recorded.includes("/login"), recorded);
  });

  it("sends other requests if the rule says so", async () => {
    const [shot] = (await context.check(config({ notFound: "continue" }))).screenshots;
    assert.match(shot?.diagnostics?.failedRequests[0]?.error ?? "", /CONNECTION_REFUSED/);
  });
});
