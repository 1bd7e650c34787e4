/** Names that attackers give to routes, projects, branches, teams and reasons, each against a receiver of our texts. */
export const HOSTILE_NAMES: readonly string[] = [
  "<script>alert(1)</script><img src=x onerror=alert(2)>",
  `"><a href="https://evil.example" onclick='alert(3)'>click</a></code></td></table>`,
  "![picture](https://evil.example/x.png) [link](https://evil.example) <https://evil.example>",
  "[link]: https://evil.example 'title' [link][] javascript:alert(4)",
  "@octocat (@acme/everyone) #1 acme/site#2 GH-3 https://evil.example www.evil.example me@evil.example",
  "**bold** __bold__ `code` ~~gone~~ | cell | \\| # heading <!-- -->",
  "<!channel> <!here> <@U012AB3CD> <#C012AB3CD> <https://evil.example|click> *bold* &lt;",
  "\u001b[31mred\u001b[2J\u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007\u009b31m\u0008\u007f",
  "\u202egnp.exe\u202c \u2066a\u2067b\u2068c\u2069 \u200e\u200f\u061c \u202ad\u202be\u202df",
  "one\r\nBcc: all@evil.example\r\n\r\n## two\n::error::three\n- - -\n| a | b |\u2028four\u2029five",
  ']]></system-out><testcase name="forged"/><![CDATA[ <!-- -- ?> &undefined; &#0;',
  "\ud800 \udfff \ufffe \uffff \u0000 %0A::error::x",
];

/** What no reader of a text may meet: characters that control a terminal, or turn the direction of other text. */
export const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff]/u;

/** The same, in a text of several lines. */
export const CONTROLS_IN_LINES = /(?!\n)[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff]/u;
