/** An address that nothing speaks against. */
export const URL_OK = "https://example.com";

/** As many routes. */
export const numbered = (count: number) => Array.from({ length: count }, (_, index) => `/${index}`);

/** Bodies of `POST /v1/run` that are refused, each with the paths that the answer must name, in any order. */
export const BAD_RUNS: [what: string, body: unknown, paths: string[]][] = [
  ["that is null", "null", [""]],
  ["that is a list", [], [""]],
  ["that is a text", '"https://example.com"', [""]],
  ["without a URL", {}, ["url"]],
  [
    "of wrong types",
    { url: 1, routes: "x", viewports: "1280", threshold: "0.1", scm: [], options: 3, partial: "no" },
    ["url", "routes", "viewports", "threshold", "scm", "options", "partial"],
  ],
  [
    "with unknown fields, at every depth",
    {
      url: URL_OK,
      viewport: 1280,
      options: { maks: [], perRoute: { "/": { treshold: 0 } } },
      scm: { owner: "a", repo: "b", sha: "abcdef0", foo: 1 },
    },
    ["viewport", "options.maks", "options.perRoute./.treshold", "scm.foo"],
  ],
  ["with a field of the prototype", '{"url":"https://example.com","__proto__":{}}', ["__proto__"]],
  ["with no route", { url: URL_OK, routes: [] }, ["routes"]],
  ["with 501 routes", { url: URL_OK, routes: numbered(501) }, ["routes"]],
  ["with 10,000 routes", { url: URL_OK, routes: numbered(10_000) }, ["routes"]],
  ["with a route of 2,001 characters", { url: URL_OK, routes: [`/${"x".repeat(2000)}`] }, ["routes[0]"]],
  [
    "with routes that are no path of the site",
    {
      url: URL_OK,
      routes: ["/", "pricing", "", "//evil.example", "/\\evil.example", "https://evil.example"],
    },
    ["routes[1]", "routes[2]", "routes[3]", "routes[4]", "routes[5]"],
  ],
  [
    "with control characters in a route",
    { url: URL_OK, routes: ["/\t/evil.example", "/\n/evil.example", "/a\0b"] },
    ["routes[0]", "routes[1]", "routes[2]"],
  ],
  [
    "with widths out of bounds",
    { url: URL_OK, viewports: [239, 240, 3840, 3841, 800.5, "800"] },
    ["viewports[0]", "viewports[3]", "viewports[4]", "viewports[5]"],
  ],
  [
    "with 11 widths",
    { url: URL_OK, viewports: Array.from({ length: 11 }, (_, i) => 300 + i) },
    ["viewports"],
  ],
  ["with a threshold above 1", { url: URL_OK, threshold: 1.01 }, ["threshold"]],
  [
    "that asks for 2,004 screenshots",
    { url: URL_OK, routes: numbered(334), viewports: [300, 400, 500, 600, 700, 800] },
    ["routes"],
  ],
  [
    "that asks for too many with widths of single routes",
    {
      url: URL_OK,
      routes: numbered(500),
      viewports: [300, 400, 500, 600],
      options: { perRoute: { "/7": { viewports: [300, 400, 500, 600, 700] } } },
    },
    ["routes"],
  ],
  [
    "with options of a route that is not asked for",
    { url: URL_OK, routes: ["/"], options: { perRoute: { "/": {}, "/about": {} } } },
    ["options.perRoute./about"],
  ],
  [
    "with headers that break the request",
    { url: URL_OK, options: { headers: { Host: "evil.example" } } },
    ["options.headers"],
  ],
  [
    "with names and values that are no header",
    { url: URL_OK, options: { headers: { "a b": "x", c: "x\r\ny" } } },
    ["options.headers.a b", "options.headers.c"],
  ],
  [
    "with 2,000 wildcards in its network rules",
    {
      url: URL_OK,
      options: {
        network: Array.from({ length: 100 }, () => ({ url: `${"**a".repeat(20)}b`, action: "block" })),
      },
    },
    ["options.network"],
  ],
  [
    "with 50,000 headers that are none",
    {
      url: URL_OK,
      options: { headers: Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`a ${at}`, 0])) },
    },
    ["options.headers"],
  ],
  ["with a commit that is none", { url: URL_OK, scm: { owner: "a", repo: "b", sha: "main" } }, ["scm.sha"]],
  ["with a NUL in the URL", { url: `${URL_OK}/\0` }, ["url"]],
  ["with a NUL in an option", { url: URL_OK, options: { masks: [".a", "\0"] } }, ["options.masks[1]"]],
  ["with half a character", '{"url":"https://example.com","project":"\\ud83d"}', ["project"]],
  [
    "with half a character in an option",
    { url: URL_OK, options: { network: [{ url: "*", action: "fulfil", body: "\ud83d" }] } },
    ["options.network[0].body"],
  ],
];

/** Addresses that no run may have, by their kind. */
export const BAD_URLS: [kind: string, ...urls: string[]][] = [
  ["relative", "/pricing", "example.com", "//example.com", "", "https://"],
  ["of another scheme", "ftp://example.com", "file:///etc/passwd", "javascript:alert(1)", "data:text/html,x"],
  ["with credentials", "https://user:secret@example.com", "https://user@example.com"],
  ["on this machine", "http://127.0.0.1", "http://127.9.9.9:3000", "http://[::1]:3000", "http://0.0.0.0"],
  ["of a private network", "http://10.0.0.1", "http://192.168.1.1", "http://172.16.0.1", "http://[fd00::1]"],
  [
    "of cloud metadata",
    "http://169.254.169.254/latest",
    "http://metadata.google.internal",
    "http://metadata",
  ],
  ["in other digits", "http://2130706433", "http://0x7f.1", "http://0177.0.0.1", "http://[::ffff:10.0.0.1]"],
  ["at a port of no pages", "https://example.com:22", "http://localhost:25"],
];
