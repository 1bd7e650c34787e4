import { sep } from "node:path";
import type { ServiceSchema } from "moleculer";
import { configOf } from "../shared/config.ts";
import { mixin } from "../shared/contracts/bus.ts";
import type { ImageStore } from "../shared/contracts/image-store.ts";
import type { ImageStoreConfig } from "../shared/environment/variable-kinds.ts";
import { FileImageStore } from "./images/file-image-store.ts";

/** What the mixin adds to its service. */
export interface WithImages {
  images: ImageStore;
}

interface Internal {
  broker: object;
  logger: { warn(message: string): void };
  /** Absent until the service has started. */
  images?: ImageStore;
}

interface Opened {
  users: number;
  store: Promise<ImageStore>;
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
        store: open(config, dataDir, warn),
      };
      opened.set(this.broker, entry);
      entry.users += 1;
      this.images = await entry.store;
      if (writes && config.kind === "file") await FileImageStore.requireWritable(config.folder);
    },
    async stopped() {
      const entry = opened.get(this.broker);
      if (!entry || !this.images) return;
      entry.users -= 1;
      if (entry.users > 0) return;
      opened.delete(this.broker);
      await this.images.close();
    },
  });
}

async function open(
  config: ImageStoreConfig,
  dataDir: string,
  warn: (message: string) => void,
): Promise<ImageStore> {
  if (config.kind === "file")
    return FileImageStore.open(config.folder, { isPrivate: config.folder.startsWith(dataDir + sep) });
  // Loaded only if used: a node with a folder starts faster without it.
  const { S3ImageStore } = await import("./images/s3-image-store.ts");
  return S3ImageStore.open(config, warn);
}
