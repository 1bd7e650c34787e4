import { join, sep } from "node:path";
import type { ServiceSchema } from "moleculer";
import { configOf } from "../shared/config.ts";
import { mixin } from "../shared/contracts/bus.ts";
import type { ImageStore } from "../shared/contracts/image-store.ts";
import type { ImageStoreConfig } from "../shared/environment/variable-kinds.ts";
import { FileImageStore } from "./images/file-image-store.ts";
import { ARCHIVE_FILES } from "./images/image-hash.ts";

/** Folder of archives beside the images. No image has this path. */
const ARCHIVES = "archives";

/** What the mixin adds to its service. */
export interface WithImages {
  images: ImageStore;
  /** Files and indexes of archives, apart from the images. */
  archiveFiles: ImageStore;
}

interface Internal {
  broker: object;
  logger: { warn(message: string): void };
  /** Absent until the service has started. */
  images?: ImageStore;
  archiveFiles?: ImageStore;
}

interface Stores {
  images: ImageStore;
  archiveFiles: ImageStore;
}

interface Opened {
  users: number;
  stores: Promise<Stores>;
}

const opened = new WeakMap<object, Opened>();

/**
 * Opens the image store for a service. The services of a node share one.
 * @param writes whether the service stores images. It doesn't start if it can't
 */
export function imageStore({ writes = false }: { writes?: boolean } = {}): Partial<ServiceSchema> {
  return mixin<Internal>({
    async started() {
      const warn = (message: string) => this.logger.warn(message);
      const { imageStore: config, dataDir } = configOf(this.broker);
      const entry = opened.get(this.broker) ?? {
        users: 0,
        stores: open(config, dataDir, warn),
      };
      opened.set(this.broker, entry);
      entry.users += 1;
      const { images, archiveFiles } = await entry.stores;
      Object.assign(this, { images, archiveFiles });
      if (writes && config.kind === "file") await FileImageStore.requireWritable(config.folder);
    },
    async stopped() {
      const entry = opened.get(this.broker);
      if (!entry || !this.images) return;
      entry.users -= 1;
      if (entry.users > 0) return;
      opened.delete(this.broker);
      await Promise.all([this.images.close(), this.archiveFiles?.close()]);
    },
  });
}

async function open(
  config: ImageStoreConfig,
  dataDir: string,
  warn: (message: string) => void,
): Promise<Stores> {
  if (config.kind === "file") {
    const isPrivate = config.folder.startsWith(dataDir + sep);
    const archives = join(config.folder, ARCHIVES);
    return {
      images: await FileImageStore.open(config.folder, { isPrivate }),
      archiveFiles: await FileImageStore.open(archives, { isPrivate, kind: ARCHIVE_FILES }),
    };
  }
  // Loaded only if used: a node with a folder starts faster without it.
  const { S3ImageStore } = await import("./images/s3-image-store.ts");
  const prefix = config.prefix === "" ? ARCHIVES : `${config.prefix}/${ARCHIVES}`;
  const [images, archiveFiles] = await Promise.all([
    S3ImageStore.open(config, warn),
    S3ImageStore.open({ ...config, prefix }, () => {}, ARCHIVE_FILES),
  ]);
  return { images, archiveFiles };
}
