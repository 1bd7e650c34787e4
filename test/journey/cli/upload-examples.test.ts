import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ScreenshotsTestContext } from "../../support/contexts/screenshots-context.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { Site } from "../../support/fixtures/site.ts";

const GUIDE = join(import.meta.dirname, "../../../docs/guides/upload-screenshots-over-http.md");

const EXAMPLES = [
  { language: "python", program: "python3", versionArgs: ["--version"], file: "upload.py" },
  { language: "java", program: "java", versionArgs: ["-version"], file: "Upload.java" },
];

/** Runs a program in a folder, and returns its output. */
function runProgram(program: string, args: string[], options: { cwd: string; env: NodeJS.ProcessEnv }) {
  return new Promise<string>((resolve, reject) => {
    execFile(program, args, options, (error, stdout, stderr) =>
      error ? reject(new Error(stdout + stderr)) : resolve(stdout),
    );
  });
}

describe("the API in other languages", function () {
  this.timeout(120_000);
  let service: Vrs;
  let context: ScreenshotsTestContext;
  before(async () => {
    [service, context] = await Promise.all([Vrs.start(), ScreenshotsTestContext.start()]);
    await context.draw("screenshots/Cart.png", "#08f");
    await context.draw("screenshots/Menu.png", "#f80");
  });
  after(async () => {
    await Promise.all([service?.stop(), context?.stop()]);
  });

  for (const { language, program, versionArgs, file } of EXAMPLES) {
    it(`takes screenshots from the guide's example in ${language}`, async function () {
      if (spawnSync(program, versionArgs).status !== 0) this.skip();
      const guide = await readFile(GUIDE, "utf8");
      const [, code] = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(guide) ?? [];
      assert.ok(code !== undefined);
      await context.write(file, code);
      const env = { ...process.env, SERVICE_API_URL: service.baseUrl, SERVICE_API_KEY: service.key };
      const out = await runProgram(program, [file], { cwd: context.root, env });
      const run = /\brun_\w+/.exec(out)?.[0] ?? assert.fail(out);
      const end = performance.now() + 30_000;
      while ((await service.client().getRun(run)).status !== "completed") {
        assert.ok(performance.now() < end, out);
        await new Promise(resolve => setTimeout(resolve, 100));
      }
      const shots = await service.client().listScreenshots(run);
      assert.deepEqual(shots.map(({ route, width }) => [route, width]).sort(), [
        ["Cart", 120],
        ["Menu", 120],
      ]);
    });
  }

  it("is called by the client for Python, with lists, streams and errors", async function () {
    if (spawnSync("python3", ["--version"]).status !== 0) this.skip();
    const site = await Site.start({ "/": "<h1>Shop</h1>", "/about": "<h1>About</h1>" });
    try {
      await context.write("client.py", PYTHON);
      const access = { SERVICE_API_URL: service.baseUrl, SERVICE_API_KEY: service.key, SITE: site.url };
      const env = { ...process.env, ...access, PYTHONPATH: PYTHON_CLIENT, PYTHONDONTWRITEBYTECODE: "1" };
      const out = await runProgram("python3", ["client.py"], { cwd: context.root, env });
      assert.deepEqual(JSON.parse(out), {
        conclusion: "new",
        states: "completed",
        routes: ["/", "/about"],
        pages: 2,
        refused: ["not_found", 404, true],
      });
    } finally {
      await site.stop();
    }
  });
});

const PYTHON_CLIENT = join(import.meta.dirname, "../../../cli/client/python");
const PYTHON = `
import json, os
from vrs_client import ApiError, VrsClient

client = VrsClient(os.environ["SERVICE_API_URL"], lambda: os.environ["SERVICE_API_KEY"], retry_for=60)
body = {"url": os.environ["SITE"], "routes": ["/", "/about"], "viewports": [400], "project": "python"}
ids = [client.call("POST /v1/run", body=body, idempotency_key="once")["id"] for _ in range(2)]
assert ids[0] == ids[1], ids
states = [state["status"] for state in client.follow_run(ids[0])]
run = client.wait_for_run(ids[0])
shots = client.list("GET /v1/screenshots/{runId}", params={"runId": run["id"]}, query={"limit": 1})
routes = sorted(shot["route"] for shot in shots)
client.call("POST /v1/run", body={**body, "rerun": True})
pages = len(list(client.list("GET /v1/runs", query={"project": "python", "limit": 1})))
try:
    client.call("GET /v1/runs/{id}", params={"id": "run_/none"})
except ApiError as error:
    refused = [error.code, error.status, error.request_id is not None]
print(json.dumps({"conclusion": run["conclusion"], "states": states[-1], "routes": routes, "pages": pages, "refused": refused}))
`;
