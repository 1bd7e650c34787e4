import type { CDPSession } from "playwright";
import { FrameOrigins } from "../../page/frame-origins.ts";

/** The page whose requests are judged. */
interface Page {
  origin: string;
  frames: FrameOrigins;
  /** Requests that got the headers. */
  carrying: ReadonlySet<string>;
  /** Names of headers that say which site a request comes from. */
  sources: ReadonlySet<string>;
}

/** A request that waits for the added headers. */
interface PausedRequest {
  requestId: string;
  frameId: string;
  resourceType: string;
  redirectedRequestId?: string;
  request: { url: string; headers: Record<string, string> };
}

/**
 * Adds headers to requests from documents of the URL's origin to that origin, until the returned function is called.
 * These documents are the page and frames of its origin. Documents of other sites, and redirects by other sites, never
 * get the headers. Each hop of a redirect is judged separately.
 */
export async function sendOriginHeaders(
  session: CDPSession,
  url: string,
  headers: Record<string, string>,
): Promise<() => Promise<void>> {
  const added = Object.entries(headers).map(([name, value]) => ({ name, value }));
  if (added.length === 0) return async () => {};
  const replaced = new Set(added.map(({ name }) => name.toLowerCase()));
  const { origin } = new URL(url);
  const frames = new FrameOrigins(session);
  const carrying = new Set<string>();
  /** The headers that name a request's source, unless they are among the headers to add. */
  const sources = new Set(["origin", "referer"]).difference(replaced);

  const onPaused = async (paused: PausedRequest) => {
    const { requestId, request } = paused;
    const carries = await mayCarry(paused, { origin, frames, carrying, sources });
    if (carries) carrying.add(requestId);
    const unchanged = Object.entries(request.headers).filter(([name]) => !replaced.has(name.toLowerCase()));
    const all = [...unchanged.map(([name, value]) => ({ name, value })), ...added];
    // The request may be gone by now, with its page.
    session
      .send("Fetch.continueRequest", carries ? { requestId, headers: all } : { requestId })
      .catch(() => {});
  };
  const unfollow = await frames.follow();
  session.on("Fetch.requestPaused", onPaused);
  await session.send("Fetch.enable", { patterns: [{ urlPattern: `${origin}/*`, requestStage: "Request" }] });
  return async () => {
    session.off("Fetch.requestPaused", onPaused);
    await Promise.all([session.send("Fetch.disable"), unfollow()]);
  };
}

/** Returns whether a document of the origin made the request, to its own origin. Workers count as their frames. */
async function mayCarry(
  { frameId, resourceType, redirectedRequestId, request }: PausedRequest,
  { origin, frames, carrying, sources }: Page,
): Promise<boolean> {
  if (URL.parse(request.url)?.origin !== origin) return false;
  // The page may have been redirected to another site to sign in, and back.
  if (frames.isMain(frameId) && resourceType === "Document") return true;
  if (redirectedRequestId !== undefined && !carrying.has(redirectedRequestId)) return false;
  const stated = Object.entries(request.headers).filter(([name]) => sources.has(name.toLowerCase()));
  if (stated.some(([, source]) => URL.parse(source)?.origin !== origin)) return false;
  return await frames.isWithin(frameId, origin);
}
