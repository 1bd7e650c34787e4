import sharp from "sharp";
import { S3ImageStore } from "../../mixins/images/s3-image-store.ts";
import { imageStore } from "../../shared/environment/variable-kinds.ts";
import type { Cluster } from "../../test/support/servers/nodes/cluster.ts";
import type { RecordedImages } from "./simulated-renderers.ts";

const WIDTH = 1_280;
const HEIGHT = 1_600;
/** The part of the page that changed, px. */
const CHANGE = { left: 200, top: 300, width: 240, height: 80 };

/** Stores the images that simulated renderers report: a page, and the same page with a change. */
export async function recordImages(cluster: Cluster): Promise<RecordedImages> {
  Object.assign(process.env, cluster.s3.credentials);
  const config = imageStore.parse(cluster.s3.url);
  if (config.kind !== "s3") throw new Error("The cluster has a bucket.");
  const store = await S3ImageStore.open(config, message => console.warn(message));
  try {
    const usual = await sharp({
      create: { width: WIDTH, height: HEIGHT, channels: 3, background: "#f4f4f4" },
    })
      .png()
      .toBuffer();
    const { left, top, ...size } = CHANGE;
    const patch = await sharp({ create: { ...size, channels: 3, background: "#c00" } })
      .png()
      .toBuffer();
    const changed = await sharp(usual)
      .composite([{ input: patch, left, top }])
      .png()
      .toBuffer();
    return { usual: await store.put(usual), changed: await store.put(changed), width: WIDTH, height: HEIGHT };
  } finally {
    await store.close();
  }
}
