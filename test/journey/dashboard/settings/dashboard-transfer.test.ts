import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "mocha";
import type { Page } from "playwright";
import { type ImportView, importView } from "../../../../shared/contracts/transfers/transfers.ts";
import { DEFAULT_TEAM_ID } from "../../../../shared/ids.ts";
import { assertAccessible } from "../../../support/drivers/browser/axe.ts";
import { Dashboard } from "../../../support/drivers/browser/dashboard.ts";
import { BuildClient, picture } from "../../../support/drivers/build-client.ts";
import { until } from "../../../support/drivers/until.ts";
import type { Vrs } from "../../../support/drivers/vrs.ts";

const IMPORT = `/v1/teams/${DEFAULT_TEAM_ID}/import`;

describe("Export and import in the dashboard", () => {
  let on: Dashboard;
  let vrs: Vrs;
  let folder: string;
  let page: Page;
  let file: string;

  const button = (name: string) => on.button(name);

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "vrs-transfer-"));
    on = await Dashboard.start();
    ({ vrs, page } = on);
    const client = new BuildClient(vrs);
    const shots = await Promise.all(
      ["red", "blue", "green"].map(async name => ({ name, bytes: await picture(name) })),
    );
    const { id } = await client.upload({ project: "shop" }, shots);
    await client.ended(id);
  });
  after(async () => {
    await on?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it("export the team, and download the file once it is ready", async () => {
    await on.openSettings("Export and import");
    await page.getByText("No export yet.").waitFor();
    await button("Start export").click();
    const link = page.getByRole("link", { name: "Download export" });
    await link.waitFor();
    const downloading = page.waitForEvent("download");
    await link.click();
    file = join(folder, "team.tar");
    await (await downloading).saveAs(file);
    assert.match((await readFile(file)).subarray(0, 20).toString(), /^manifest\.json/);
    await assertAccessible(page);
  });

  it("say why a file is refused", async () => {
    await page.getByLabel("File of an export").setInputFiles({
      ...{ name: "x.tar", mimeType: "application/x-tar", buffer: Buffer.from("no tar at all") },
    });
    await button("Start import").click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("File of an export").setInputFiles(file);
    await button("Start import").click();
    await page.getByText("This team already has shop.").waitFor();
  });

  it("continue an upload that breaks off, and show what the import did", async () => {
    const bytes = await readFile(file);
    const froms: (string | null)[] = [];
    await page.route(`**${IMPORT}?*`, async route => {
      froms.push(new URL(route.request().url()).searchParams.get("from"));
      if (froms.length > 1) return await route.continue();
      await sendMost(bytes, new URL(route.request().url()).search);
      await route.abort("connectionreset");
    });
    await page.getByLabel("If this team already has a project").selectOption("Import it under another name");
    await page.getByLabel("File of an export").setInputFiles(file);
    await button("Start import").click();
    await page.getByRole("progressbar", { name: "Progress of the upload" }).waitFor();
    await assertAccessible(page);
    const result = page.getByRole("region", { name: "Latest import" });
    await result.getByText("Completed").waitFor();
    await result.getByRole("link", { name: "shop-imported" }).waitFor();
    await result.getByText(/new records of/).waitFor();
    await assertAccessible(page);
    const [first, second = ""] = froms;
    assert.equal(first, null);
    assert.ok(Number(second) > 0 && Number(second) < bytes.length, `from ${second}`);
    await page.unroute(`**${IMPORT}?*`);
  });

  it("continue an upload of the same file after the page was loaded again", async () => {
    const bytes = await readFile(file);
    await sendMost(bytes, "?existing=rename&settings=0&members=0");
    await page.reload();
    await page.getByText("An upload broke off.").waitFor();
    await assertAccessible(page);
    const froms: (string | null)[] = [];
    await page.route(`**${IMPORT}?*`, async route => {
      froms.push(new URL(route.request().url()).searchParams.get("from"));
      await route.continue();
    });
    await page.getByLabel("If this team already has a project").selectOption("Import it under another name");
    await page.getByLabel("File of an export").setInputFiles(file);
    await button("Start import").click();
    await page.getByRole("region", { name: "Latest import" }).getByText("Completed").waitFor();
    assert.ok(froms.length > 0 && froms.every(from => Number(from) > 0), `from ${froms}`);
    await page.unroute(`**${IMPORT}?*`);
  });

  /** Sends most of the file, breaks off, and waits until the service noted it. */
  async function sendMost(bytes: Buffer, search: string): Promise<void> {
    const broken = request(`${vrs.baseUrl}${IMPORT}${search}`, {
      method: "POST",
      headers: {
        ...{ Authorization: `Bearer ${vrs.key}`, "Content-Type": "application/x-tar" },
        "Content-Length": bytes.length,
      },
    });
    broken.on("error", () => {});
    // Ends within the last image.
    broken.write(bytes.subarray(0, bytes.length - 3_000));
    // A busy service that gets the bytes and their end at once has nothing to continue.
    await until(async () => (await latestImport())?.status === "receiving");
    broken.destroy();
    await until(async () => ((await latestImport())?.receivedBytes ?? 0) > 0);
  }

  async function latestImport(): Promise<ImportView | null> {
    const answer = await vrs.request(IMPORT);
    return answer.status === 200 ? importView.parse(await answer.json()) : null;
  }
});
