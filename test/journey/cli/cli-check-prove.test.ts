import assert from "node:assert/strict";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type CheckResult, checkResultSchema } from "../../../cli/check/check-result.ts";
import { CheckTestContext, shotOf, toolEnv } from "../../support/contexts/check-context.ts";
import { Child } from "../../support/drivers/child.ts";

const TOOL = fileURLToPath(new URL("../../../cli/main.ts", import.meta.url));
const ROUTES = ["/", "/terms", "/prices"];
/** Scripts that change with every deployment, and show nothing. */
const QUIET = Array.from({ length: 6 }, (_, index) => `/part-${index}.js`);

describe("vrs check --prove", () => {
  let context: CheckTestContext;
  before(async () => {
    context = await CheckTestContext.start({});
    deploy({ version: 1, color: "#1a7f43", price: "12 €" });
    const settings = { baseUrl: context.site.url, routes: ROUTES, viewports: [400], threshold: 0 };
    const config = `import { defineConfig } from "vrs";\nexport default defineConfig(${JSON.stringify(settings)});\n`;
    await context.write("service.config.ts", config);
    await context.commit();
    const first = await vrs("check", "--json", "--quiet");
    assert.equal(first.code, 1, first.output);
    assert.equal((await vrs("approve")).code, 0);
    await context.commit();
  });
  after(() => context.stop());

  /** Serves a site whose script writes its prices, and whose stylesheet colors its terms. */
  function deploy({ version, color, price }: { version: number; color: string; price: string }): void {
    const files: Record<string, [type: string, content: string]> = {
      "/app.css": ["text/css", `/* ${version} */ .terms { color: ${color}; font: 30px sans-serif }`],
      "/app.js": [
        "text/javascript",
        `/* ${version} */ const at = document.querySelector(".price"); if (at) at.textContent = "${price}";`,
      ],
      ...Object.fromEntries(QUIET.map(path => [path, ["text/javascript", `/* ${version} */`]])),
    };
    for (const [path, [type, content]] of Object.entries(files))
      context.site.pages.set(path, (_request, response) =>
        response.writeHead(200, { "Content-Type": type }).end(content),
      );
    const head = `<!doctype html><link rel="stylesheet" href="/app.css">${QUIET.map(path => `<script src="${path}" defer></script>`).join("")}<script src="/app.js" defer></script>`;
    for (const [route, content] of [
      ["/", "Home"],
      ["/terms", '<p class="terms">Terms</p>'],
      ["/prices", '<p class="price"></p>'],
    ] as const)
      context.site.pages.set(route, `${head}${content}`);
  }

  /** Runs the tool to its end. */
  async function vrs(...args: string[]): Promise<{ code: number | null; output: string }> {
    const child = new Child(process.execPath, [TOOL, ...args], { cwd: context.root, env: toolEnv() });
    while (!child.ended) await new Promise(resolve => setTimeout(resolve, 10));
    return { code: child.exitCode, output: child.output };
  }

  async function check(...args: string[]): Promise<CheckResult> {
    const { code, output } = await vrs("check", "--json", "--quiet", ...args);
    assert.equal(code, 1, output);
    // Notes on standard error come first.
    return checkResultSchema.parse(JSON.parse(output.slice(output.indexOf("{"))));
  }

  const proofOf = (result: CheckResult, route: string) => shotOf(result, route).proof;

  it("names the stylesheet and the script behind each change, among many changed files", async () => {
    deploy({ version: 2, color: "#c62f2f", price: "14 €" });
    const result = await check("--prove");
    assert.equal(result.counts.changed, 2);
    const [terms, prices] = [proofOf(result, "/terms"), proofOf(result, "/prices")];
    assert.deepEqual(
      [terms?.outcome, terms?.files, prices?.outcome, prices?.files],
      ["proven", [`${context.site.url}/app.css`], "proven", [`${context.site.url}/app.js`]],
    );
    // Eight files changed: one capture as the page is, the likeliest alone, all, and halves of them.
    for (const proof of [terms, prices])
      assert.ok((proof?.captures ?? 99) <= 7, `${proof?.captures} captures`);
    assert.equal(proofOf(result, "/"), null, "an unchanged page");
    assert.equal(proofOf(await check(), "/terms"), null, "a check that doesn't ask for it");
  });

  it("prints the proof, and shows it in the report", async () => {
    const { output } = await vrs("check", "/terms", "--prove");
    const printed = output.replaceAll(/\s+/g, " ");
    assert.match(
      printed,
      /\/terms at 400 px: Proven: with the baseline's app\.css, the difference vanishes\./,
    );
    const { report } = await check("/terms", "--prove");
    assert.match(await readFile(report ?? "", "utf8"), /<code>app\.css<\/code>, the difference vanishes/);
  });

  it("says when the earlier files are no longer on this machine", async () => {
    await rm(join(context.root, ".service/check/responses"), { recursive: true });
    const proof = proofOf(await check("/terms", "--prove"), "/terms");
    assert.deepEqual([proof?.outcome, proof?.files], ["not_kept", []]);
    assert.match(proof?.text ?? "", /isn't kept/);
  });
});
