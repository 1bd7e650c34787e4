import { count, figure } from "../text/format.ts";

/** All texts about captures that users read: why a capture failed, and what to do. */

export const LOAD_ERRORS = {
  download: (url: string) =>
    `${url} is a download, such as a PDF or an archive. Use a route that shows a page.`,
  redirectLoop: (url: string) =>
    `${url} redirects in a loop. The browser stopped after 20 redirects. Check the redirects of the site.`,
  noContent: (url: string) =>
    `${url} returns no page: the response is empty (204) or a download. Check the route.`,
  unsafeRedirect: (url: string) =>
    `${url} redirects to a URL that is not http: or https:. Check the redirect.`,
  blocked: (url: string) => `${url} is blocked by a rule in options.network. Make the rule narrower.`,
  certificate: (url: string, code: string) =>
    `${url} can't be loaded because its TLS certificate or connection is invalid (${code}). Fix the certificate.`,
  unreachable: (url: string, code: string) => `${url} can't be reached (${code}). Check that the site is up.`,
  tunnelGone: (url: string) =>
    `${url} can't be reached: the tunnel to it is closed. Keep \`vrs run --render remote\` running until the run ends.`,
  tunnelCut: (url: string) =>
    `The tunnel to ${url} was interrupted while the page loaded. Check the network between this machine and the service.`,
  failed: (url: string, why: string) => `${url} can't be reached: ${why}. Check that the site is up.`,
  redirectFailed: (url: string, to: string, why: string) =>
    `${url} redirects to ${to}, which can't be reached: ${why}. Check that the site is up.`,
  notAllowed: (url: string, why: string) => `${url} can't be rendered: ${why}.`,
  redirectNotAllowed: (url: string, to: string, why: string) =>
    `${url} redirects to ${to}, which can't be rendered: ${why}.`,
  notAbsolute: "the URL is not absolute",
  noResponse: (url: string, seconds: number) =>
    `${url} did not respond within ${count(seconds, "second")}. Check that the site is up.`,
  busy: (url: string, seconds: number) =>
    `${url} did not load within ${count(seconds, "second")}, because its scripts keep the browser busy.`,
  endless: (url: string, seconds: number) =>
    `${url} was still loading after ${count(seconds, "second")}, because its response doesn't end.`,
  waiting: (url: string, seconds: number, open: readonly string[], more: number) =>
    `${url} did not load within ${count(seconds, "second")}. It still waits for ${open.join(", ")}${more > 0 ? `, and ${figure(more)} more` : ""}. ` +
    "If the screenshot doesn't need them, block them with a rule in options.network.",
  status: (url: string, status: number, advice: string) => `${url} returned status ${status}. ${advice}`,
  checkLogin: "If the page requires a login, set the header that it expects in options.headers.",
  checkRoute: "Check the route.",
  openInBrowser: "Open it in a browser to see why.",
  tooMuch: (url: string, mebibytes: number) =>
    `${url} loads more than ${figure(mebibytes)} MiB. Block requests that the screenshot doesn't need with a rule in options.network.`,
  navigating: (url: string, times: number, last: string) =>
    `${url} keeps navigating to other pages: ${figure(times)} times so far, most recently to ${last}. Check the redirects in its scripts.`,
};

