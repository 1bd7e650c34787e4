import assert from "node:assert/strict";
import { after, before, describe, it } from "mocha";
import { Child } from "../../support/drivers/child.ts";
import { freePort } from "../../support/drivers/free-port.ts";
import { until } from "../../support/drivers/until.ts";

const OWN_SERVER = new URL("../../../cli/check/own-server.ts", import.meta.url).href;

/** A program that starts a server in a shell like a check, and then runs the given code. */
const program = (url: string, then: string) => `
  import { OwnServer } from ${JSON.stringify(OWN_SERVER)};
  const serve = "require('node:http').createServer((req, res) => res.end('hello')).listen(" + ${new URL(url).port} + ")";
  const server = await OwnServer.start({
    command: JSON.stringify(process.execPath) + ' -e "' + serve + '" & wait',
    url: ${JSON.stringify(url)}, timeoutMs: 60_000, cwd: process.cwd(), env: process.env,
    signal: new AbortController().signal, hear: () => {},
  });
  console.log("up");
  ${then}`;

describe("The server that a check starts", function () {
  this.timeout(120_000);
  let url: string;
  let child: Child | undefined;
  before(async () => {
    url = `http://localhost:${await freePort()}`;
  });
  after(() => child?.end("SIGKILL"));

  const answers = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  const run = (then: string) =>
    new Child(process.execPath, ["--input-type=module", "-e", program(url, then)], { env: process.env });

  it("is ended when the check is killed", async () => {
    child = run("setInterval(() => {}, 1_000);");
    const running = child;
    await running.until(() => running.output.includes("up"));
    assert.equal(await answers(), true, child.output);
    await child.end("SIGKILL");
    await until(async () => !(await answers()));
  });

  it("is ended with the check, which then waits for nothing else", async () => {
    child = run("await server.stop(); console.log('stopped');");
    await until(() => child?.ended === true);
    assert.match(child.output, /up\nstopped/);
    assert.deepEqual([child.exitCode, await answers()], [0, false]);
  });
});
