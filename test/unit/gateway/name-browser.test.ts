import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { nameBrowser } from "../../../services/gateway/auth/name-browser.ts";

describe("The name of a browser", () => {
  const named: [string | undefined, string | null][] = [
    ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0",
      "Edge on Windows",
    ],
    [
      "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
      "Chrome on Android",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1",
      "Safari on iOS",
    ],
    ["curl/8.10", "curl"],
    ["Something (Linux)", "A browser on Linux"],
    ["x".repeat(10_000), null],
    [undefined, null],
  ];
  for (const [agent, name] of named)
    it(`is ${name ?? "nothing"} for ${agent?.slice(0, 40) ?? "one that says nothing"}`, () => {
      assert.equal(nameBrowser(agent), name);
    });
});
