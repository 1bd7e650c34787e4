import { randomUUID } from "node:crypto";
import type { Build, CreateBuildInput } from "../../shared/contracts/builds/builds.ts";
import { hashOf, picture } from "../../test/support/drivers/build-client.ts";
import { retryRequest } from "./retry-request.ts";
import { ReviewedProject } from "./reviewed-project.ts";
import { colorOf } from "./site.ts";
import { clientOf, randomOf, type SoakContext } from "./soak-context.ts";

const PROJECT = "uploads";
/** The screenshots of each of two shards. */
const SHARDS = [
  ["home", "cart"],
  ["login", "account"],
];

interface UploadedShot {
  name: string;
  hash: string;
  bytes: Buffer;
}

/** Uploads builds of two concurrent shards, waits for each, and approves or rejects what they find. */
export async function uploadBuilds(context: SoakContext): Promise<void> {
  const project = new ReviewedProject(context, randomOf(context, PROJECT));
  while (!context.signal.aborted) {
    const variants = project.draw(SHARDS.flat());
    const nonce = randomUUID();
    const builds = await Promise.all(
      SHARDS.map(async (names, index) => {
        const shots = await Promise.all(names.map(name => shotOf(name, variants.get(name) ?? 0)));
        return await uploadShard(context, { nonce, shard: String(index), shots });
      }),
    );
    const [id, ...others] = new Set(builds.map(build => build.id));
    if (id === undefined) throw new Error("No response has a build id.");
    if (others.length > 0) context.ledger.failures.push(`One nonce became ${id} and ${others.join()}.`);
    project.accept(id, variants);
    context.ledger.note("builds uploaded");
    await project.review(id, variants);
  }
}

async function shotOf(name: string, variant: number): Promise<UploadedShot> {
  const bytes = await picture(colorOf(variant));
  return { name, hash: hashOf(bytes), bytes };
}

interface Shard {
  nonce: string;
  shard: string;
  shots: UploadedShot[];
}

/** Sends all that a shard has, in requests that each may be repeated. */
async function uploadShard(context: SoakContext, { nonce, shard, shots }: Shard): Promise<Build> {
  const key = randomUUID();
  const body: CreateBuildInput = {
    project: PROJECT,
    threshold: 0,
    parallel: { nonce, total: SHARDS.length },
    shard,
    screenshots: shots.map(({ name, hash }) => ({ name, hash })),
  };
  const created = await retryRequest(attempt => clientOf(context, attempt).createBuild(body, key));
  for (const upload of created.uploads) {
    const shot = shots.find(({ hash }) => hash === upload.hash);
    if (!shot) continue;
    await retryRequest(attempt =>
      clientOf(context, attempt).uploadFile(created.id, "images", upload, shot.bytes),
    );
  }
  return await retryRequest(attempt => clientOf(context, attempt).finalizeBuild(created.id, { shard }));
}
