import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { resolve } from "node:path";
import { brokerOptions } from "../../../moleculer.config.ts";
import { bindConfig, configOf, configureRunner, loadConfig } from "../../../shared/config.ts";
import { SERVICE_NAMES, VARIABLE_NAMES } from "../../../shared/environment/variables.ts";

/** A key of stored secrets. */
const KEY = Buffer.alloc(32, "k").toString("base64");

describe("The configuration", () => {
  it("needs no variables", () => {
    const config = loadConfig({});
    assert.equal(config.port, 4400);
    assert.equal(config.baseUrl, "http://localhost:4400");
    assert.equal(config.dataDir, resolve(".service/data"));
    assert.deepEqual(config.services, [...SERVICE_NAMES]);
    assert.ok(config.renderConcurrency >= 1);
    assert.deepEqual(config.allowHosts, []);
    assert.deepEqual([config.chromiumPath, config.bootstrapKey], [null, null]);
    assert.equal(config.rateLimitPerMinute, 600);
    assert.equal(config.plan, "business");
    assert.equal(config.logLevel, "warn");
  });

  it("counts an empty variable as unset", () => {
    const empty = Object.fromEntries(VARIABLE_NAMES.map(name => [name, ""]));
    assert.deepEqual(loadConfig(empty), loadConfig({}));
  });

  it("accepts the app's key with escaped line breaks, but no other key, and none without the id", () => {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    const CODEHOST_APP_PRIVATE_KEY = pem.replaceAll("\n", "\\n");
    const { scm } = loadConfig({ CODEHOST_APP_ID: "12", CODEHOST_APP_PRIVATE_KEY });
    assert.deepEqual(scm.app, { appId: "12", privateKey: pem, apiUrl: null });
    assert.equal(scm.api, null);
    assert.throws(
      () => loadConfig({ CODEHOST_APP_PRIVATE_KEY }),
      /CODEHOST_APP_ID must be set together with CODEHOST_APP_PRIVATE_KEY/,
    );
    const bad = () => loadConfig({ CODEHOST_APP_ID: "12", CODEHOST_APP_PRIVATE_KEY: "secret-secret" });
    assert.throws(
      bad,
      error => /CODEHOST_APP_PRIVATE_KEY must be/.test(String(error)) && !/secret-s/.test(String(error)),
    );
    assert.throws(() => loadConfig({ PREVIEW_DOMAIN_B: "https://x" }), /PREVIEW_DOMAIN_B must be a domain/);
  });

  it("reads lists, numbers, and URLs", () => {
    const config = loadConfig({
      PORT: "8080",
      SERVICE_BASE_URL: "https://vrs.example/base//",
      SERVICES: " gateway , runs,",
      NATS_URL: "nats://a:4222, tls://b:4222",
      DATABASE_URL: "postgres://vrs:secret@db/vrs",
      SERVICE_SECRET_KEY: `${KEY}, ${"0f".repeat(32)}`,
      IMAGE_STORE_URL: "file:///srv/images",
      SERVICE_ALLOW_HOSTS: "localhost:3000, 10.0.0.5 ,[::1]:8080",
    });
    assert.equal(config.port, 8080);
    assert.equal(config.baseUrl, "https://vrs.example/base");
    assert.deepEqual(config.services, ["gateway", "runs"]);
    assert.deepEqual(config.nats, ["nats://a:4222", "tls://b:4222"]);
    assert.equal(config.databaseUrl, "postgres://vrs:secret@db/vrs");
    assert.deepEqual(
      config.secretKeys.map(key => key.export().toString("hex")),
      ["6b".repeat(32), "0f".repeat(32)],
    );
    assert.deepEqual(config.imageStore, { kind: "file", folder: "/srv/images" });
    assert.deepEqual(config.allowHosts, ["localhost:3000", "10.0.0.5", "[::1]:8080"]);
  });

  it("enables payments only with all their variables", () => {
    const all = {
      STRIPE_SECRET_KEY: "sk_test_1",
      STRIPE_WEBHOOK_SECRET: "whsec_1",
      STRIPE_PRICE_PRO: "price_a, price_b",
      STRIPE_PRICE_BUSINESS: "price_c",
    };
    assert.equal(loadConfig({ STRIPE_API_URL: "http://localhost:1" }).payments, null);
    const prices = { pro: ["price_a", "price_b"], business: ["price_c"] };
    const payments = { secretKey: "sk_test_1", webhookSecret: "whsec_1", prices, apiUrl: null };
    assert.deepEqual(loadConfig(all).payments, payments);
    for (const name of Object.keys(all))
      assert.throws(
        () => loadConfig({ ...all, [name]: "" }),
        new RegExp(`${name} must be set together with STRIPE_`),
      );
    assert.throws(
      () => loadConfig({ STRIPE_PRICE_PRO: "price_a" }),
      /STRIPE_SECRET_KEY must be set together with STRIPE_PRICE_PRO/,
    );
    assert.throws(
      () => loadConfig({ ...all, STRIPE_SECRET_KEY: "pk_test_1" }),
      /STRIPE_SECRET_KEY must be a secret/,
    );
    assert.throws(
      () => loadConfig({ ...all, STRIPE_WEBHOOK_SECRET: "sk_1" }),
      /STRIPE_WEBHOOK_SECRET must be the/,
    );
    assert.throws(
      () => loadConfig({ ...all, STRIPE_PRICE_PRO: "9,99 €" }),
      /STRIPE_PRICE_PRO must be price ids/,
    );
    assert.throws(() => loadConfig({ ...all, STRIPE_PRICE_BUSINESS: "price_b" }), /must not contain price_b/);
    assert.throws(
      () => loadConfig({ ...all, STRIPE_API_URL: "https://host/v1" }),
      /STRIPE_API_URL must not have a path/,
    );
  });

  it("reads the place of images", () => {
    const storeOf = (url: string) => loadConfig({ IMAGE_STORE_URL: url }).imageStore;
    assert.deepEqual(loadConfig({}).imageStore, { kind: "file", folder: resolve(".service/data/images") });
    const amazon = { kind: "s3", bucket: "images", prefix: "", endpoint: null, region: "us-east-1" };
    assert.deepEqual(storeOf("s3://images"), amazon);
    assert.deepEqual(storeOf("s3://images/a/b/?region=eu-west-3&endpoint=http://minio:9000"), {
      ...amazon,
      prefix: "a/b",
      region: "eu-west-3",
      endpoint: "http://minio:9000",
    });
  });

  it("allows a single node only with every service, and several only with shared data", () => {
    const nats = { NATS_URL: "nats://bus:4222" };
    const shared = { ...nats, IMAGE_STORE_URL: "s3://images" };
    assert.throws(
      () => loadConfig({ SERVICES: "renderer" }),
      /NATS_URL must be set when SERVICES contains only some/,
    );
    assert.throws(() => loadConfig({ ...nats, SERVICES: "renderer" }), /IMAGE_STORE_URL must be set/);
    assert.throws(() => loadConfig(shared), /DATABASE_URL must be set/);
    assert.throws(() => loadConfig({ ...nats, SERVICES: "billing" }), /valid\. DATABASE_URL must be set/);
    for (const services of ["renderer", "differ", "gateway"]) {
      assert.equal(loadConfig({ ...shared, SERVICES: services }).databaseUrl, null);
    }
    assert.equal(
      loadConfig({ ...nats, DATABASE_URL: "postgres://db/vrs", SERVICES: "billing" }).nats?.length,
      1,
    );
  });

  it("requires a key of stored secrets in a fleet, with the command that creates one", () => {
    const database = { DATABASE_URL: "postgres://db/vrs" };
    const shared = { ...database, NATS_URL: "nats://bus:4222", IMAGE_STORE_URL: "s3://images" };
    for (const services of ["runs", "teams,billing", "monitors", "alerts", "platform", "scm"])
      assert.throws(
        () => loadConfig({ ...shared, SERVICES: services }),
        /valid\. SERVICE_SECRET_KEY must be set .* Create a key with: openssl rand -base64 32/,
      );
    assert.throws(() => loadConfig(database), /SERVICE_SECRET_KEY must be set/);
    assert.equal(loadConfig({ ...database, SERVICE_SECRET_KEY: KEY }).secretKeys.length, 1);
    assert.deepEqual(loadConfig({ ...shared, SERVICES: "renderer,billing" }).secretKeys, []);
  });

  const faults: Record<string, string[]> = {
    PORT: ["none", "-1", "65536", "80.5"],
    SERVICE_BASE_URL: ["vrs.example", "ftp://vrs.example"],
    SERVICES: ["gateway,none", ","],
    NATS_URL: ["bus:4222", "http://bus", "nats://a,b"],
    NATS_REPLICAS: ["0", "6"],
    DATABASE_URL: ["mysql://db/vrs", "db"],
    DATABASE_CONNECTIONS: ["1", "201"],
    IMAGE_STORE_URL: [
      "/srv/images",
      "file://host/images",
      "s3://",
      "s3://b?endpoint=minio:9000",
      "s3://b?key=x",
    ],
    METRICS_PORT: ["0", "none"],
    OTEL_EXPORTER_ZIPKIN_ENDPOINT: ["collector:9411"],
    RENDER_CONCURRENCY: ["0", "65", "many"],
    SERVICE_DENY_NETWORKS: ["1.1.1.1/33", "host.example", "10.0.0.0/8,x"],
    METRICS_HOST: ["localhost", "0.0.0.0:80"],
    SERVICE_SECRET_KEY: ["secret", KEY.slice(4), `${KEY},${KEY.slice(0, 30)}`, "0f".repeat(31)],
    SERVICE_ALLOW_HOSTS: ["http://localhost", "localhost:0", "*.example.com", "localhost,/"],
    SERVICE_BOOTSTRAP_KEY: ["short", "a key of more than 24 characters"],
    SERVICE_PLAN: ["gold", "Free"],
    SERVICE_RATE_LIMIT: ["0", "unlimited"],
    SERVICE_SIGN_UP: ["yes"],
    CODEHOST_API_URL: ["codehost.example/api/v3"],
    SERVICE_API_URL: ["vrs.example", "ftp://vrs.example"],
    SERVICE_API_KEY: ["with a blank", "ä"],
    SERVICE_ROUTES: ["pricing", "/,//evil.example", "/\\evil.example", "/a\nb", "https://vrs.example/"],
    PLATFORM_INTEGRATION_NAME: ["a\nb"],
    PLATFORM_AUTHORIZE_URL: ["platform.example/new"],
    PLATFORM_TOKEN_URL: ["platform.example/token"],
    PLATFORM_API_URL: ["javascript:alert(1)"],
    PLATFORM_PREVIEW_DOMAIN: [
      "app",
      "*.platform.app",
      "https://platform.app",
      ".platform.app",
      "platform.app/",
    ],
    PREVIEW_NAME_B: ["a\nb"],
    PREVIEW_ENVIRONMENTS: ["staging,a\nb"],
    PLATFORM_SIGNATURE_HEADER: ["x signature", "x:signature"],
    PLATFORM_META_PREFIX: ["s-cm"],
    PLATFORM_UNINSTALL_EVENT: ["an event"],
    LOG_LEVEL: ["loud"],
  };
  for (const [name, values] of Object.entries(faults)) {
    it(`names ${name} when that is at fault`, () => {
      for (const value of values) {
        assert.throws(() => loadConfig({ [name]: value }), new RegExp(`not valid\\. ${name} .+`), value);
      }
    });
  }

  it("requires both parts of the OAuth client, or none", () => {
    const [CODEHOST_CLIENT_ID, CODEHOST_CLIENT_SECRET] = ["id", "hunter2"];
    assert.equal(loadConfig({}).codeHost, null);
    assert.throws(() => loadConfig({ CODEHOST_CLIENT_ID }), /CODEHOST_CLIENT_SECRET must be set/);
    assert.throws(
      () => loadConfig({ CODEHOST_CLIENT_SECRET }),
      (error: Error) =>
        /CODEHOST_CLIENT_ID must be set/.test(error.message) && !/hunter2/.test(error.message),
    );
    const { codeHost } = loadConfig({
      CODEHOST_CLIENT_ID,
      CODEHOST_CLIENT_SECRET,
      CODEHOST_API_URL: "https://code.example/api/v3/",
    });
    assert.equal(codeHost?.apiUrl, "https://code.example/api/v3");
  });

  it("allows the deployment platform's integration alone with a gateway", () => {
    for (const services of ["gateway,platform", "platform,gateway"])
      assert.equal(loadConfig({ SERVICES: services }).nats, null);
    for (const services of ["platform", "gateway", "gateway,gateway", "gateway,platform,teams"])
      assert.throws(
        () => loadConfig({ SERVICES: services }),
        /NATS_URL must be set when SERVICES contains only some/,
      );
  });

  it("reads the deployment platform's settings", () => {
    const { platform } = loadConfig({});
    assert.deepEqual(platform, {
      name: "platform",
      apiUrl: null,
      teams: "per-installation",
      api: null,
      routes: [],
      routesFromConfig: false,
      clientSecret: null,
      oauth: null,
      previewDomains: [],
      signatureHeader: "x-platform-signature",
      metaPrefix: "scm",
      uninstallEvent: "integration-configuration.removed",
    });
    const [url, secret] = ["https://platform.example", "hunter2"];
    const oauth = {
      PLATFORM_CLIENT_ID: "id",
      PLATFORM_CLIENT_SECRET: secret,
      PLATFORM_AUTHORIZE_URL: url,
      PLATFORM_TOKEN_URL: url,
      PLATFORM_API_URL: url,
    };
    assert.equal(loadConfig(oauth).platform.oauth?.clientSecret, secret);
    for (const name of Object.keys(oauth))
      assert.equal(loadConfig({ ...oauth, [name]: "" }).platform.oauth, null, name);
    assert.equal(loadConfig({ SERVICE_API_URL: url }).platform.api, null);
    assert.equal(loadConfig({ SERVICE_API_KEY: secret }).platform.api, null);
    const set = loadConfig({
      SERVICE_API_URL: url,
      SERVICE_API_KEY: secret,
      SERVICE_ROUTES: " / ,, /pricing?a=b ,",
      PLATFORM_PREVIEW_DOMAIN: "Platform.App, other.example",
      PLATFORM_SIGNATURE_HEADER: "X-Other",
    }).platform;
    assert.deepEqual(set.api, { baseUrl: url, apiKey: secret });
    assert.deepEqual(set.routes, ["/", "/pricing?a=b"]);
    assert.deepEqual(set.previewDomains, ["platform.app", "other.example"]);
    assert.equal(set.signatureHeader, "x-other");
  });

  it("names all invalid variables at once", () => {
    assert.throws(() => loadConfig({ PORT: "x", LOG_LEVEL: "x" }), /PORT must .+\. LOG_LEVEL must .+/);
  });

  it("never reveals a rejected password", () => {
    for (const [name, url] of [
      ["DATABASE_URL", "mysql://vrs:hunter2@db/vrs"],
      ["NATS_URL", "http://vrs:hunter2@bus"],
      ["IMAGE_STORE_URL", "s3://vrs:hunter2@bucket?x=1"],
      ["SERVICE_API_KEY", "hunter2 and more"],
      ["SERVICE_SECRET_KEY", "hunter2"],
    ] as const) {
      assert.throws(
        () => loadConfig({ [name]: url }),
        (error: Error) => !error.message.includes("hunter2"),
      );
    }
  });

  it("never reveals a rejected bootstrap key", () => {
    const refused = { SERVICE_BOOTSTRAP_KEY: "not a key but secret, and long" };
    assert.throws(
      () => loadConfig(refused),
      (error: Error) => !error.message.includes("secret"),
    );
  });

  it("removes variables that the runner would read as broker options", () => {
    const before = { ...process.env };
    try {
      Object.assign(process.env, {
        NAMESPACE: "pods",
        TRACKING_ENABLED: "false",
        MOL_HEARTBEAT: "1",
        NAMES: "kept",
      });
      configureRunner(["services/runs", "services/teams"], Object.keys(brokerOptions(loadConfig({}))));
      const { NAMESPACE, TRACKING_ENABLED, MOL_HEARTBEAT, NAMES, SERVICES } = process.env;
      assert.deepEqual([NAMESPACE, TRACKING_ENABLED, MOL_HEARTBEAT], [undefined, undefined, undefined]);
      assert.deepEqual([NAMES, SERVICES], ["kept", "services/runs,services/teams"]);
      assert.equal(process.env.PATH, before.PATH);
    } finally {
      for (const name of ["NAMES", "SERVICES"]) delete process.env[name];
      Object.assign(process.env, before);
    }
  });

  it("derives the code host's web URL from its API", () => {
    const pagesOf = (CODEHOST_API_URL: string) => loadConfig({ CODEHOST_API_URL }).scm.webUrl;
    assert.equal(pagesOf(""), "https://github.com");
    assert.equal(pagesOf("https://code.example/api/v3/"), "https://code.example");
    assert.equal(pagesOf("https://api.acme.ghe.com"), "https://acme.ghe.com");
  });

  it("belongs to one broker", () => {
    const [broker, config] = [{}, loadConfig({})];
    bindConfig(broker, config);
    assert.equal(configOf(broker), config);
    assert.throws(() => configOf({}), /without brokerOptions/);
  });
});
