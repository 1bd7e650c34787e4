/** Firefox preferences in addition to Playwright's own. They fix what `PAGE_SETTINGS` and Chromium's arguments fix. */
export const FIREFOX_PREFERENCES: Readonly<Record<string, string | number | boolean>> = {
  // By default, Firefox uses no proxy for loopback addresses.
  "network.proxy.allow_hijacking_localhost": true,
  // WebRTC and early connections bypass the proxy.
  "media.peerconnection.enabled": false,
  "network.dns.disablePrefetch": true,
  "network.http.speculative-parallel-limit": 0,
  "network.predictor.enabled": false,
  "network.http.http3.enable": false,
  // Animated images stay at their first frame.
  "image.animation_mode": "none",
  // Images appear in the frame that shows them.
  "image.decode-sync.enabled": true,
  "ui.prefersReducedMotion": 1,
  // Scrollbars take no space, as in headless Chromium.
  "ui.useOverlayScrollbars": 1,
  "widget.gtk.overlay-scrollbars.enabled": true,
  "general.smoothScroll": false,
  "ui.caretBlinkTime": 0,
};
