import type { CDPSession } from "playwright";

/**
 * Adds headers to every request of the page to the URL's own origin, and to no other, until the returned function is
 * called. Each hop of a redirect is judged by itself, so a header never follows one to another origin.
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

  const onPaused = ({
    requestId,
    request,
  }: {
    requestId: string;
    request: { url: string; headers: Record<string, string> };
  }) => {
    const own = URL.parse(request.url)?.origin === origin;
    const kept = Object.entries(request.headers).filter(([name]) => !replaced.has(name.toLowerCase()));
    const all = [...kept.map(([name, value]) => ({ name, value })), ...added];
    // The request may be gone by now, with its page.
    session.send("Fetch.continueRequest", own ? { requestId, headers: all } : { requestId }).catch(() => {});
  };
  session.on("Fetch.requestPaused", onPaused);
  await session.send("Fetch.enable", { patterns: [{ urlPattern: `${origin}/*`, requestStage: "Request" }] });
  return async () => {
    session.off("Fetch.requestPaused", onPaused);
    await session.send("Fetch.disable");
  };
}
