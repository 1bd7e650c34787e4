import assert from "node:assert/strict";
import { constants, getPriority } from "node:os";
import { listBrowserProcesses } from "../../../../shared/capture/browser/browser-processes.ts";
import { CaptureTestContext } from "../../../support/contexts/capture-context.ts";
import { until } from "../../../support/drivers/until.ts";
import { html } from "../../../support/fixtures/sites/flake-pages.ts";

/** More than a machine with eight processors allows. */
const WORKERS = 40;
const CROWD = html(`<script>
  const code = URL.createObjectURL(new Blob(["for (;;);"]));
  for (let n = 0; n < ${WORKERS}; n++) new Worker(code);
</script>`);

describe("a page that keeps many threads busy", () => {
  let context: CaptureTestContext;

  before(async () => {
    context = await CaptureTestContext.start({ "/crowd": CROWD, "/": html("<h1>page</h1>") });
  });
  after(() => context.stop());

  it("gets the lowest priority, and other pages keep theirs", async function () {
    if (process.platform !== "linux") this.skip();
    const [crowd, other] = [await context.pool.lease("crowd"), await context.pool.lease("other")];
    const session = await crowd.browser.browser.newBrowserCDPSession();
    const priorities = async () => {
      const processes = await listBrowserProcesses(process.pid, session);
      return processes.flatMap(({ pid, isRenderer }) => (isRenderer ? [getPriority(pid)] : []));
    };
    try {
      await other.page.goto(context.site.url);
      await crowd.page.goto(`${context.site.url}/crowd`);
      await until(async () => (await priorities()).includes(constants.priority.PRIORITY_LOW));
      const usual = (await priorities()).filter(priority => priority !== constants.priority.PRIORITY_LOW);
      assert.ok(usual.length > 0);
    } finally {
      await Promise.all([crowd.release(), other.release()]);
    }
  });
});
