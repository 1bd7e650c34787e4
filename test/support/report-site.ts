import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { REPORT_CSP, renderReport } from "../../shared/report/render-report.ts";
import type { ReportModel } from "../../shared/report/report-model.ts";

/** A report and its images behind HTTP, as the gateway sends them. */
export interface ReportSite extends AsyncDisposable {
  url: string;
  /** Paths asked for, but for the report itself. */
  requested: string[];
}

/** `images` by path; a path that is not among them is answered with 404. */
export async function serveReport(
  model: ReportModel,
  images: ReadonlyMap<string, Buffer>,
): Promise<ReportSite> {
  const requested: string[] = [];
  const page = renderReport(model);
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    if (path === "/") {
      const headers = { "content-type": "text/html; charset=utf-8", "content-security-policy": REPORT_CSP };
      response.writeHead(200, headers).end(page);
      return;
    }
    requested.push(path);
    const image = images.get(path);
    if (image)
      response.writeHead(200, { "content-type": "image/png", "cache-control": "max-age=600" }).end(image);
    else response.writeHead(404).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert(address !== null && typeof address === "object");
  return {
    url: `http://127.0.0.1:${address.port}/`,
    requested,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
