import { setTimeout as delay } from "node:timers/promises";
import { type Page, Site } from "./site.ts";

/** Long enough that a fault finds pages under way, short enough to wait for. */
const ANSWER_AFTER_MS = 150;

/** A site for runs that something happens to: its pages take a moment, can be held, and every second one can change its look. */
export class FleetSite {
  readonly routes: string[];
  /** How often the pages of even number changed their look. */
  version = 0;
  /** Called with the route of each page that is asked for, before it is answered. */
  onAsked: (route: string) => void = () => {};
  readonly #site: Site;
  #held: Promise<void> | null = null;
  /** Requests that wait for `release`. */
  waiting = 0;
  #release: () => void = () => {};

  private constructor(site: Site, routes: string[]) {
    this.#site = site;
    this.routes = routes;
  }

  /** Starts a site with the pages `/0`, `/1`, …. */
  static async start(pages: number): Promise<FleetSite> {
    const site = await Site.start();
    const routes = Array.from({ length: pages }, (_, index) => `/${index}`);
    const fleetSite = new FleetSite(site, routes);
    for (const [index, route] of routes.entries()) {
      site.pages.set(route, async (_request, response) => {
        fleetSite.onAsked(route);
        await delay(ANSWER_AFTER_MS);
        await fleetSite.#pass();
        response.writeHead(200, { "Content-Type": "text/html" }).end(fleetSite.#page(index));
      });
    }
    return fleetSite;
  }

  /** Its pages, to which a test may add some that `routes` does not name. */
  get pages(): Map<string, Page> {
    return this.#site.pages;
  }

  get url(): string {
    return this.#site.url;
  }

  /** Paths that were asked for, in order. */
  get requested(): readonly string[] {
    return this.#site.requested;
  }

  /** Gives the pages of even number a look that they never had: nothing that was compared before helps. */
  change(): void {
    this.version += 1;
  }

  /** Answers nothing until `release`. */
  hold(): void {
    const held = Promise.withResolvers<void>();
    this.#held = held.promise;
    this.#release = held.resolve;
  }

  release(): void {
    this.#held = null;
    this.#release();
  }

  async stop(): Promise<void> {
    this.release();
    await this.#site.stop();
  }

  async #pass(): Promise<void> {
    this.waiting += 1;
    await this.#held;
    this.waiting -= 1;
  }

  #page(index: number): string {
    // Each far from the first one's red.
    const hue = index % 2 === 0 && this.version > 0 ? 60 + ((this.version * 37) % 240) : 0;
    const colour = `hsl(${hue} 70% 40%)`;
    return `<!doctype html><h1>Page ${index}</h1><div style="height:120px;background:${colour}"></div>`;
  }
}
