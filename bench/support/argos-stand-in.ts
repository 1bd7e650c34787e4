import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { z } from "zod";

const createBuild = z.object({ screenshots: z.array(z.object({ key: z.string() })) });

/** Answers Argos's client as its service does, and stores what it uploads. It compares nothing. */
export async function startArgosStandIn(folder: string): Promise<{ url: string; close: () => void }> {
  let count = 0;
  const build = { id: "1", url: "http://localhost/builds/1" };
  const answers: Record<string, (req: IncomingMessage) => Promise<object>> = {
    "GET /project": async () => ({ defaultBaseBranch: "main", hasRemoteContentAccess: true }),
    "POST /builds": async req => {
      const { screenshots } = createBuild.parse(JSON.parse(await text(req)));
      const uploads = screenshots.map(({ key }) => ({ key, postUrl: `${url}/upload`, fields: { key } }));
      return { build, screenshots: uploads, pwTraces: [] };
    },
    "PUT /builds/1": async () => ({ build }),
    "POST /upload": async req => {
      await pipeline(req, createWriteStream(join(folder, `upload-${++count}`)));
      return {};
    },
  };
  const server = createServer(async (req, res) => {
    const answer = answers[`${req.method} ${(req.url ?? "").split("?", 1)[0]}`];
    if (!answer) return void res.writeHead(404).end("{}");
    const body = await answer(req);
    req.resume();
    res.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("The stand-in has no port.");
  const url = `http://127.0.0.1:${address.port}`;
  return { url, close: () => void server.close() };
}
