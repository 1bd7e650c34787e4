import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { parse } from "yaml";
import { z } from "zod";
import { CONSUMER, streamOf } from "../../../mixins/queue/job-streams.ts";
import { JOBS_PER_PAGE } from "../../../services/runs/capture/dispatch-captures.ts";
import { SERVICE_NAMES, VARIABLE_NAMES } from "../../../shared/environment/variables.ts";
import {
  checkObject,
  type KubernetesObject,
  readManifest,
  readPod,
  readScaling,
} from "../../support/formats/kubernetes.ts";
import { findHelm, needs } from "../../support/servers/server-programs.ts";

const ROOT = join(import.meta.dirname, "../../..");
const CHART = join(ROOT, "docker/helm");
const TSC = join(ROOT, "node_modules/typescript/bin/tsc");
/** Modules with the types of each kind. */
const MODULES: Record<string, string> = {
  ...Object.fromEntries(["ConfigMap", "Secret", "Service"].map(kind => [kind, "kubernetes-models/v1"])),
  ...Object.fromEntries(
    ["DaemonSet", "Deployment", "StatefulSet"].map(kind => [kind, "kubernetes-models/apps/v1"]),
  ),
  HorizontalPodAutoscaler: "kubernetes-models/autoscaling/v2",
  Ingress: "kubernetes-models/networking.k8s.io/v1",
  NetworkPolicy: "kubernetes-models/networking.k8s.io/v1",
  PodDisruptionBudget: "kubernetes-models/policy/v1",
  ScaledObject: "@kubernetes-models/keda/keda.sh/v1alpha1",
};
/** Variables that the AWS SDK reads by itself. */
const CREDENTIALS = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"];
/** A variable that Node reads by itself. */
const CERTIFICATES = "NODE_EXTRA_CA_CERTS";
/** Set by the chart's own values, or only about the inside of a container. */
const OF_THE_CHART = [
  ...["PORT", "SERVICE_LISTEN", "SERVICE_DATA_DIR", "SERVICE_CACHE_DIR", "SERVICES", "LOG_LEVEL"],
  ...["NATS_URL", "NATS_REPLICAS", "DATABASE_URL", "DATABASE_CONNECTIONS", "IMAGE_STORE_URL"],
  ...["METRICS_PORT", "METRICS_HOST", "CHROMIUM_PATH", "FIREFOX_PATH", "RENDER_CONCURRENCY"],
  ...["SERVICE_BASE_URL", "SERVICE_SECRET_KEY", "SERVICE_BOOTSTRAP_KEY", "SERVICE_PLAN"],
];

const REQUIRED = {
  image: { repository: "registry.example/vrs" },
  baseUrl: "https://vrs.example",
  imageStore: { url: "s3://vrs-images?region=eu-central-1" },
};
const SECRETS = {
  create: true,
  natsPasswords: { core: "c1", differ: "d1", renderers: ["r1", "r2", "r3", "r4"] },
  databaseUrl: "postgres://vrs:secret@postgres.example:5432/vrs",
  secretKey: "key",
  bootstrapKey: "vrs_0123456789abcdefghijk",
  imageStore: { accessKeyId: "id", secretAccessKey: "secret" },
  more: { SMTP_URL: "smtps://mail.example", CODEHOST_APP_ID: 12 },
};
/** Installations that use every optional part of the chart. */
const INSTALLATIONS: Record<string, object> = {
  "the defaults": {},
  "secrets from values": { secrets: SECRETS },
  "every option": {
    secrets: SECRETS,
    imagePullSecrets: [{ name: "registry" }],
    image: { repository: "registry.example:5000/team/vrs", digest: `sha256:${"a".repeat(64)}` },
    config: { SERVICE_SIGN_UP: "invite", ARCHIVE_MAX_MIB: 200, [CERTIFICATES]: "/etc/vrs-ca/ca.crt" },
    extraVolumes: [{ name: "ca", configMap: { name: "company-ca" } }],
    extraVolumeMounts: [{ name: "ca", mountPath: "/etc/vrs-ca", readOnly: true }],
    gateway: { autoscaling: { enabled: true }, env: { SERVICE_RATE_LIMIT: "100" } },
    differ: { autoscaling: { by: "cpu" }, priorityClassName: "low", podAnnotations: { note: "x" } },
    renderer: {
      autoscaling: { by: "none" },
      replicas: 3,
      nodeSelector: { pool: "renderers" },
      tolerations: [{ key: "renderers", operator: "Exists" }],
      affinity: { nodeAffinity: {} },
    },
    service: { type: "LoadBalancer", annotations: { a: "b" } },
    ingress: {
      enabled: true,
      className: "nginx",
      host: "vrs.example",
      tlsSecret: "tls",
      annotations: { a: "b" },
    },
    networkPolicy: {
      gatewayFrom: [{ namespaceSelector: {} }],
      imageStore: { to: [{ namespaceSelector: {} }], port: 3900 },
      privateSites: [
        { to: [{ ipBlock: { cidr: "10.1.0.0/16" } }], ports: [{ protocol: "TCP", port: 8080 }] },
      ],
    },
  },
  "nothing optional": {
    podDisruptionBudgets: false,
    networkPolicy: { enabled: false },
    seccomp: { installer: { enabled: false } },
    secrets: { names: { imageStore: "" } },
    differ: { autoscaling: { by: "none" } },
    renderer: { autoscaling: { by: "none" } },
  },
  "stopped nodes": { stopped: true, gateway: { autoscaling: { enabled: true } } },
};

