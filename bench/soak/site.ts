import type { Page } from "../../test/support/fixtures/site.ts";
import { VARIANT_HEADER } from "./submit-runs.ts";
import { HOSTILE_PAGES } from "./visit-hostile-pages.ts";

/** Returns pages whose variant the request names, monitored pages whose variant is in the map, and hostile pages. */
export function soakPages(watched: ReadonlyMap<string, number>): Record<string, Page> {
  const submittedPage: Page = (request, response) => {
    const variant = Number(request.headers[VARIANT_HEADER] ?? 0);
    response.writeHead(200, { "Content-Type": "text/html" }).end(page(variant));
  };
  const submitted = [0, 1, 2, 3].map((index): [string, Page] => [`/p/${index}`, submittedPage]);
  const monitored = [...watched.keys()].map((path): [string, Page] => [
    path,
    (_request, response) => {
      const variant = watched.get(path) ?? 0;
      response.writeHead(variant === DOWN ? 503 : 200, { "Content-Type": "text/html" }).end(page(variant));
    },
  ]);
  return { ...Object.fromEntries([...submitted, ...monitored]), ...HOSTILE_PAGES };
}

/** The variant of a page that returns an error. */
export const DOWN = -1;

/** Returns a page. Each variant looks clearly different from the others. */
export function page(variant: number): string {
  return `<!doctype html><h1>Look</h1><div style="height:160px;background:${colorOf(variant)}"></div>`;
}

/** Returns the color of a variant, far from those of the others. */
export function colorOf(variant: number): string {
  return `hsl(${variant * 61}, 70%, 40%)`;
}
