import assert from "node:assert/strict";
import { cardBody } from "../../../shared/alerts/card-body.ts";
import type { ChatCard } from "../../../shared/alerts/chat-card.ts";
import type { CardTool } from "../../../shared/alerts/chat-tool.ts";
import {
  discordMessage,
  googleChatMessage,
  readParagraph,
  teamsMessage,
} from "../../support/formats/chat-cards.ts";

const PAGES = 40;
const card = (more: Partial<ChatCard> = {}): ChatCard => ({
  title: "Acme shop differs",
  intro: [],
  pages: [],
  left: 0,
  buttons: [],
  ...more,
});
const linesIn = (tool: CardTool, of: ChatCard): string[] => {
  const body = cardBody(tool, of);
  if (tool === "teams")
    return teamsMessage
      .parse(body)
      .attachments[0].content.body.slice(1)
      .map(({ inlines }) => inlines.map(({ text }) => text).join(""));
  if (tool === "discord")
    return discordMessage
      .parse(body)
      .embeds[0].description.split("\n")
      .filter(line => !line.startsWith("[Snooze alerts]"))
      .map(line => line.replace(/^• /, "").replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1"));
  return googleChatMessage
    .parse(body)
    .cardsV2[0].card.sections[0].widgets.flatMap(widget =>
      "textParagraph" in widget ? [readParagraph(widget.textParagraph.text).rest] : [],
    );
};

for (const [tool, maxBytes, leastPages] of [
  ["teams", 28 * 1024, 8],
  ["google-chat", 32_000, 8],
  ["discord", 16 * 1024, 4],
] as const)
  describe(`A card of ${tool}`, () => {
    it("shows as many pages as fit into the tool's limit in bytes, and counts the others", () => {
      const pages = Array.from({ length: PAGES }, (_, at) => [{ text: `${at} ${"価".repeat(900)}` }]);
      const of = card({ pages, left: 2 });
      assert.ok(Buffer.byteLength(JSON.stringify(cardBody(tool, of))) <= maxBytes);
      const lines = linesIn(tool, of);
      const shown = lines.length - 1;
      assert.ok(shown >= leastPages && shown < PAGES, `${shown} pages`);
      assert.equal(lines.at(-1), `${PAGES - shown + 2} more in the report`);
    });

    it("omits links that are too long, and keeps their text", () => {
      const [short, long] = ["https://a.example/", `https://a.example/${"x".repeat(1_000)}`];
      const of = card({
        intro: [[{ text: "Acme shop", url: long }]],
        pages: [[{ text: "/pricing", url: long }], [{ text: "/about", url: short }]],
        buttons: [
          { label: "Open report", url: long },
          { label: "Snooze alerts", url: short },
        ],
      });
      assert.deepEqual(linesIn(tool, of), ["Acme shop", "/pricing", "/about"]);
      const body = JSON.stringify(cardBody(tool, of));
      assert.ok(!body.includes(long) && body.includes(short));
      assert.ok(!body.includes("Open report") && body.includes("Snooze alerts"));
    });
  });
