import { isDeepStrictEqual } from "node:util";
import type { BrowserContext, Frame, Page, ViewportSize } from "playwright";
import { endsWithin, withTimeout } from "../../async.ts";
import type { Environment } from "../../contracts/capture/environment.ts";
import { VIEWPORT_HEIGHT_PX } from "../../contracts/capture/viewport.ts";
import type { ArchiveSite } from "../archive/archive-site.ts";
import { PageResponses } from "../capsule/page-responses.ts";
import type { CaptureLimits } from "../capture-limits.ts";
import { CaptureError, type CaptureRequest } from "../capture-types.ts";
import { PageDiagnostics } from "../diagnostics/page-diagnostics.ts";
import { openDriver } from "../drivers/open-driver.ts";
import type { PageClock } from "../drivers/page-clock.ts";
import type { PageDriver } from "../drivers/page-driver.ts";
import { refuseUrl } from "../network/address-guard.ts";
import { type EgressProxy, NO_PROXY } from "../network/egress.ts";
import { startEgressProxy } from "../network/egress-proxy.ts";
import { NetworkActivity } from "../network/network-activity.ts";
import { withoutHash } from "../network/page-url.ts";
import { FRAME_MS, inFrames } from "../page/in-frames.ts";
import { layOutPage } from "../page/in-page/lay-out-page.ts";
import { replaceDate } from "../page/in-page/replace-date.ts";
import { seedRandom } from "../page/in-page/seed-random.ts";
import { startClock } from "../page/in-page/start-clock.ts";
import { leavePage, trackPage } from "../page/in-page/track-page.ts";
import { seedOf } from "../page/page-seed.ts";
import type { ClientCertificate } from "../sessions/client-certificates.ts";
import type { KeptPreview } from "../story/story-request.ts";
import { PAGE_ERRORS } from "../texts.ts";
import type { SiteTunnel } from "../tunnel/site-tunnel.ts";
import { type BrowserState, ContextStorage } from "./context-storage.ts";
import { contextKey, contextOptions, mediaOf, type PageMedia, scaleOf } from "./page-environment.ts";
import type { PooledBrowser } from "./pooled-browser.ts";

/** What a page is prepared for. */
export type PageSetup = Pick<
  CaptureRequest,
  "url" | "viewport" | "height" | "environment" | "options" | "keepsBodies"
> & {
  /** Cookies and storage that the page starts with. */
  state?: BrowserState | undefined;
};

/** Most pages are captured in it. */
const INITIAL_VIEWPORT = { width: 1280, height: VIEWPORT_HEIGHT_PX };
/** How long a context may take to close. After that, it closes with its browser. */
const CLOSE_MS = 3_000;

/** The parts of a lease. */
interface LeaseParts {
  browser: PooledBrowser;
  isolationKey: string;
  /** Settings that its pages share, except those that can change on a live page. */
  environment: Environment;
  tunnel: SiteTunnel | undefined;
  archive: ArchiveSite | undefined;
  certificates: readonly ClientCertificate[];
  /** For whom the site makes the pages. */
  audience: string;
  limits: CaptureLimits;
  proxy: EgressProxy;
  context: BrowserContext;
  page: Page;
  network: NetworkActivity;
  driver: PageDriver;
  onRelease: (lease: Lease) => Promise<void>;
}

