import assert from "node:assert/strict";
import { checkProse } from "../../../docs/build/check-prose.ts";

const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(" ");
const check = async (text: string, path = "docs/guides/page.md") =>
  (await checkProse([{ path, text, isGenerated: false }])).map(found => found.replace(/ words.*/, ""));

describe("The sentence limit of the docs", () => {
  it("accepts 20 words and rejects 21, with the line", async () => {
    assert.deepEqual(await check(`# Title\n\n${words(20)}.\n`), []);
    assert.deepEqual(await check(`# Title\n\n${words(21)}.\n`), ["docs/guides/page.md:3: 21"]);
  });

  it("names the sentence by its first words", async () => {
    const [found] = await checkProse([{ path: "a.md", text: `Short. ${words(21)}.`, isGenerated: false }]);
    assert.equal(
      found,
      'a.md:1: 21 words, at most 20: "word0 word1 word2 word3 word4 word5 …". Split the sentence.',
    );
  });

  it("counts each sentence of a paragraph by itself", async () => {
    assert.deepEqual(
      await check(`${words(12)}. ${words(12)}? vrs ${words(12)}! "${words(12)}." ${words(12)}`),
      [],
    );
  });

  it("doesn't end a sentence at a line break, a colon, a semicolon or a dot within a word", async () => {
    for (const between of ["\n", ": ", "; ", " service.config.ts "])
      assert.equal((await check(words(11) + between + words(11))).length, 1, between);
  });

  it("counts a code span, and a link that shows its URL, as one word", async () => {
    assert.deepEqual(await check(`${words(19)} \`${words(9)}. ${words(9)}\`.`), []);
    assert.deepEqual(await check(`${words(19)} <https://vrs.example/a?b=c>.`), []);
    assert.deepEqual(await check(`${words(20)} \`one more\`.`), ["docs/guides/page.md:1: 21"]);
  });

  it("counts the words around a line break, without those of a tag or an image", async () => {
    for (const between of ["<br>", "  \n", "\\\n", '<a id="one two three">', "![one two three](a.png)"]) {
      assert.deepEqual(await check(words(10) + between + words(10)), [], between);
      assert.equal((await check(words(10) + between + words(11))).length, 1, between);
    }
  });

  it("counts the words of a link's text and of emphasis", async () => {
    assert.deepEqual(await check(`${words(18)} [one two](a.md) **three**.`), ["docs/guides/page.md:1: 21"]);
  });

  it("takes list items and table cells as sentences of their own", async () => {
    const item = words(15);
    assert.deepEqual(
      await check(`- ${item}\n- ${item}\n\n| ${item} | ${item} |\n|---|---|\n| ${item} | ${item} |\n`),
      [],
    );
    assert.deepEqual(await check(`- ${item}\n- ${words(21)}\n`), ["docs/guides/page.md:2: 21"]);
    assert.deepEqual(await check(`| a | b |\n|---|---|\n| c | ${words(21)} |\n`), [
      "docs/guides/page.md:3: 21",
    ]);
  });

  it("ignores code blocks and generated pages", async () => {
    assert.deepEqual(await check(`\`\`\`sh\n${words(30)}\n\`\`\`\n`), []);
    assert.deepEqual(await checkProse([{ path: "a.md", text: words(30), isGenerated: true }]), []);
  });

  it("applies to the page on writing, which lists terms that aren't ours", async () => {
    const path = "docs/contributing/writing.md";
    assert.deepEqual(await check(`somebody ${words(20)}`, path), [`${path}:1: 21`]);
  });
});
