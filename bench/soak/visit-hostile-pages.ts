import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Page } from "../../test/support/fixtures/site.ts";
import { endlessBytes, endlessHtml } from "../../test/support/fixtures/sites/endless-pages.ts";
import { retryRequest } from "./retry-request.ts";
import { clientOf, randomOf, type SoakContext } from "./soak-context.ts";

/** Runs of this project may have any result, but must end. */
export const HOSTILE_PROJECT = "hostile";
const PAUSE_MS = [10_000, 30_000] as const;
const PAGES_OF_RUN = 3;

const html = (body: string) => `<!doctype html><meta charset="utf-8"><title>Hostile</title>${body}`;

/** Pages that try to keep the browser, its memory or the renderer for themselves. */
export const HOSTILE_PAGES: Readonly<Record<string, Page>> = {
  "/hostile/never": () => {},
  "/hostile/endless": endlessHtml,
  "/hostile/bytes": html('<script>fetch("/hostile/many-bytes").then(r => r.blob())</script>'),
  "/hostile/many-bytes": endlessBytes,
  "/hostile/around": (_request, response) => response.writeHead(302, { Location: "/hostile/around" }).end(),
  "/hostile/script-around": html(
    '<script>location.replace("/hostile/script-around?" + Math.random())</script>',
  ),
  "/hostile/busy": html("<script>while (true);</script>"),
  "/hostile/memory": html("<script>const all = []; for (;;) all.push(new Array(1e6).fill(1.5))</script>"),
  "/hostile/alerts": html('<script>for (;;) alert("again")</script>'),
  "/hostile/windows": html("<script>setInterval(() => open('/hostile/windows'), 10)</script>"),
  "/hostile/elements": html(
    "<script>for (let n = 0; n < 1e6; n++) document.body.append(document.createElement('p'))</script>",
  ),
  "/hostile/tall": html('<div style="height: 10000000px">tall</div>'),
  "/hostile/workers": html(
    "<script>const code = URL.createObjectURL(new Blob(['for (;;);'])); for (let n = 0; n < 50; n++) new Worker(code)</script>",
  ),
  "/hostile/download": (_request, response) =>
    response.writeHead(200, { "Content-Disposition": "attachment; filename=x.bin" }).end("x"),
  "/hostile/private": (_request, response) =>
    response.writeHead(302, { Location: "http://169.254.169.254/latest/meta-data" }).end(),
};

/** Pages that runs ask for. The others are only loaded by them. */
const ROUTES = Object.keys(HOSTILE_PAGES).filter(route => route !== "/hostile/many-bytes");

/** Submits runs of hostile pages one after the other. */
export async function visitHostilePages(context: SoakContext): Promise<void> {
  const random = randomOf(context, HOSTILE_PROJECT);
  while (!context.signal.aborted) {
    const routes = random.shuffled(ROUTES).slice(0, PAGES_OF_RUN);
    const body = { url: context.site.url, routes, viewports: [375], project: HOSTILE_PROJECT, partial: true };
    const key = randomUUID();
    const { id } = await retryRequest(attempt => clientOf(context, attempt).submitRun(body, key));
    context.ledger.accept({ id, screenshots: routes.length, counts: null });
    context.ledger.note("runs of hostile pages");
    await retryRequest(attempt => clientOf(context, attempt).waitForRun(id, { intervalMs: 500 }));
    await delay(random.between(...PAUSE_MS), undefined, { signal: context.signal }).catch(() => {});
  }
}