/** An isolated context with one page and its own proxy. One screenshot uses it at a time. */
export class Lease {
  readonly browser: PooledBrowser;
  readonly isolationKey: string;
  /** Identifies the context's settings. */
  readonly contextKey: string;
  /** Image pixels per CSS pixel. */
  readonly scale: number;
  readonly limits: CaptureLimits;
  readonly proxy: EgressProxy;
  readonly page: Page;
  /** Does what differs between browsers. */
  readonly driver: PageDriver;
  readonly network: NetworkActivity;
  readonly diagnostics: PageDiagnostics;
  readonly responses: PageResponses;
  /** The clock of the page's scripts. */
  readonly clock: PageClock;
  /**
   * Frames that do not respond, such as one whose document was refused. Evaluating in them again would only take time.
   */
  readonly silentFrames = new WeakSet<Frame>();
  /** Aborted once a process of this page was ended because it used too much memory. */
  readonly overMemory: AbortSignal;
  /** Whether the page is unharmed. Otherwise release closes the context instead of keeping it warm. */
  isUsable = true;
  /** Whether release closes the context in any case, because no other page may see its data. */
  isSingleUse = false;
  /** Whether steps have moved the mouse. Its position would stay for the next page. */
  hasMovedMouse = false;
  /** The preview of a Storybook that the page shows; null if it can't show another story. */
  preview: KeptPreview | null = null;
  #isOffline = false;
  #media: PageMedia = mediaOf({});
  readonly #storage: ContextStorage;
  readonly #context: BrowserContext;
  readonly #stopWatching: () => void;
  readonly #onRelease: (lease: Lease) => Promise<void>;

