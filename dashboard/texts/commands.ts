/** Commands for copying. The dots stand for an API key. @param url of the endpoint */
export const commands = {
  startRun: (url: URL) =>
    [
      `curl ${url} \\`,
      `  -H "Authorization: Bearer ..." \\`,
      `  -H "Content-Type: application/json" \\`,
      `  -d '{ "url": "https://example.com", "routes": ["/"], "viewports": [375, 1280] }'`,
    ].join("\n"),
  createMonitor: (url: URL) =>
    [
      `curl ${url} \\`,
      `  -H "Authorization: Bearer ..." \\`,
      `  -H "Content-Type: application/json" \\`,
      `  -d '{ "name": "Shop", "url": "https://example.com", "routes": ["/"], "intervalMinutes": 60 }'`,
    ].join("\n"),
  assignByRule: (url: URL) =>
    [
      `curl -X PUT ${url}/acme%2Fshop/reviewers \\`,
      `  -H "Authorization: Bearer ..." \\`,
      `  -H "Content-Type: application/json" \\`,
      `  -d '{ "rules": [{ "routes": ["/checkout*"], "reviewers": ["ada"] }] }'`,
    ].join("\n"),
  approveRun: (url: URL) => [`curl -X POST ${url} \\`, `  -H "Authorization: Bearer ..."`].join("\n"),
} as const;
