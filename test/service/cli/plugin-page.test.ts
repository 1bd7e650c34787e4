import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { CheckFolder } from "../../../cli/check/check-folder.ts";
import { runVrs } from "../../../cli/program.ts";
import { CheckTestContext } from "../../support/contexts/check-context.ts";

const GUIDE = new URL("../../../docs/guides/write-a-plugin.md", import.meta.url);

const LOGIN = `<!doctype html><title>Log in</title><form><label>Name <input></label><button>Log in</button></form>
<script>document.forms[0].onsubmit = event => {
  event.preventDefault();
  document.cookie = "user=" + document.querySelector("input").value;
  location.href = "/cart";
}</script>`;
/** Each item is a green row of 50 px. Items appear only for the customer. */
const CART = `<!doctype html><title>Cart</title><style>body { margin: 0 } div { height: 50px; background: #2a9d8f; animation: in 1s }
@keyframes in { from { opacity: 0 } }</style>
<main></main><button onclick="setTimeout(() => document.querySelector('main').append(document.createElement('div')), 200)">Add</button>
<script>if (!document.cookie.includes("user=customer")) location.href = "/login"</script>`;

/** Returns the height of the green rows, px. */
async function greenRows(file: string): Promise<number> {
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const rows = Array.from({ length: info.height }, (_, y) => y * info.width * info.channels);
  return rows.filter(at => data.subarray(at, at + 3).toString("hex") === "2a9d8f").length;
}

describe("plugins that act on a page", () => {
  let context: CheckTestContext;
  before(async () => {
    context = await CheckTestContext.start({ "/login": LOGIN, "/cart": CART });
  });
  after(() => context.stop());

  it("log in and act before the screenshot, as in the guide", async () => {
    const guide = await readFile(GUIDE, "utf8");
    const example = /<!-- plugin: [^>]*-->\n```ts\n(.*?)```/s.exec(guide)?.[1] ?? "";
    assert.match(example, /onLogin/);
    const config = example.replace("routes:", `baseUrl: "${context.site.url}", viewports: [400], routes:`);
    await context.write("service.config.ts", config);
    const terminal = context.terminal();
    assert.equal(await runVrs(["check"], terminal), 1, terminal.errors);
    const [shot] = (await new CheckFolder(context.root).last())?.screenshots ?? [];
    assert.deepEqual([shot?.status, shot?.stable, shot?.error], ["new", true, null]);
    assert.equal(await greenRows(shot?.files.current ?? ""), 150);
  });

  it("fail only their page, and name the plugin, the hook and the page", async () => {
    const found = await context.check({
      routes: ["/login", "/cart"],
      plugins: [
        {
          name: "mine",
          async onPage({
            page,
            route,
          }: {
            page: { click: (selector: string, options: object) => Promise<void> };
            route: string;
          }) {
            if (route === "/login") await page.click("#none", { timeout: 300 });
            else throw new Error("Not today.");
          },
        },
      ],
    });
    const errors = found.screenshots.map(({ error }) => error?.message);
    assert.match(
      errors[0] ?? "",
      /^The plugin "mine" \(onPage for \/login at 400 px\) failed: Timeout 300ms exceeded\. Fix the plugin\.$/,
    );
    assert.equal(
      errors[1],
      'The plugin "mine" (onPage for /cart at 400 px) failed: Not today. Fix the plugin.',
    );
    assert.ok(found.screenshots.every(({ files }) => files.failure !== undefined));
  });

  it("fail the login of their session", async () => {
    const onLogin = () => Promise.reject(new Error("No user."));
    const session = { sessions: { customer: { url: "/login" } }, session: "customer" };
    const found = await context.check({
      ...session,
      routes: ["/login"],
      plugins: [{ name: "mine", onLogin }],
    });
    assert.match(
      found.screenshots[0]?.error?.message ?? "",
      /^The session "customer" could not log in\. The plugin "mine" \(onLogin for the session customer\) failed: No user\./,
    );
  });
});
