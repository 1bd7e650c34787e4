import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { bindConfig, configOf, loadConfig, SERVICE_NAMES, VARIABLE_NAMES } from "../../shared/config.ts";

describe("the configuration", () => {
  it("needs nothing", () => {
    const config = loadConfig({});
    assert.equal(config.port, 4400);
    assert.equal(config.baseUrl, "http://localhost:4400");
    assert.equal(config.dataDir, resolve(".service/data"));
    assert.deepEqual(config.services, [...SERVICE_NAMES]);
    assert.ok(config.renderConcurrency >= 1);
    assert.deepEqual(config.allowHosts, []);
    assert.deepEqual([config.chromiumPath, config.bootstrapKey], [null, null]);
    assert.equal(config.rateLimitPerMinute, 600);
    assert.equal(config.logLevel, "warn");
  });

  it("takes an empty variable for one that is not set", () => {
    const empty = Object.fromEntries(VARIABLE_NAMES.map(name => [name, ""]));
    assert.deepEqual(loadConfig(empty), loadConfig({}));
  });

  it("reads lists, numbers and addresses as they are written", () => {
    const config = loadConfig({
      PORT: "8080",
      SERVICE_BASE_URL: "https://vrs.example/base//",
      SERVICES: " gateway , runs,",
      SERVICE_ALLOW_HOSTS: "localhost:3000, 10.0.0.5 ,[::1]:8080",
    });
    assert.equal(config.port, 8080);
    assert.equal(config.baseUrl, "https://vrs.example/base");
    assert.deepEqual(config.services, ["gateway", "runs"]);
    assert.deepEqual(config.allowHosts, ["localhost:3000", "10.0.0.5", "[::1]:8080"]);
  });

  const faults: Record<string, string[]> = {
    PORT: ["none", "-1", "65536", "80.5"],
    SERVICE_BASE_URL: ["vrs.example", "ftp://vrs.example"],
    SERVICES: ["gateway,none", ","],
    RENDER_CONCURRENCY: ["0", "65", "many"],
    SERVICE_ALLOW_HOSTS: ["http://localhost", "localhost:0", "*.example.com", "localhost,/"],
    SERVICE_BOOTSTRAP_KEY: ["short", "a key of more than 24 characters"],
    SERVICE_RATE_LIMIT: ["0", "unlimited"],
    LOG_LEVEL: ["loud"],
  };
  for (const [name, values] of Object.entries(faults)) {
    it(`names ${name} when that is at fault`, () => {
      for (const value of values) {
        assert.throws(() => loadConfig({ [name]: value }), new RegExp(`not valid\\. ${name}: .+`), value);
      }
    });
  }

  it("names every variable at fault at once", () => {
    assert.throws(() => loadConfig({ PORT: "x", LOG_LEVEL: "x" }), /PORT: .+; LOG_LEVEL: .+/);
  });

  it("never tells a bootstrap key that it refuses", () => {
    const refused = { SERVICE_BOOTSTRAP_KEY: "not a key but secret, and long" };
    assert.throws(
      () => loadConfig(refused),
      (error: Error) => !error.message.includes("secret"),
    );
  });

  it("is a broker's own", () => {
    const [broker, config] = [{}, loadConfig({})];
    bindConfig(broker, config);
    assert.equal(configOf(broker), config);
    assert.throws(() => configOf({}), /without brokerOptions/);
  });
});

describe("docs/configuration.md", () => {
  it("has a row for every variable, and for nothing else", () => {
    const text = readFileSync(new URL("../../docs/configuration.md", import.meta.url), "utf8");
    const rows = [...text.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name]) => name);
    assert.deepEqual(rows.toSorted(), VARIABLE_NAMES.toSorted());
  });
});
