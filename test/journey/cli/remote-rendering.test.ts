import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../../support/drivers/until.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { VrsCommand } from "../../support/drivers/vrs-command.ts";
import { Application, USER } from "../../support/servers/application/application.ts";

/** The application's configuration, as in its repository. */
const CONFIG = {
  routes: ["/", "/account"],
  viewports: [600],
  clock: "2026-01-31T09:00:00Z",
  sessions: {
    editor: {
      url: "/login",
      steps: [
        { action: "fill", selector: "label=Email", value: USER.email },
        { action: "fill", selector: "label=Password", value: USER.password },
        { action: "click", selector: 'role=button[name="Log in"]' },
      ],
      expect: { text: "Account of" },
    },
  },
  perRoute: { "/account": { session: "editor" } },
};

describe("vrs run --render remote", () => {
  let application: Application;
  let service: Vrs;
  let cwd: string;

  before(async () => {
    application = await Application.start();
    application.needsCode = false;
    // The service itself may reach nothing on this machine.
    service = await Vrs.start({ SERVICE_ALLOW_HOSTS: "nothing.invalid" });
    cwd = await mkdtemp(join(tmpdir(), "vrs-remote-"));
    await configure(CONFIG);
  });
  after(async () => {
    await Promise.all([service?.stop(), application?.stop()]);
    if (cwd) await rm(cwd, { recursive: true, force: true });
  });

  const configure = (config: object) =>
    writeFile(
      join(cwd, "service.config.ts"),
      `export default ${JSON.stringify({ baseUrl: application.url, ...config })};\n`,
    );
  const start = (...args: string[]) =>
    new VrsCommand(["run", "--json", "--project", "app", ...args], {
      cwd,
      env: { SERVICE_API_URL: service.baseUrl, SERVICE_API_KEY: service.key },
    });
  const ended = async (command: VrsCommand) => {
    const code = await command.ended();
    assert.match(command.stdout, /^\{/, command.output);
    return { code, ...JSON.parse(command.stdout) };
  };

  it("captures an application behind its login that the service can't reach, with the same bytes each time", async () => {
    const direct = start();
    assert.equal(await direct.ended(), 2);
    assert.match(direct.output, /private name/);

    const first = await ended(start("--render", "remote"));
    const errors = first.screenshots.map(({ error }: { error: string | null }) => error);
    assert.deepEqual(errors, [null, null]);
    assert.equal(first.run.conclusion, "new");
    assert.ok(application.logins > 0);
    await service.client().approve(first.run.id);
    const second = await ended(start("--render", "remote"));
    assert.equal(second.code, 0);
    assert.equal(second.run.counts.unchanged, 2);
    assert.notEqual(second.run.id, first.run.id);
  });
});
