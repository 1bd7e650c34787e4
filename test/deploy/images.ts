import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { isInstalled, run, succeeds } from "./commands.ts";
import { type Engine, installPackages } from "./engine.ts";

const ROOT = join(import.meta.dirname, "../..");
const STAND_INS = join(import.meta.dirname, "stand-ins");
/** Certificates that this machine trusts, for registries with a company's own. */
const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";
const SUITE = "trixie";
const PULL_TIMEOUT_S = "60";
/** The registry's npm, as the image of Node has. */
const NPM_VERSION = "11";

/** Images of others in docker/compose.yml, by the target of their stand-in. */
const OTHERS = {
  nats: "nats:2.12-alpine",
  postgres: "postgres:17",
  garage: "dxflrs/garage:v2.3.0",
  rclone: "rclone/rclone:1",
};

/**
 * Makes sure that every image exists which the Dockerfile and the compose file name. Those that can't be pulled get
 * a stand-in of the same layout from Debian's and npm's packages.
 * @returns names of the stand-ins
 */
export async function bringImages(engine: Engine): Promise<string[]> {
  const compose = await readFile(join(ROOT, "docker/compose.yml"), "utf8");
  for (const image of Object.values(OTHERS))
    if (!compose.includes(`image: ${image}\n`)) throw new Error(`docker/compose.yml doesn't have ${image}.`);
  const node = await nodeVersion();
  const debianImage = `debian:${SUITE}-slim`;
  const nodeImage = `node:${node}-${SUITE}-slim`;
  const made: string[] = [];
  const bring = async (image: string, make: () => Promise<void>) => {
    if (await isThere(engine, image)) {
      if (await isStandIn(engine, image)) made.push(image);
      return;
    }
    if (await isPulled(engine, image)) return;
    console.log(`  ${image} can't be pulled here. Making a stand-in.`);
    await make();
    made.push(image);
  };
  await bring(debianImage, () => makeDebian(engine, debianImage));
  await bring(nodeImage, () => makeNode(engine, nodeImage, debianImage));
  const version = z.object({ version: z.string() }).parse(await readJson("node_modules/s3rver/package.json"));
  for (const [target, image] of Object.entries(OTHERS))
    await bring(image, async () => {
      const context = join(engine.folder, "stand-ins");
      await cp(STAND_INS, context, { recursive: true });
      await cp(join(ROOT, "test/support/servers/s3-program.mjs"), join(context, "s3-program.mjs"));
      const values = ["--build-arg", `NODE=${node}`, "--build-arg", `S3RVER=${version.version}`];
      await engine.docker([
        "build",
        "--target",
        target,
        "--label",
        "vrs.stand-in=1",
        ...values,
        "-t",
        image,
        context,
      ]);
    });
  return made;
}

/** Builds the project's image from a folder, as docker/Dockerfile says. */
export async function buildImage(engine: Engine, folder: string, tag: string): Promise<void> {
  const node = ["--build-arg", `NODE=${await nodeVersion()}`];
  await engine.docker(["build", "-f", "docker/Dockerfile", ...node, "-t", tag, "."], { cwd: folder });
}

async function nodeVersion(): Promise<string> {
  const [, version] = /^ARG NODE=(.+)$/m.exec(await readFile(join(ROOT, "docker/Dockerfile"), "utf8")) ?? [];
  if (version === undefined) throw new Error("docker/Dockerfile doesn't set NODE.");
  return version;
}

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(join(ROOT, path), "utf8"));
}

async function isThere(engine: Engine, image: string): Promise<boolean> {
  return (await engine.docker(["images", "-q", image])).trim() !== "";
}

async function isStandIn(engine: Engine, image: string): Promise<boolean> {
  const labels = await engine.docker(["inspect", image, "--format", "{{ json .Config.Labels }}"]);
  return labels.includes("vrs.stand-in");
}

/** Pulls an image. `timeout` ends a pull from a registry that doesn't answer. */
async function isPulled(engine: Engine, image: string): Promise<boolean> {
  return await succeeds("timeout", [PULL_TIMEOUT_S, "docker", "pull", "-q", image], { env: engine.env });
}

/** Imports Debian's smallest system. */
async function makeDebian(engine: Engine, image: string): Promise<void> {
  if (!(await isInstalled("debootstrap"))) await installPackages(["debootstrap"]);
  const folder = join(engine.folder, "debian");
  const archive = join(engine.folder, "debian.tar");
  await rm(folder, { recursive: true, force: true });
  await run("debootstrap", ["--variant=minbase", SUITE, folder]);
  await run("tar", ["-C", folder, "-cf", archive, "."]);
  await rm(folder, { recursive: true, force: true });
  await engine.docker(["import", "--change", "LABEL vrs.stand-in=1", archive, image]);
  await rm(archive);
}

/** Adds the project's own Node, npm, and this machine's certificates. */
async function makeNode(engine: Engine, image: string, debian: string): Promise<void> {
  const folder = join(engine.folder, "node");
  await rm(folder, { recursive: true, force: true });
  const npm = join(folder, "usr/local/lib/node_modules/npm");
  await mkdir(npm, { recursive: true });
  await mkdir(join(folder, "usr/local/bin"), { recursive: true });
  await mkdir(join(folder, dirname(CERTIFICATES)), { recursive: true });
  await cp(join(ROOT, "node_modules/.bin/node"), join(folder, "usr/local/bin/node"), {
    dereference: true,
  });
  await cp(CERTIFICATES, join(folder, CERTIFICATES), { dereference: true });
  const packed = (await run("npm", ["pack", "--silent", `npm@${NPM_VERSION}`], { cwd: folder })).trim();
  await run("tar", ["-xzf", packed, "--strip-components=1", "-C", npm], { cwd: folder });
  await rm(join(folder, packed));
  const lines = [
    `FROM ${debian}`,
    "COPY usr /usr",
    "COPY etc /etc",
    "RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm",
    `ENV NODE_EXTRA_CA_CERTS=${CERTIFICATES}`,
  ];
  await writeFile(join(folder, "Dockerfile"), `${lines.join("\n")}\n`);
  await engine.docker(["build", "--label", "vrs.stand-in=1", "-t", image, folder]);
  await rm(folder, { recursive: true, force: true });
}