interface Ended {
  code: number | null;
  out: string;
  errors: string;
}

function helm(...args: string[]): Promise<Ended> {
  return output(findHelm() ?? "helm", args);
}

async function output(program: string, args: string[]): Promise<Ended> {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number | null>(resolve => child.once("close", resolve));
  const [code, out, errors] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, out, errors };
}

describe("the Helm chart's schema of values", () => {
  it("accepts every variable of the service that the chart doesn't set itself", async () => {
    const schema = z
      .object({
        definitions: z.object({
          variables: z.object({ propertyNames: z.object({ enum: z.array(z.string()) }) }),
        }),
      })
      .parse(JSON.parse(await readFile(join(CHART, "values.schema.json"), "utf8")));
    const wanted = [...VARIABLE_NAMES.filter(name => !OF_THE_CHART.includes(name)), CERTIFICATES].sort();
    assert.deepEqual(schema.definitions.variables.propertyNames.enum, wanted);
  });
});

describe("the Helm chart", () => {
  needs("helm");

  let folder = "";
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "vrs-helm-"));
  });
  after(async () => {
    // Without Helm, there is no folder.
    if (folder !== "") await rm(folder, { recursive: true, force: true });
  });

  async function write(values: object): Promise<string> {
    const file = join(folder, `${crypto.randomUUID()}.json`);
    await writeFile(file, JSON.stringify(values));
    return file;
  }

  async function render(values: object): Promise<KubernetesObject[]> {
    const file = await write({ ...REQUIRED, ...values });
    const { code, out, errors } = await helm("template", "vrs", CHART, "-n", "vrs-test", "-f", file);
    assert.equal(code, 0, errors);
    return readManifest(out);
  }

  async function refuse(values: object): Promise<string> {
    const { code, errors } = await helm(
      "template",
      "vrs",
      CHART,
      "-f",
      await write({ ...REQUIRED, ...values }),
    );
    assert.notEqual(code, 0);
    return errors;
  }

  for (const [name, values] of Object.entries(INSTALLATIONS)) {
    it(`passes Helm's linter and the schemas of Kubernetes with ${name}`, async () => {
      const file = await write({ ...REQUIRED, ...values });
      const { code, out, errors } = await helm("lint", "--strict", CHART, "-f", file);
      assert.equal(code, 0, out + errors);
      const objects = await render(values);
      assert.ok(objects.length > 5);
      for (const object of objects) {
        assert.doesNotThrow(() => checkObject(object), `${object.kind} ${object.metadata.name}`);
        const isInstaller = object.kind === "DaemonSet";
        assert.equal(object.metadata.namespace, isInstaller ? "kube-system" : "vrs-test");
      }
      const ids = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
      assert.equal(new Set(ids).size, ids.length);
    });
  }

  it("has no field that the types of Kubernetes don't know", async () => {
    const objects = (await Promise.all(Object.values(INSTALLATIONS).map(render))).flat();
    // Inside the project, so that the compiler finds the types.
    const cache = join(ROOT, "node_modules/.cache");
    await mkdir(cache, { recursive: true });
    const file = join(await mkdtemp(join(cache, "helm-types-")), "objects.ts");
    const types = objects.map(({ kind, content }, index) => {
      const module = MODULES[kind] ?? assert.fail(kind);
      return `export const o${index}: import("${module}").I${kind} = ${JSON.stringify(content)};`;
    });
    await writeFile(file, types.join("\n"));
    const options = [
      "--ignoreConfig",
      "--noEmit",
      "--skipLibCheck",
      "--module",
      "nodenext",
      "--target",
      "esnext",
    ];
    const found = await output(process.execPath, [TSC, ...options, file]);
    await rm(dirname(file), { recursive: true, force: true });
    assert.deepEqual([found.code, found.out], [0, ""]);
  });

  it("has the version of the project", async () => {
    const { version } = z
      .object({ version: z.string() })
      .parse(JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")));
    const chart = z
      .object({ version: z.string(), appVersion: z.string() })
      .parse(parse(await readFile(join(CHART, "Chart.yaml"), "utf8")));
    assert.deepEqual(chart, { version, appVersion: version });
  });

  it("names what is missing", async () => {
    assert.match(await refuse({ image: {} }), /image\.repository/);
    assert.match(await refuse({ baseUrl: "" }), /Set baseUrl/);
    assert.match(await refuse({ imageStore: {} }), /Set imageStore\.url/);
    assert.match(await refuse({ secrets: { ...SECRETS, databaseUrl: "" } }), /Set secrets\.databaseUrl/);
    assert.match(
      await refuse({ secrets: { ...SECRETS, natsPasswords: { core: "a", differ: "b", renderers: ["c"] } } }),
      /1 passwords for up to 4 renderers/,
    );
  });

  it("refuses secrets in the values that it would ignore", async () => {
    const { create: _, ...given } = SECRETS;
    for (const [name, value] of Object.entries(given))
      assert.match(await refuse({ secrets: { [name]: value } }), /secrets\.create is false/, name);
    assert.match(
      await refuse({ secrets: { natsPasswords: { renderers: ["r1"] } } }),
      /secrets\.create is false/,
    );
  });

  it("mounts more volumes in every node", async () => {
    const nodes = nodesOf(await render(INSTALLATIONS["every option"] ?? assert.fail()));
    assert.equal(nodes.length, 4);
    for (const { metadata, content } of nodes) {
      const pod = JSON.stringify(content);
      assert.ok(pod.includes('{"configMap":{"name":"company-ca"},"name":"ca"}'), metadata.name);
      assert.ok(pod.includes('{"mountPath":"/etc/vrs-ca","name":"ca","readOnly":true}'), metadata.name);
    }
  });

  it("refuses unknown values, unknown variables, and passwords that NATS misreads", async () => {
    assert.match(await refuse({ replica: 3 }), /'replica'/);
    assert.match(await refuse({ config: { SERVICE_SIGNUP: "invite" } }), /SERVICE_SIGNUP/);
    assert.match(await refuse({ config: { NATS_URL: "nats://other" } }), /NATS_URL/);
    const natsPasswords = { ...SECRETS.natsPasswords, core: "1234" };
    assert.match(await refuse({ secrets: { ...SECRETS, natsPasswords } }), /natsPasswords\/core/);
  });

  it("gives nodes only variables that they read", async () => {
    const objects = await render({ secrets: SECRETS });
    const shared = objects
      .filter(({ metadata }) => metadata.name !== "vrs-renderers")
      .flatMap(({ data, stringData }) => Object.keys({ ...data, ...stringData }));
    const own = nodesOf(objects).flatMap(node => Object.keys(readPod(node).env));
    assert.ok(shared.includes("SERVICE_SECRET_KEY") && own.includes("SERVICES"));
    for (const name of [...shared, ...own])
      assert.ok([...VARIABLE_NAMES, ...CREDENTIALS].includes(name), name);
  });

  it("runs every service, each in one kind of node", async () => {
    const services = nodesOf(await render({})).flatMap(node => readPod(node).env.SERVICES?.split(",") ?? []);
    assert.deepEqual(services.sort(), [...SERVICE_NAMES].sort());
  });

  it("gives each renderer up to the maximum its own NATS user", async () => {
    const conf = await readFile(join(ROOT, "docker/nats.conf"), "utf8");
    const users = [...conf.matchAll(/user: (renderer-\d+),/g)].map(([, name]) => name);
    const objects = await render({ secrets: SECRETS });
    const urls = objects.find(({ metadata }) => metadata.name === "vrs-renderers")?.stringData ?? {};
    assert.deepEqual(
      Object.entries(urls).map(([key, url]) => [key, URL.parse(url)?.username, URL.parse(url)?.password]),
      users.map((user, index) => [`renderer-${index}`, user, `r${index + 1}`]),
    );
    assert.equal(scalingOf(objects, "renderer").most, users.length);
  });

  it("keeps the database's secrets from gateways, differs and renderers", async () => {
    const objects = await render({});
    const withDatabase = nodesOf(objects).filter(({ content }) =>
      JSON.stringify(content).includes("vrs-database"),
    );
    assert.deepEqual(
      withDatabase.map(({ metadata }) => metadata.name),
      ["vrs-core"],
    );
  });

  it("locks every pod, and gives only renderers the profile that lets Chromium create its sandbox", async () => {
    const nodes = nodesOf(await render({}));
    assert.equal(nodes.length, 4);
    for (const { metadata, content } of nodes) {
      const pod = JSON.stringify(content);
      const locks = pod.match(/"readOnlyRootFilesystem":true,"capabilities":\{"drop":\["ALL"\]\}/g) ?? [];
      const containers = pod.match(/"imagePullPolicy"/g) ?? [];
      assert.equal(locks.length, containers.length, metadata.name);
      assert.ok(pod.includes('"runAsNonRoot":true') && pod.includes('"allowPrivilegeEscalation":false'));
      assert.equal(pod.includes('"localhostProfile":"vrs.json"'), metadata.name === "vrs-renderer");
    }
  });

  it("opens fewer connections than PostgreSQL accepts, even while pods are replaced", async () => {
    const core =
      nodesOf(await render({})).find(({ metadata }) => metadata.name === "vrs-core") ?? assert.fail();
    const { env, replicas } = readPod(core);
    assert.ok(replicas);
    const perPod = Number(env.DATABASE_CONNECTIONS) * (env.SERVICES ?? "").split(",").length;
    // Of PostgreSQL's default of 100, three are reserved for its superuser.
    assert.ok(perPod * (replicas + 1) <= 97, `${perPod} in each pod`);
  });

  it("scales by the existing streams, in their NATS account, while jobs wait", async () => {
    const conf = await readFile(join(ROOT, "docker/nats.conf"), "utf8");
    const account = /^ {2}(\w+) \{\n {4}jetstream: enabled/m.exec(conf)?.[1];
    const objects = await render({});
    for (const [component, job] of [
      ["renderer", "capture"],
      ["differ", "compare"],
    ] as const) {
      const { trigger } = scalingOf(objects, component);
      assert.deepEqual(
        [trigger.account, trigger.stream, trigger.consumer],
        [account, streamOf(job), CONSUMER],
      );
    }
    const renderer =
      nodesOf(objects).find(({ metadata }) => metadata.name === "vrs-renderer") ?? assert.fail();
    const pages = Number(readPod(renderer).env.RENDER_CONCURRENCY);
    const lag = Number(scalingOf(objects, "renderer").trigger.lagThreshold);
    assert.ok(lag > pages && lag < JOBS_PER_PAGE * pages, `${lag} jobs for ${pages} pages`);
  });

  it("stops all nodes for an upgrade, and leaves nothing that would start them", async () => {
    const objects = await render({ stopped: true, gateway: { autoscaling: { enabled: true } } });
    assert.deepEqual(
      nodesOf(objects).map(node => readPod(node).replicas),
      [0, 0, 0, 0],
    );
    const scalers = objects.filter(({ kind }) => ["ScaledObject", "HorizontalPodAutoscaler"].includes(kind));
    assert.deepEqual(scalers, []);
  });

  it("keeps renderers from private networks, and everything else closed", async () => {
    const policies = (await render({})).filter(({ kind }) => kind === "NetworkPolicy");
    const policyOf = (name: string) => {
      const found = policies.find(({ metadata }) => metadata.name === `vrs-${name}`);
      return JSON.stringify(found?.content ?? assert.fail(name));
    };
    assert.ok(policyOf("every-node").includes('"policyTypes":["Ingress","Egress"]'));
    for (const network of ["10.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"])
      assert.ok(policyOf("renderer").includes(`"${network}"`), network);
    assert.ok(!policyOf("renderer").includes("5432") && policyOf("core").includes("5432"));
    assert.deepEqual(
      await render({ networkPolicy: { enabled: false } }).then(all =>
        all.filter(({ kind }) => kind === "NetworkPolicy"),
      ),
      [],
    );
  });

  it("restarts nodes when their configuration changes", async () => {
    const checksums = async (values: object) =>
      nodesOf(await render(values)).map(
        ({ content }) => /"checksum\/config":"(\w+)"/.exec(JSON.stringify(content))?.[1],
      );
    const [before, same, after] = await Promise.all([
      checksums({}),
      checksums({}),
      checksums({ plan: "pro" }),
    ]);
    assert.deepEqual(before, same);
    assert.equal(before.length, 4);
    for (const [index, checksum] of before.entries()) assert.notEqual(checksum, after[index]);
  });
});

function nodesOf(objects: KubernetesObject[]): KubernetesObject[] {
  return objects.filter(({ kind }) => ["Deployment", "StatefulSet"].includes(kind));
}

function scalingOf(objects: KubernetesObject[], component: string) {
  const scaled = objects.filter(({ kind }) => kind === "ScaledObject").map(readScaling);
  return scaled.find(({ target }) => target === `vrs-${component}`) ?? assert.fail(component);
}
