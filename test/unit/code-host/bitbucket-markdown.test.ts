import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  asBitbucketComment,
  asBitbucketMarkdown,
} from "../../../services/scm/code-host/bitbucket/bitbucket-markdown.ts";
import { code, escapeMarkdown, folded, link, thumbnail } from "../../../shared/text/code-host-markdown.ts";

const URL = "https://vrs.example/review/run_1?shot=a&comment=com_1";

describe("Comments in Bitbucket's Markdown", () => {
  it("hide their marker in a definition that nothing uses", () => {
    assert.equal(
      asBitbucketMarkdown("<!-- vrs thread com_1 -->\n\ntext"),
      "[//]: # (vrs thread com_1)\n\ntext",
    );
  });

  it("have links, images, code and sections without HTML", () => {
    assert.equal(asBitbucketMarkdown(link(code("/a.html"), URL)), `[\`/a.html\`](${URL})`);
    assert.equal(asBitbucketMarkdown(link("report", `${URL}#(x)`)), `[report](${URL}#%28x%29)`);
    const image = thumbnail("https://vrs.example/i.png?w=1&h=2", "Top of [/a]", 200, URL);
    assert.equal(
      asBitbucketMarkdown(image),
      `[![Top of \\[/a\\]](https://vrs.example/i.png?w=1&h=2)](${URL})`,
    );
    assert.equal(asBitbucketMarkdown(folded("3 minor changes", "| a |")), "**3 minor changes**\n\n| a |\n");
    assert.equal(asBitbucketMarkdown("<sub>Commit abc</sub>"), "Commit abc");
    assert.equal(asBitbucketMarkdown(code("a`b")), "`` a`b ``");
    assert.equal(asBitbucketMarkdown(code("a `` [b](c)")), "``` a `` [b](c) ```");
  });

  it("keep the rows of tables and the marks of quotes where a line breaks", () => {
    assert.equal(asBitbucketMarkdown("| a<br>b | c |"), "| a · b | c |");
    assert.equal(asBitbucketMarkdown("> a<br>b"), "> a  \n> b");
    assert.equal(asBitbucketMarkdown("a<br>b"), "a  \nb");
  });

  it("show foreign texts as they are, without markup, mentions, references, and links", () => {
    const text = "**b** _i_ `c` [a](b) <b> | # 1. &lt; ~~x~~ 50% ümläut";
    const shown = asBitbucketMarkdown(escapeMarkdown(text));
    const rendered = shown.replaceAll(/\\([\\`*_{}[\]()>#+.!|-])/g, "$1").replaceAll("\u200b", "");
    assert.equal(rendered, text);
    assert.doesNotMatch(shown, /(?<!\\)[*_`[\]|]|<\w|&\w|~~/);
    const references = asBitbucketMarkdown(
      escapeMarkdown("@ada #12 https://evil.example <https://evil.example>"),
    );
    assert.doesNotMatch(references, /@\w|#\w|https:\/\/|<h/);
  });

  it("are cut at a line and keep their last one, if Bitbucket would refuse them", () => {
    const row = `| ${"x".repeat(500)} | /a |`;
    const whole = `# Title\n\n${`${row}\n`.repeat(60)}\n<sub>Commit abc</sub>\n`;
    assert.equal(asBitbucketComment(whole), asBitbucketMarkdown(whole));
    const cut = asBitbucketComment(whole.replaceAll(row, `${row}\n${row}`));
    assert.ok(cut.length <= 32_768 && cut.length > 32_000, String(cut.length));
    assert.match(cut, /^# Title\n\n(\| x{500} \| \/a \|\n)+\n…\n\nCommit abc$/);
  });
});
