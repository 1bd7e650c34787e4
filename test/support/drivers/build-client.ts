import { createHash } from "node:crypto";
import sharp from "sharp";
import { type Build, build } from "../../../shared/contracts/builds/builds.ts";
import type { UploadedScreenshotInput } from "../../../shared/contracts/builds/uploaded-screenshot.ts";
import { type RunView, runView } from "../../../shared/contracts/runs/runs.ts";
import { type ScreenshotView, screenshotList } from "../../../shared/contracts/runs/screenshots.ts";
import type { ApiAccess } from "./api-access.ts";
import { until } from "./until.ts";

/** Returns a PNG of one color, with a small block of another one. */
export function picture(color: string, { width = 300, height = 200, block = "black" } = {}): Promise<Buffer> {
  const square = { create: { width: 20, height: 20, channels: 3 as const, background: block } };
  return sharp({ create: { width, height, channels: 3, background: color } })
    .composite([{ input: square, left: 10, top: 10 }])
    .png()
    .toBuffer();
}

/** Returns the SHA-256 of bytes, hex. */
export function hashOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** A screenshot's file with its metadata. */
type Shot = Omit<UploadedScreenshotInput, "hash"> & { bytes: Buffer };

/** Uploads builds to a service over HTTP. */
export class BuildClient {
  readonly #api: ApiAccess;
  /** Bytes of images that were uploaded. */
  uploads = 0;

  constructor(api: ApiAccess) {
    this.#api = api;
  }

  /** Creates or joins a build, uploads what it needs, and finalizes it. */
  async upload(body: object, shots: Shot[]): Promise<Build> {
    const created = await this.create(body, shots);
    await this.send(created, shots);
    return this.finalize(created.id);
  }

  async create(body: object, shots: Shot[]): Promise<Build> {
    return build.parse(await this.post("/v1/builds", { ...body, screenshots: listed(shots) }, 202));
  }

  async addShard(id: string, shard: string, shots: Shot[]): Promise<Build> {
    return build.parse(await this.post(`/v1/builds/${id}/shards`, { shard, screenshots: listed(shots) }));
  }

  /** Sends the images that a build needs. */
  async send({ uploads }: Build, shots: Shot[]): Promise<void> {
    for (const { url, hash, headers } of uploads) {
      const bytes = shots.find(shot => hashOf(shot.bytes) === hash)?.bytes;
      if (!bytes) throw new Error(`No file has the hash ${hash}.`);
      const path = new URL(url).pathname;
      const answer = await this.put(path, bytes, headers);
      if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
      this.uploads += bytes.length;
    }
  }

  put(path: string, bytes: Buffer, headers: Record<string, string> = {}): Promise<Response> {
    return this.#api.request(path, { method: "PUT", body: new Uint8Array(bytes), headers });
  }

  /** Sends the attachments that a build wants. */
  async sendAttachments({ attachments }: Build, files: Buffer[]): Promise<void> {
    for (const { url, hash } of attachments) {
      const bytes = files.find(file => hashOf(file) === hash);
      if (!bytes) continue;
      const answer = await this.put(new URL(url).pathname, bytes);
      if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
    }
  }

  async get(id: string): Promise<Build> {
    return build.parse(await (await this.#api.request(`/v1/builds/${id}`)).json());
  }

  async finalize(id: string, shard?: string): Promise<Build> {
    return build.parse(
      await this.post(`/v1/builds/${id}/finalize`, { ...(shard !== undefined && { shard }) }),
    );
  }

  /** Waits until the build's run has ended. */
  async ended(id: string): Promise<RunView> {
    let run = await this.#run(id);
    await until(async () => {
      run = await this.#run(id);
      return run.completedAt !== null;
    });
    return run;
  }

  async screenshots(id: string): Promise<ScreenshotView[]> {
    const answer = await this.#api.request(`/v1/screenshots/${id}`);
    return screenshotList.parse(await answer.json()).data;
  }

  async approve(id: string): Promise<void> {
    await this.post(`/v1/baselines/${id}/approve`, {});
  }

  async post(path: string, body: object, status = 200): Promise<unknown> {
    const answer = await this.#api.post(path, body);
    if (answer.status !== status) throw new Error(`${answer.status} ${await answer.text()}`);
    return answer.json();
  }

  async #run(id: string): Promise<RunView> {
    return runView.parse(await (await this.#api.request(`/v1/runs/${id}`)).json());
  }
}

function listed(shots: Shot[]): UploadedScreenshotInput[] {
  return shots.map(({ bytes, ...shot }) => ({ ...shot, hash: hashOf(bytes) }));
}
