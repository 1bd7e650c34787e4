/**
 * `npm run test:deploy`: runs the image and docker/compose.yml on a Docker engine. It builds the previous release and
 * this one, upgrades with a run in progress, captures the demo's site while containers are killed, makes a backup,
 * destroys everything, restores, and checks that nothing is lost. Takes about 15 minutes, and is not part of `npm test`.
 *
 *   --from <ref>   upgrades from another commit than the latest release
 *   --reuse        uses the images that an earlier run built
 *   --keep         keeps the containers and their data
 */
import { appendFile, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { freePort } from "../../cli/demo/free-port.ts";
import { type SampleSite, startSite } from "../../cli/demo/site-server.ts";
import { step } from "../../cli/demo/steps.ts";
import { run } from "./commands.ts";
import { type Engine, startEngine } from "./engine.ts";
import { Fleet } from "./fleet.ts";
import { bringImages, buildImage } from "./images.ts";
import * as journey from "./journey.ts";

const ROOT = join(import.meta.dirname, "../..");
const PROJECT = "vrs-test-deploy";
const CURRENT = "vrs-test-deploy:current";
const PREVIOUS = "vrs-test-deploy:previous";
/** This machine, in the network that compose.override.yml defines, outside the ranges that Docker assigns. */
const SITE_ADDRESS = "10.177.77.1";

const { values } = parseArgs({
  options: {
    from: { type: "string" },
    reuse: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
  },
});

/** Returns the latest release: a version's tag, or else the commit that added the newest version to the changelog. */
async function latestRelease(): Promise<string> {
  const tag = await run("git", ["describe", "--tags", "--abbrev=0", "--match", "v*"], { cwd: ROOT }).catch(
    () => "",
  );
  if (tag.trim() !== "") return tag.trim();
  const changelog = await readFile(join(ROOT, "CHANGELOG.md"), "utf8");
  const [heading] = /^## \[\d.*$/m.exec(changelog) ?? [];
  if (heading === undefined) throw new Error("CHANGELOG.md has no released version.");
  const commits = await run("git", ["log", "-S", heading, "--format=%H", "--", "CHANGELOG.md"], {
    cwd: ROOT,
  });
  const first = commits.trim().split("\n").at(-1);
  if (!first) throw new Error("No commit has released a version. This clone may be shallow. Use --from.");
  return first;
}

async function unpackRelease(ref: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const archive = `${folder}.tar`;
  await run("git", ["archive", "--output", archive, ref], { cwd: ROOT });
  await run("tar", ["-xf", archive, "-C", folder]);
  await rm(archive);
}

async function prepare(engine: Engine, folder: string): Promise<void> {
  await step("Base images", async () => {
    const made = await bringImages(engine);
    const outcome = made.length === 0 ? "pulled" : `stand-ins, not the real images: ${made.join(", ")}`;
    return { outcome, value: null };
  });
  const ref = values.from ?? (await latestRelease());
  await unpackRelease(ref, join(folder, "previous"));
  for (const [name, source, image] of [
    ["Previous image", join(folder, "previous"), PREVIOUS],
    ["This image", ROOT, CURRENT],
  ] as const)
    await step(name, async () => {
      if (!values.reuse) await buildImage(engine, source, image);
      const release = image === PREVIOUS ? ` from ${ref.slice(0, 12)}` : "";
      return { outcome: `${await journey.sizeMb(engine, image)} MB${release}`, value: null };
    });
}

async function start(fleet: Fleet): Promise<{ outcome: string; value: null }> {
  const startedAt = performance.now();
  await fleet.compose(["up", "-d", "--wait"]);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const nodes = (await fleet.compose(["ps", "--services"])).trim().split("\n");
  return { outcome: `${nodes.length} containers healthy after ${seconds} s`, value: null };
}

/** Runs a step that returns its outcome. */
async function check(name: string, work: () => Promise<string>): Promise<void> {
  await step(name, async () => ({ outcome: await work(), value: null }));
}

async function travel(fleet: Fleet, folder: string, sitePort: number): Promise<void> {
  await journey.installFiles(fleet, join(folder, "previous/docker"));
  await configure(fleet, sitePort);
  await step("Start previous", () => start(fleet));
  const site: SampleSite = await startSite(sitePort, SITE_ADDRESS);
  try {
    await check("Capture", async () => {
      await journey.captureFirst(fleet, site, "before-upgrade");
      return "new, then approved";
    });
    const shared = await journey.startRun(fleet, site, "before-upgrade");
    await check("Upgrade", async () => {
      await fleet.compose(["down", "--remove-orphans"]);
      fleet.use(CURRENT);
      await journey.installFiles(fleet, join(ROOT, "docker"));
      return (await start(fleet)).outcome;
    });
    await check("Run in flight", () => journey.checkShared(fleet, shared));
    await check("Renderer", () => journey.checkRenderer(fleet));
    await check("Capture", async () => {
      await journey.captureFirst(fleet, site, "tidewell");
      return "new, then approved";
    });
    await check("Kill", () => journey.captureChanged(fleet, site, "tidewell"));
    const contents = await fleet.contents();
    const interrupted = await journey.startRun(fleet, site, "tidewell");
    await check("Back up, destroy", async () => {
      await journey.backUpAndDestroy(fleet);
      return "all containers and volumes deleted";
    });
    await check("Restore", async () => {
      await journey.restore(fleet);
      return journey.checkContents(contents, await fleet.contents());
    });
    await check("Run in the dump", () => journey.checkShared(fleet, interrupted));
    site.show(1);
    await check("Baselines", () => journey.checkUnchanged(fleet, site, "tidewell"));
  } finally {
    await site.close();
  }
}

async function configure(fleet: Fleet, sitePort: number): Promise<void> {
  const { port } = new URL(fleet.baseUrl);
  const own = [
    `SERVICE_BASE_URL=${fleet.baseUrl}`,
    `VRS_LISTEN=127.0.0.1:${port}`,
    `SERVICE_ALLOW_HOSTS=${SITE_ADDRESS}:${sitePort}`,
    "RENDER_CONCURRENCY=1",
  ];
  const file = join(fleet.folder, ".env");
  await appendFile(file, `${own.join("\n")}\n`);
  const [, apiKey = ""] = /^SERVICE_BOOTSTRAP_KEY=(.+)$/m.exec(await readFile(file, "utf8")) ?? [];
  fleet.signIn(apiKey);
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "vrs-deploy-"));
  const engine = await startEngine();
  const baseUrl = `http://localhost:${await freePort(4400)}`;
  const fleet = new Fleet(engine, {
    folder: join(folder, "docker"),
    project: PROJECT,
    baseUrl,
    image: PREVIOUS,
  });
  try {
    await prepare(engine, folder);
    await travel(fleet, folder, await freePort(4500));
    console.log("\n✓ Nothing was lost.");
  } catch (error) {
    const logs = await fleet
      .compose(["logs", "--no-color", "--tail", "15", "--no-log-prefix"])
      .catch(() => "");
    console.error(`${logs}\n✗ ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  } finally {
    if (!values.keep) {
      await fleet.compose(["down", "--volumes", "--remove-orphans"]).catch(() => {});
      await rm(folder, { recursive: true, force: true });
      await engine.stop();
    }
  }
}

await main();
