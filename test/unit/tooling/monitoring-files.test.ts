import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { METRICS } from "../../../shared/broker/metrics/metric-catalogue.ts";

const ROOT = join(import.meta.dirname, "../../..");
const FILES = [
  "docker/monitoring/alerts.yml",
  "docker/monitoring/grafana-dashboard.json",
  "docs/guides/monitor-the-service.md",
  "docs/guides/run-a-fleet.md",
];
/** A metric in a query, with its labels. A quote in JSON is escaped. */
const SELECTOR = /\b(vrs_[a-z_]+?)(?:_(?:bucket|sum|count))?\b(?!…)(?:\{([^}]*)\})?/g;
const NOT_METRICS = /^vrs_(?:key|…)?$/;

/** Names in Prometheus's format, with their labels. */
const known = new Map(
  Object.values(METRICS).map(({ name, labelNames }) => [name.replaceAll(".", "_"), new Set(labelNames)]),
);

async function selectorsIn(file: string): Promise<[string, string[]][]> {
  const text = await readFile(join(ROOT, file), "utf8");
  return [...text.matchAll(SELECTOR)]
    .filter(([, name = ""]) => !NOT_METRICS.test(name))
    .map(([, name = "", labels = ""]) => [name, [...labels.matchAll(/[a-z]+(?=[=!]|$)/g)].map(String)]);
}

describe("Alert rules, the Grafana dashboard, and the docs of metrics", () => {
  for (const file of FILES) {
    it(`name only metrics and labels that exist: ${file}`, async () => {
      const selectors = await selectorsIn(file);
      assert.ok(selectors.length > 3);
      for (const [name, labels] of selectors) {
        const ofMetric = known.get(name);
        assert.ok(ofMetric, name);
        for (const label of labels) assert.ok(ofMetric.has(label), `${name}{${label}}`);
      }
    });
  }

  it("have every metric in the docs", async () => {
    const documented = new Set(
      (await selectorsIn("docs/guides/monitor-the-service.md")).map(([name]) => name),
    );
    assert.deepEqual(
      [...known.keys()].filter(name => !documented.has(name)),
      [],
    );
  });

  it("follow Prometheus's conventions", () => {
    for (const name of known.keys()) assert.match(name, /^vrs_[a-z_]+$/);
    for (const [name, labels] of known) assert.ok(!labels.has("le"), name);
  });
});