export const PAGE_ERRORS = {
  headersUnsupported: (browser: string, name: string) =>
    `${browser} can't send the header ${name} to one site only. Capture the page in Chromium, or sign in with a session.`,
  environmentUnsupported: (options: string[]) =>
    `The system's Firefox can't emulate ${options.join(", ")}. Run \`npx playwright install firefox\`, which can.`,
  notResponding: (url: string, seconds: number) =>
    `${url} did not respond for ${count(seconds, "second")}, because its scripts keep the browser busy.`,
  selectorsTooSlow: (url: string, seconds: number) =>
    `${url} did not respond for ${count(seconds, "second")}. Its scripts or the CSS selectors in the options keep the browser busy.`,
  invalidSelector: (selector: string) => `"${selector}" is not a valid CSS selector. Fix it in the options.`,
  selectorMissing: (selector: string, seconds: number) =>
    `No element that matches waitForSelector "${selector}" became visible within ${count(seconds, "second")}. Check the selector.`,
  elementMissing: (selector: string, seconds: number) =>
    `No element that matches "${selector}" appeared within ${count(seconds, "second")}. Check the locator of the screenshot's element.`,
  elementInvisible: (selector: string, seconds: number) =>
    `The elements that match "${selector}" stayed invisible for ${count(seconds, "second")}, or have no size. Choose an element that is visible.`,
  crashed: (mebibytes: number) =>
    `The page crashed its browser tab. It probably needs more memory than the ${figure(mebibytes)} MiB that its scripts can use.`,
  overMemory: (mebibytes: number) =>
    `The page uses more than ${figure(mebibytes)} MiB of memory. Load less data, or fewer or smaller images.`,
  scriptFailed: (thrown: string) =>
    `A script that prepares the page failed: ${thrown}. A script of the page probably replaces functions of the browser.`,
  browserLost: "The browser stopped while it rendered the page.",
  timeout: (seconds: number) =>
    `The screenshot was not finished within ${count(seconds, "second")}. The scripts of the page probably keep the browser busy.`,
  tooManyWildcards: (wildcards: number, most: number, rules: number) =>
    `The network rules of this page have ${figure(wildcards)} wildcards. At most ${figure(most)} are allowed, in at most ${figure(rules)} rules. Use fewer rules or wildcards.`,
  rulesTooCostly:
    "The page sent too many requests with long URLs to apply all network rules. Use fewer wildcards in `network`.",
  noRuleFile: (url: string, file: string) =>
    `The network rule for ${url} needs the file ${file}. Only the command line reads files, and only those of its configuration. Give the rule a body instead.`,
  noHar: (url: string, file: string) =>
    `The network rule for ${url} needs the HAR file ${file}. Only the command line reads HAR files, and only those of its configuration. Use \`vrs check\`, or rules with a body.`,
  noBrowser: (why: string) => `No browser could be started. ${why}`,
  previousBusy: "The previous page keeps its browser busy.",
  shuttingDown: "The renderer is shutting down.",
  browserStopped: "The browser stopped.",
  browserNotMeasured: "The browser could not be measured.",
  browserNotResponding: "The browser did not respond.",
};

/** What Storybook's events say about a story. */
const STORY_EVENTS: Readonly<Record<string, string>> = {
  playFunctionThrewException: "The play function of the story failed",
  unhandledErrorsWhilePlaying: "The story had errors while its play function ran",
  storyMissing: "The Storybook's preview doesn't have the story",
  configError: "The Storybook's preview failed to start",
};

export const STORY_ERRORS = {
  failed: (event: string, message: string) => {
    const what = STORY_EVENTS[event] ?? "The story failed to render";
    return message === "" ? `${what}.` : `${what}: ${message.replace(/\.?$/, ".")}`;
  },
  slow: (seconds: number) =>
    `The story was not rendered within ${count(seconds, "second")}. Check its loaders and play function, or increase parameters.vrs.timeout.`,
};

export const STORYBOOK_ERRORS = {
  preview: (why: string) =>
    `Failed to read the stories from the Storybook's preview: ${why.replace(/\.?$/, ".")} Open the Storybook in a browser to see why.`,
  tooLarge: (chars: number) =>
    `The settings of a story in its parameters have more than ${figure(chars)} characters.`,
  slow: (seconds: number) => `it did not load within ${count(seconds, "second")}`,
  largeIndex: (mib: number) => `the list of stories is larger than ${count(mib, "MiB", "MiB")}`,
};

/** Why a step of a page or of a login failed. */
export const STEP_ERRORS = {
  failed: (step: string, why: string) => `${step} failed: ${why}`,
  noMatch: (selector: string, seconds: number) =>
    `no element matched ${selector} within ${count(seconds, "second")}. Check the locator.`,
  notVisible: (selector: string, seconds: number) =>
    `no visible element matched ${selector} within ${count(seconds, "second")}. Check the locator.`,
  notShown: (what: string, seconds: number) =>
    `${what} did not appear within ${count(seconds, "second")}. Check the condition, or set a longer timeoutMs.`,
  covered: (element: string, seconds: number) =>
    `${element} covered the element for ${count(seconds, "second")}. Close or hide what covers it first.`,
  state: (state: string, seconds: number) =>
    `the element was ${state} for ${count(seconds, "second")}. Wait for it with a waitFor step, or choose another element.`,
  late: (seconds: number) =>
    `it did not end within ${count(seconds, "second")}. Check the page, or set a longer timeoutMs.`,
  manyMatches: (selector: string, matches: string) =>
    `${selector} matches ${matches} elements. Make the locator match one, or append >> nth=0 for the first.`,
  notReceived: (url: string, seconds: number) =>
    `no response to a request that matches ${url} arrived within ${count(seconds, "second")}. Check the glob.`,
  stillLoading: (seconds: number) =>
    `requests were still open after ${count(seconds, "second")}. Wait for an element or a single request instead.`,
  neverTrue: (seconds: number) =>
    `the function did not become true within ${count(seconds, "second")}. Check the expression.`,
  thrown: (error: string) => `${error}. Fix the step.`,
  codeThrown: (error: string) => `${error}. Fix the plugin.`,
  codeLate: (seconds: number) =>
    `it did not end within ${count(seconds, "second")}. Check what it waits for.`,
  noSecret: (name: string) =>
    `there is no secret ${name}. Add it to the project's secrets, or fix the reference.`,
  otherStatus: (url: string, returned: number, expected: number) =>
    `${url} returned status ${returned} in place of ${expected}. Check the route, or fix \`status\`.`,
  navigating: (seconds: number) =>
    `the page that it opened did not respond within ${count(seconds, "second")}. Check that the site is up.`,
  overtime: (step: string, seconds: number) =>
    `${step} was still running when the time for all screenshots of the page, ${count(seconds, "second")}, was over. Use fewer or faster steps.`,
};