  private constructor(parts: LeaseParts) {
    this.browser = parts.browser;
    this.isolationKey = parts.isolationKey;
    this.contextKey = contextKey(parts.environment, parts.certificates, parts.audience);
    this.scale = scaleOf(parts.environment);
    this.limits = parts.limits;
    this.proxy = parts.proxy;
    this.page = parts.page;
    this.driver = parts.driver;
    this.network = parts.network;
    this.diagnostics = new PageDiagnostics(parts.page, this.network);
    this.responses = new PageResponses(parts.page);
    this.clock = parts.driver.clock;
    this.#context = parts.context;
    this.#onRelease = parts.onRelease;
    const over = new AbortController();
    this.overMemory = over.signal;
    this.#stopWatching = parts.browser.control.watchMemory(parts.driver.contextId, () => {
      this.isUsable = false;
      over.abort();
    });
    this.#storage = new ContextStorage(parts.context, parts.page, parts.driver, () => {
      this.isUsable = false;
    });
  }

  /** Opens a context. Only the pool calls this. */
  static async open(
    parts: Pick<
      LeaseParts,
      | "browser"
      | "isolationKey"
      | "environment"
      | "certificates"
      | "audience"
      | "tunnel"
      | "archive"
      | "limits"
      | "onRelease"
    >,
  ): Promise<Lease> {
    const { browser, limits, tunnel, archive } = parts;
    const proxy = browser.egress.direct
      ? NO_PROXY
      : await startEgressProxy({ ...browser.egress, maxBytes: limits.maxBytes, tunnel, archive });
    let context: BrowserContext | null = null;
    try {
      context = await browser.browser.newContext({
        viewport: INITIAL_VIEWPORT,
        ...contextOptions(parts.environment),
        // Playwright's own proxy adds them. It connects through the egress proxy, too.
        ...(parts.certificates.length > 0 && { clientCertificates: [...parts.certificates] }),
        // By default, Chromium does not use a proxy for loopback addresses.
        ...(proxy !== NO_PROXY && { proxy: { server: proxy.url, bypass: "<-loopback>" } }),
      });
      await context.addInitScript(trackPage, parts.environment.javaScript !== false);
      await context.addInitScript(layOutPage);
      const page = await context.newPage();
      const network = new NetworkActivity(page);
      const driver = await openDriver(browser, { ...parts, context, page, network });
      page.on("dialog", dialog => {
        // Dismissing a beforeunload dialog would keep the page open.
        const answer = dialog.type() === "beforeunload" ? dialog.accept() : dialog.dismiss();
        answer.catch(() => {});
      });
      browser.leases++;
      return new Lease({ ...parts, proxy, context, page, network, driver });
    } catch (error) {
      // The browser stays open and would keep the context.
      void context?.close().catch(() => {});
      await proxy.close();
      throw error;
    }
  }

  /**
   * Prepares the page for a viewport, px, and an environment. It clears the cookies and the storage of earlier pages, so
   * that no screenshot depends on earlier ones. It keeps the HTTP cache, which makes the next page load faster.
   * @throws CaptureError `browser_lost` when the previous page hangs, which is not the next page's failure
   */
  async prepare({
    url,
    viewport,
    height,
    environment = {},
    options,
    state,
    keepsBodies = false,
  }: PageSetup): Promise<void> {
    this.preview = null;
    this.diagnostics.stop();
    this.responses.reset(keepsBodies);
    const clock = environment.clock ?? options.clock;
    const nowMs = clock === undefined ? Date.now() : Date.parse(clock);
    const hangs = () => new CaptureError("browser_lost", PAGE_ERRORS.previousBusy, true);
    // The previous page receives these in this order.
    const left = Promise.all([
      this.clock.pause(nowMs),
      this.#parkMouse(),
      this.#leave(),
      this.#resize(viewport, height ?? VIEWPORT_HEIGHT_PX),
    ]);
    await withTimeout(left, this.limits.busyMs, hangs);
    if (this.#isOffline) await this.setOffline(false);
    await this.#emulateMedia(mediaOf(environment));
    // A URL that differs only in its hash would be the same document, still frozen and left.
    if (url.includes("#") && withoutHash(url) === withoutHash(this.page.url()))
      await this.page.goto("about:blank");
    await Promise.all([
      this.#storage.clear(),
      this.#startPage(nowMs, options.random === "real" ? null : seedOf(url)),
    ]);
    if (state) await this.#storage.restore(url, state);
  }

  /** Returns why a page may not be opened at a URL, judged by its text; null when nothing refuses it. */
  refusal(url: URL): string | null {
    const { tunnel, archive } = this.proxy;
    if (tunnel.serves(url) || archive?.serves(url)) return null;
    return archive?.refusal(url) ?? refuseUrl(url, this.browser.egress.policy);
  }

  /** Returns the cookies and the storage of the page, whose clock must advance meanwhile. */
  async readState(): Promise<BrowserState> {
    return await this.#storage.read();
  }

  /** Resizes the viewport, CSS px. */
  async resize(size: ViewportSize): Promise<void> {
    await this.driver.resize(size);
  }

  /** Turns the network of the page off or on. */
  async setOffline(isOffline: boolean): Promise<void> {
    this.#isOffline = isOffline;
    await this.#context.setOffline(isOffline);
  }

  /** Adds the clock to the page's documents. Frames of other sites use the wall clock. */
  async #startPage(nowMs: number, seed: number | null): Promise<void> {
    const random = seed === null ? "" : `(${seedRandom})(${seed});`;
    await this.driver.setStartScript(
      `${random}(${startClock})(${nowMs}, ${replaceDate}, ${this.driver.pace})`,
    );
  }

  async #leave(): Promise<void> {
    if (this.page.url() === "about:blank") return;
    await Promise.all([
      this.page.evaluate(leavePage).catch(() => {}), // an error page has no storage
      inFrames(this, FRAME_MS, frame => frame.evaluate(leavePage)),
    ]);
  }

  async #resize(width: number, height: number): Promise<void> {
    const size = this.page.viewportSize();
    // Resizing would lay out the previous page again for no use.
    if (size?.width !== width || size.height !== height) await this.resize({ width, height });
  }

  /** Moves the mouse out of the page. The element below it would show its hover style. */
  async #parkMouse(): Promise<void> {
    if (!this.hasMovedMouse) return;
    this.hasMovedMouse = false;
    await this.page.mouse.move(-1, -1);
  }

  async #emulateMedia(media: PageMedia): Promise<void> {
    if (isDeepStrictEqual(media, this.#media)) return;
    // Listeners of the previous page would run, and could store something for the next page.
    await this.page.goto("about:blank");
    await this.page.emulateMedia(media);
    this.#media = media;
  }

  /** Returns the context to the pool, which keeps it warm for the same key for a while. */
  async release(): Promise<void> {
    await this.#onRelease(this);
  }

  /** Closes the context. Only the pool calls this. */
  async discard(): Promise<void> {
    this.isUsable = false;
    this.#stopWatching();
    this.clock.stop();
    const closed = this.#context.close().catch(() => {});
    await endsWithin(closed, CLOSE_MS);
    await this.proxy.close();
    this.browser.leases--;
  }
}
