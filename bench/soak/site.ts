import type { Page } from "../../test/support/fixtures/site.ts";
import { LOOK_HEADER } from "./submitter.ts";

/** Returns pages whose look the request names, and monitored pages whose look is in the map. */
export function soakPages(watched: ReadonlyMap<string, number>): Record<string, Page> {
  const asked: Page = (request, response) => {
    const look = Number(request.headers[LOOK_HEADER] ?? 0);
    response.writeHead(200, { "Content-Type": "text/html" }).end(page(look));
  };
  const submitted = [0, 1, 2, 3].map((index): [string, Page] => [`/p/${index}`, asked]);
  const monitored = [...watched.keys()].map((path): [string, Page] => [
    path,
    (_request, response) => {
      const look = watched.get(path) ?? 0;
      response.writeHead(look === DOWN ? 503 : 200, { "Content-Type": "text/html" }).end(page(look));
    },
  ]);
  return Object.fromEntries([...submitted, ...monitored]);
}

/** The look of a page that returns an error. */
export const DOWN = -1;

/** Returns a page. Each look differs clearly from every other one. */
export function page(look: number): string {
  const colour = `hsl(${look * 61} 70% 40%)`;
  return `<!doctype html><h1>Look</h1><div style="height:160px;background:${colour}"></div>`;
}
