import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer, request, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { z } from "zod";
import { McpDriver } from "../../support/drivers/browser/mcp-driver.ts";
import { until } from "../../support/drivers/until.ts";
import { VrsCommand, vrs } from "../../support/drivers/vrs-command.ts";

const KEY = "vrs_key_of_the_agent";

async function drawScreenshot(path: string, color: string): Promise<void> {
  const box = {
    input: { create: { width: 60, height: 30, channels: 3, background: color } },
    left: 40,
    top: 20,
  } as const;
  await sharp({ create: { width: 300, height: 200, channels: 3, background: "#fff" } })
    .composite([box])
    .png()
    .toFile(path);
}

describe("vrs mcp", () => {
  let cwd: string;

  before(async () => {
    cwd = await mkdtemp(join(tmpdir(), "vrs-mcp-"));
    await mkdir(join(cwd, "shots"));
  });
  after(() => rm(cwd, { recursive: true, force: true }));

  describe("without a service", () => {
    let agent: McpDriver;
    before(async () => {
      agent = await McpDriver.stdio([], cwd, {});
    });
    after(() => agent.close());

    it("says how to begin without a check, and without a service", async () => {
      const check = await agent.call("get_check");
      assert.ok(check.isError);
      assert.match(check.text, /^no_check: /);
      assert.match((await agent.call("list_runs")).text, /^no_access: .*vrs login/);
      assert.match((await agent.call("list_runs", { limit: 1000 })).text, /limit/);
      assert.deepEqual(
        (await agent.client.listResources()).resources.map(({ uri }) => uri),
        ["vrs://check/report"],
      );
    });

    it("returns the last check's changes with pictures, and approves some", async () => {
      for (const name of ["button", "card"]) await drawScreenshot(join(cwd, "shots", `${name}.png`), "#036");
      const check = () => vrs(["check", "--screenshots", "shots"], { cwd });
      assert.equal((await check()).code, 1);
      const refused = await agent.call("approve_check", {});
      assert.match(refused.text, /^no_selection: /);
      assert.equal((await agent.call("approve_check", { all: true })).result.approvedCount, 2);
      for (const name of ["button", "card"]) await drawScreenshot(join(cwd, "shots", `${name}.png`), "#c00");
      assert.equal((await check()).code, 1);

      const first = await agent.call("get_check", { limit: 1 });
      assert.equal(first.result.conclusion, "changed");
      assert.equal(first.images.length, 1);
      const next = await agent.call("get_check", { limit: 1, cursor: first.result.nextCursor });
      assert.equal(next.result.nextCursor, null);
      const { changes } = z
        .object({ changes: z.array(z.object({ route: z.string(), regionCount: z.number() })) })
        .parse(next.result);
      assert.deepEqual(changes, [{ route: "card", regionCount: 1 }]);
      const report = await agent.client.readResource({ uri: "vrs://check/report" });
      assert.match(JSON.stringify(report.contents), /\| card \| 300 \| changed \|/);

      const { result } = await agent.call("approve_check", { routes: ["card"] });
      assert.deepEqual(result.approved, [
        {
          route: "card",
          viewport: 300,
          did: "updated",
          file: ".service/baselines/screenshots/card~8367cd66--300.png",
        },
      ]);
    });

    it("leaves out all tools that change something with --read-only", async () => {
      const reader = await McpDriver.stdio(["--read-only"], cwd, {});
      const { tools } = await reader.client.listTools();
      await reader.close();
      assert.ok(tools.length > 5);
      assert.deepEqual(
        tools.filter(({ annotations }) => !annotations?.readOnlyHint).map(({ name }) => name),
        [],
      );
      const all = (await agent.client.listTools()).tools;
      const destructive = all
        .filter(({ annotations }) => annotations?.destructiveHint)
        .map(({ name }) => name);
      assert.deepEqual(destructive, ["approve_changes", "reject_changes", "approve_check"]);
      assert.ok(all.every(({ outputSchema }) => outputSchema?.type === "object"));
    });
  });

  describe("over HTTP", () => {
    let service: Server;
    let command: VrsCommand;
    let url: URL;
    let keys: string[];

    before(async () => {
      keys = [];
      // A service that knows one key.
      service = createServer((req, res) => {
        const sent = req.headers.authorization ?? "";
        keys.push(sent);
        const isKnown = sent === `Bearer ${KEY}`;
        const problem = {
          type: "",
          title: "",
          status: 401,
          detail: "Unknown.",
          code: "unauthorized",
          requestId: "r",
        };
        res.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" });
        res.end(JSON.stringify(isKnown ? { data: [], nextCursor: null } : problem));
      }).listen(0, "127.0.0.1");
      await once(service, "listening");
      const address = service.address();
      const port = typeof address === "object" ? address?.port : 0;
      const env = { SERVICE_API_URL: `http://127.0.0.1:${port}`, SERVICE_API_KEY: "vrs_key_of_the_owner" };
      command = new VrsCommand(["mcp", "--http", "0"], { cwd, env });
      await until(async () => command.stderr.includes("/mcp"));
      url = new URL(/http:\S+\/mcp/.exec(command.stderr)?.[0] ?? "");
    });
    after(async () => {
      command?.signal("SIGTERM");
      await command?.ended();
      service?.closeAllConnections();
      service?.close();
    });

    const post = (headers: Record<string, string>, path = "/mcp", body = "{}") =>
      new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
        const sent = request({ host: url.hostname, port: url.port, path, method: "POST", headers }, res => {
          let text = "";
          res.setEncoding("utf8").on("data", part => {
            text += part;
          });
          res.on("end", () => resolve({ status: res.statusCode, text }));
        });
        sent.on("error", reject);
        sent.end(body);
      });
    const authorization = `Bearer ${KEY}`;

    it("serves clients with a key of the service, and acts with that key only", async () => {
      const agent = await McpDriver.http(url.href, KEY);
      const { tools } = await agent.client.listTools();
      assert.ok(tools.every(({ name }) => !name.endsWith("_check")));
      assert.deepEqual((await agent.call("list_runs")).result, { runs: [], nextCursor: null });
      await agent.close();
      assert.deepEqual([...new Set(keys)], [authorization]);
    });

    it("refuses requests without a key that the service knows", async () => {
      assert.match((await post({})).text, /No API key was sent/);
      const wrong = await post({ authorization: "Bearer vrs_wrong" });
      assert.deepEqual([wrong.status, /rejected this API key/.test(wrong.text)], [401, true]);
    });

    it("refuses other hosts and origins before it reads the key", async () => {
      const count = keys.length;
      assert.equal((await post({ authorization, host: "evil.example" })).status, 403);
      assert.equal((await post({ authorization, origin: "https://evil.example" })).status, 403);
      assert.equal((await post({ authorization, origin: "null" })).status, 403);
      assert.equal((await post({ authorization }, "/")).status, 404);
      assert.equal(keys.length, count);
    });

    it("refuses large requests", async () => {
      const large = await post({ authorization }, "/mcp", " ".repeat(1024 * 1024 + 1));
      assert.equal(large.status, 413);
    });

    it("ends on SIGTERM, and refuses a port that isn't one or that is taken", async () => {
      const wrong = await vrs(["mcp", "--http", "99999"], { cwd });
      assert.equal(wrong.code, 2);
      assert.match(wrong.stderr, /--http must be a port/);
      const env = { SERVICE_API_URL: url.origin };
      const taken = await vrs(["mcp", "--http", url.port], { cwd, env });
      assert.deepEqual([taken.code, /in use\. Choose another one with --http/.test(taken.stderr)], [2, true]);
      command.signal("SIGTERM");
      assert.equal(await command.ended(), 0);
    });
  });
});
