import type { ServiceSchema } from "moleculer";
import { configOf } from "../shared/config.ts";
import { mixin } from "../shared/contracts/bus.ts";
import type { ImageStore } from "../shared/contracts/image-store.ts";
import { FileImageStore } from "./file-image-store.ts";

/** What the mixin gives its service. */
export interface WithImages {
  images: ImageStore;
}

/** Opens the image store for a service. */
export function imageStore(): Partial<ServiceSchema> {
  return mixin<WithImages & { broker: object }>({
    async started() {
      this.images = await FileImageStore.open(`${configOf(this.broker).dataDir}/images`);
    },
  });
}
