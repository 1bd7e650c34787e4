import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileImageStore } from "../../../mixins/images/file-image-store.ts";
import type { Gateway } from "../../../services/gateway/gateway-context.ts";
import { serveExportFile } from "../../../services/gateway/handlers/transfers/serve-export-file.ts";
import type { Input } from "../../../services/gateway/routes/route.ts";
import type { TransferFile } from "../../../shared/contracts/transfers/transfers.ts";
import { newId } from "../../../shared/ids.ts";
import { LocalServer } from "../../support/servers/local-server.ts";

describe("The file of an export", () => {
  let folder: string;
  let images: FileImageStore;
  let files: TransferFile[];
  let server: LocalServer;
  let served: Promise<unknown>;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "vrs-export-"));
    images = await FileImageStore.open(folder);
    const hash = await images.put(Buffer.alloc(20_000_000));
    files = [{ hash, kind: "file" }];
    const head = {
      ...{ id: newId("exp"), format: "vrs-export", version: 1, createdAt: new Date().toISOString() },
      ...{ url: "https://vrs.example", team: { id: newId("team"), name: "Shop" }, projects: [] },
      ...{ files: 1, leftOut: [] },
    };
    const call = async (name: string, { after }: { after?: unknown }) => {
      if (name === "runs.exportHead")
        return { id: head.id, head: await images.put(Buffer.from(JSON.stringify(head))) };
      return name === "runs.exportFiles" && after === "" ? files : [];
    };
    const partial = { images, archiveFiles: images, broker: { logger: { debug() {} } } };
    // biome-ignore lint/plugin: the handler needs only the stores and the log.
    const gateway = partial as unknown as Gateway;
    server = new LocalServer((req, res) => {
      // biome-ignore lint/plugin: it sends only these messages.
      const input = { context: { call }, params: { id: "team_1" }, req, res } as unknown as Input;
      served = serveExportFile(gateway, input);
    });
    await server.listen();
  });
  after(async () => {
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it("has everything that its manifest counts, or breaks off", async () => {
    const whole = Buffer.from(await (await fetch(server.url)).arrayBuffer());
    assert.ok(whole.includes("end.json"));
    const [file] = files.splice(0);
    await assert.rejects(async () => (await fetch(server.url)).arrayBuffer());
    await served;
    if (file) files.push(file);
  });

  it("is no longer read once its receiver is gone", async () => {
    const gone = new AbortController();
    const answer = await fetch(server.url, { signal: gone.signal });
    await answer.body?.getReader().read();
    gone.abort();
    await served;
  });
});