/** Names of steps. */
export const STEP_NAMES = {
  numbered: (number: number, name: string) => `Step ${figure(number)} (${name})`,
  expect: (condition: string) => `The check "expect" (${condition})`,
  open: (url: string) => `Opening ${url}`,
  drag: (from: string, to: string) => `${from} to ${to}`,
};

/** Why the login of a session failed. */
export const SESSION_ERRORS = {
  failed: (session: string, why: string) => `The session "${session}" could not log in. ${why}`,
  says: (text: string) => ` The page says: "${text}"`,
  unknown: (session: string) =>
    `The session "${session}" is not one of the sessions. Add it, or fix the name.`,
  redirected: (from: string, to: string) => `${from} redirected to ${to}`,
  status: (from: string, status: number) => `${from} returned status ${status}`,
  endedAgain: (session: string, what: string) =>
    `The session "${session}" ended. ${what}, even right after a new login. Check that the login is complete, and that the application keeps the session. To capture the login page itself, open it with a goto step.`,
  notRenewable: (session: string, what: string) =>
    `The session "${session}" is not logged in. ${what}. Renew the cookies, storageState, basicAuth or clientCertificates of the session.`,
  notAllowed: (session: string, what: string) =>
    `${what}, although the session "${session}" is logged in. Check that its user may open the page.`,
  badCertificate: (session: string, origin: string, why: string) =>
    `The client certificate of the session "${session}" for ${origin} is invalid: ${why}. Check its certificate, key and passphrase.`,
  noFile: (session: string) =>
    `The session "${session}" needs the file in storageState, which only the command line reads. Use steps instead.`,
};

/** Why a request of a page failed. Each text follows the address. */
export const REQUEST_FAILURES = {
  noHost: "the URL has no host",
  credentials: "the URL contains credentials",
  port: (port: number) => `port ${port} can't serve pages`,
  scheme: (scheme: string) => `only http: and https: are allowed, not ${scheme}`,
  previewScheme: (scheme: string) => `only https: is allowed for previews, not ${scheme}`,
  privateName: (host: string) => `${host} is a private name`,
  privateAddress: (host: string, kind: string) => `${host} resolves to ${kind}`,
  deniedNetwork: "an address in a network that the operator denies",
  notPublic: (host: string) => `${host} does not resolve to a public address`,
  notFound: (host: string) => `${host} does not resolve`,
  lookupTimeout: (host: string, seconds: number) =>
    `${host} did not resolve within ${count(seconds, "second")}`,
  noResponseFrom: (host: string, port: number, why: string) => `${host}:${port} is not responding (${why})`,
  refused: "the connection was refused",
  noRoute: "there is no route to the host",
  connectTimeout: "the connection timed out",
  silent: (host: string) => `${host} is not responding`,
  tunnelLost: "the tunnel to the local application is closed",
  localRefused: "the local application refused the connection",
  tooManyBytes: (bytes: number) => `the page loaded more than ${figure(bytes)} bytes`,
  canceled: "the capture was canceled",
  notHttp: "its response is not HTTP",
  cutShort: "the connection closed before the response",
  pending: "no response yet",
  notIn: (file: string) => `not in ${file}`,
  recorded: "it failed in the recording",
  needsTunnel: (scheme: string) => `${scheme} requires a tunnel`,
  embedded: (kind: string) => `${kind} in IPv6 form`,
  is: (address: string, kind: string) => `${address} is ${kind}`,
  archivePort: "archives are only served over http: on port 80, without WebSockets",
  sealed: (host: string) => `pages of an archive can't reach ${host}. Allow it with options.allowHosts`,
};

