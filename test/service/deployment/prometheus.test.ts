import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { until } from "../../support/drivers/until.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { Site } from "../../support/fixtures/site.ts";
import { findPromtool, needs } from "../../support/servers/server-programs.ts";

const MONITORING = join(import.meta.dirname, "../../../docker/monitoring");

const REPORTED_LATER = ["vrs_monitors_overdue_seconds", "vrs_queue_waiting"];

/** Runs promtool in the folder of the rules. @returns its exit code, and all that it printed */
function promtool(args: string[], input = ""): Promise<{ code: unknown; printed: string }> {
  return new Promise(resolve => {
    const ended = (error: { code?: unknown } | null, out: string, errors: string) =>
      resolve({ code: error?.code ?? 0, printed: `${out}${errors}` });
    const child = execFile(findPromtool() ?? "promtool", args, { cwd: MONITORING }, ended);
    child.stdin?.end(input);
  });
}

describe("The files for Prometheus", () => {
  needs("promtool");

  it("have valid alert rules", async () => {
    const { code, printed } = await promtool(["check", "rules", "alerts.yml"]);
    assert.equal(code, 0, printed);
    assert.match(printed, /[1-9]\d* rules found/);
  });

  it("have alert rules that pass their tests", async () => {
    const { code, printed } = await promtool(["test", "rules", "alerts.test.yml"]);
    assert.equal(code, 0, printed);
  });
});

describe("The metrics of a node that has done a run", () => {
  needs("promtool");
  let vrs: Vrs;
  let site: Site;
  let metrics: string;

  before(async () => {
    let visits = 0;
    const changing = () => `<h1>Visit ${++visits}</h1>`;
    site = await Site.start({ "/": (_req, res) => void res.end(changing()) });
    vrs = await Vrs.start();
    const client = vrs.client();
    const run = async () => {
      const { id } = await client.submitRun({ url: site.url, viewports: [800] });
      await client.waitForRun(id);
      return id;
    };
    await client.approve(await run());
    await run();
    // Schedulers and queues report every few seconds.
    await until(async () => {
      metrics = await (await vrs.request("/metrics")).text();
      return REPORTED_LATER.every(name => metrics.includes(`\n${name}`));
    });
  });

  after(async () => {
    await vrs?.stop();
    await site?.stop();
  });

  it("follow Prometheus's conventions", async () => {
    const { code, printed } = await promtool(["check", "metrics"], metrics);
    assert.equal(code, 0, printed);
  });

  for (const file of ["alerts.yml", "grafana-dashboard.json"]) {
    it(`include all that are queried in ${file}`, async () => {
      const text = await readFile(join(MONITORING, file), "utf8");
      const queried = new Set([...text.matchAll(/\bvrs_[a-z_]+\b/g)].map(String));
      const exported = new Set([...metrics.matchAll(/^(vrs_[a-z_]+)[ {]/gm)].map(([, name]) => name));
      assert.ok(queried.size > 3);
      assert.deepEqual(
        [...queried].filter(name => !exported.has(name)),
        [],
      );
    });
  }
});
