import { once } from "node:events";
import { createServer } from "node:http";
import { benchPages } from "./capture-pages.ts";

/** The pages of `capture-pages.ts`, served as a site that lets browsers cache its files. */
export interface BenchSite {
  url: string;
  close(): void;
}

export async function startBenchSite(): Promise<BenchSite> {
  const files = benchPages();
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? "");
    response.writeHead(file ? 200 : 404, {
      "Content-Type": file?.type ?? "text/plain",
      "Cache-Control": "max-age=600",
    });
    response.end(file?.body);
  }).listen(0);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The site has no port.");
  return {
    url: `http://localhost:${address.port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