/** What the site of an archive responds. */
export const ARCHIVE_TEXTS = {
  notFoundPage:
    "<!doctype html><html lang=en><title>404 Not found</title><h1>404 Not found</h1><p>The archive has no file at this path.",
};

/** Placeholders in lists of elements and files. */
export const NAME_TEXTS = {
  more: (more: number) => `${figure(more)} more`,
  tooBusy: "The page is too busy to respond.",
  secondLoad: "html (a second load failed)",
  slowLoad: "html (too slow for a second load)",
  somewhere: "html (somewhere on the page)",
  size: (side: "width" | "height") => `html (the ${side} of the page)`,
  notAnAddress: "an invalid address",
};

/** Kinds of addresses that pages must not reach. Each follows an address and `is` or `resolves to`. */
export const ADDRESS_KINDS = {
  none: "no IP address",
  unspecified: "an unspecified address",
  broadcast: "a broadcast address",
  multicast: "a multicast address",
  linkLocal: "a link-local address",
  loopback: "a loopback address",
  carrierGradeNat: "a carrier-grade NAT address",
  private: "a private address",
  reserved: "a reserved address",
  uniqueLocal: "a unique-local address",
  deprecatedSiteLocal: "a site-local address",
  other: "a special-purpose address",
};

/** What the proxy responds to the browser. */
export const PROXY_ERRORS = {
  notAbsolute: "This is a proxy. Send an absolute URL.",
  noPort: "CONNECT requires host:port.",
};

const GET_SANDBOX =
  "Run the service as a user other than root, and allow unprivileged user namespaces: docs/guides/configure-the-browser.md says how.";

/** Names of browsers. */
export const BROWSER_NAMES = { chromium: "Chromium", firefox: "Firefox", webkit: "WebKit" } as const;

/** Messages about the browser for operators. */
export const BROWSER_MESSAGES = {
  notInstalled: (name: "firefox" | "webkit") =>
    `${BROWSER_NAMES[name]} is not installed. Run \`npx playwright install ${name}\`${name === "firefox" ? ", or set FIREFOX_PATH to your own Firefox" : ""}.`,
  noFirefoxAt: (path: string) => `FIREFOX_PATH is ${path}, and there is no file.`,
  notStarted: (name: "firefox" | "webkit", why: string) =>
    `${BROWSER_NAMES[name]} does not start: ${why} Run \`npx playwright install --with-deps ${name}\`.`,
  noSandboxIn: (name: "firefox" | "webkit", reason: string) =>
    `${BROWSER_NAMES[name]} has no sandbox, and ${reason}. Set SERVICE_ALLOW_UNSANDBOXED=1 if you trust every page.`,
  badPath: (path: string, why: string) => `CHROMIUM_PATH is ${path}, which does not start: ${why}`,
  noBuild: (platform: string, arch: string) =>
    `vrs has no Chromium for ${platform} ${arch}. Run \`npx playwright install chromium\`, or set CHROMIUM_PATH to your own Chromium or Chrome.`,
  doesNotStart: (why: string) =>
    `The installed Chromium does not start: ${why} Install the missing libraries, or set CHROMIUM_PATH to a working Chromium or Chrome.`,
  doesNotRespond: "Chromium started, but does not respond.",
  noSandbox: `Chromium can't start its sandbox and runs without it. A page that escapes the browser can do whatever this user can. ${GET_SANDBOX}`,
  sandboxRequired: (reason: string) =>
    `Chromium can't start its sandbox, and ${reason}. A page that escapes the browser could reach data of other teams. ${GET_SANDBOX} Or set SERVICE_ALLOW_UNSANDBOXED=1 if you trust every page.`,
};

/** What reviewers should know about a screenshot of a test's page. */
export const TEST_PAGE_NOTES = {
  otherBrowser: (browser: string) =>
    `Playwright's own screenshot, because vrs doesn't capture ${browser} itself.`,
  resized:
    "Playwright's own screenshot. The page got a resize event, because this Chromium doesn't draw beyond its window.",
};

/** Why a page of a user's own test has no screenshot. */
export const TEST_PAGE_ERRORS = {
  invisible: (element: string) => `The element of the screenshot is not visible: ${element}`,
  notResponding: (ms: number) => `The page didn't respond within ${ms / 1000} s.`,
  unstable: (name: string, ms: number) =>
    `The page keeps changing, so "${name}" has no stable screenshot after ${ms / 1000} s. Hide or mask what changes.`,
  invalidSelector: (selector: string) => `The selector is invalid: ${selector}`,
};
