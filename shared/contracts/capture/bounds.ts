/** Limits of a submitted run. The docs name each of them, and so does the error that it causes. */
export const BOUNDS = {
  routes: 500,
  viewports: 10,
  minViewportPx: 240,
  maxViewportPx: 3840,
  minViewportHeightPx: 100,
  maxViewportHeightPx: 4000,
  screenshots: 2000,
  environments: 20,
  selectors: 100,
  headers: 50,
  networkRules: 100,
  /** Hosts that pages of an archive may reach. */
  allowHosts: 50,
  wildcards: 20,
  /** Of all rules of a page. Each takes a pass over the URL of every request. */
  networkWildcards: 300,
  fulfilBodyChars: 262_144,
  /** Of a request that a network rule delays, ms. */
  delayMs: 30_000,
  /** More would hide the page. */
  ignoreRegions: 50,
  /** Regions of all selectors in one screenshot. */
  selectorRegions: 100,
  /** Of a page or a session. */
  steps: 100,
  /** Screenshots of a page in one viewport and environment. */
  states: 20,
  /** Of a single step, ms. */
  stepTimeoutMs: 30_000,
  uploadFiles: 5,
  uploadChars: 262_144,
  sessions: 20,
  cookies: 50,
  clientCertificates: 5,
  /** Of a file with a storage state. */
  storedCookies: 1000,
  storedOrigins: 100,
  paddingPx: 500,
} as const;
