import assert from "node:assert/strict";
import sharp from "sharp";
import { CheckTestContext } from "../../../support/contexts/check-context.ts";

const PAGE = `<!doctype html><title>logo</title><body style="margin:0"><img src="/logo" alt="" width="200" height="200">`;
const CONFIG = { network: [{ url: "**/logo", action: "fulfil", file: "stubs/logo.png" }] };

describe("checking with files of network rules", () => {
  let context: CheckTestContext;
  before(async () => {
    context = await CheckTestContext.start({ "/": PAGE });
    await context.commit();
  });
  after(() => context.stop());

  it("refuses a missing file before any page is captured", async () => {
    const { code, message } = await context.failure(context.check(CONFIG));
    assert.equal(code, "rule_file_invalid");
    assert.match(message, /stubs\/logo\.png for the network rule of \*\*\/logo: the file doesn't exist/);
    assert.deepEqual(context.site.requested, []);
  });

  it("shows the image of a file, relative to the configuration", async () => {
    const logo = { width: 20, height: 20, channels: 3, background: "#e76f51" } as const;
    await context.write("stubs/logo.png", await sharp({ create: logo }).png().toBuffer());
    const [shot] = (await context.check(CONFIG)).screenshots;
    assert.ok(shot?.files.current);
    const { data } = await sharp(shot.files.current)
      .extract({ left: 100, top: 100, width: 1, height: 1 })
      .raw()
      .toBuffer({ resolveWithObject: true });
    assert.deepEqual([...data.subarray(0, 3)], [0xe7, 0x6f, 0x51]);
    assert.equal(context.site.requested.includes("/logo"), false);
  });
});
