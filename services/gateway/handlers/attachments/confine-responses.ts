/**
 * Script that runs before the service worker of the trace viewer. The worker answers requests of its page with content
 * of the trace, which users upload. It must not become a page of this service that runs scripts or sends requests.
 * The viewer allows its own script in a snapshot by a nonce. A second policy can only restrict that.
 */
export const CONFINE_RESPONSES = `
(() => {
  const SNAPSHOT = "connect-src 'none'; form-action 'none'; object-src 'none'; worker-src 'none'";
  const OTHER = "sandbox; default-src 'none'";
  const confine = response => {
    // Responses from the network have the headers of the gateway.
    if (response.type !== "default") return response;
    const headers = new Headers(response.headers);
    const isSnapshot = /script-src 'nonce-/.test(headers.get("Content-Security-Policy") ?? "");
    headers.append("Content-Security-Policy", isSnapshot ? SNAPSHOT : OTHER);
    headers.set("X-Content-Type-Options", "nosniff");
    return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
  };
  const respondWith = FetchEvent.prototype.respondWith;
  FetchEvent.prototype.respondWith = function (response) {
    respondWith.call(this, Promise.resolve(response).then(confine));
  };
})();
`;
