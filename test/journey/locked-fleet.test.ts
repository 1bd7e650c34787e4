import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { CORE_SERVICES } from "../../shared/config.ts";
import { runView } from "../../shared/contracts/http.ts";
import { submittedRun } from "../../shared/contracts/submit-run.ts";
import { Cluster } from "../support/cluster.ts";
import { freePort } from "../support/free-port.ts";
import { needs } from "../support/server-programs.ts";
import { until } from "../support/until.ts";

describe("a fleet whose workers may do no more than their work", () => {
  needs("nats-server", "database");
  let cluster: Cluster;
  let site: Server;
  let url: string;

  before(async () => {
    const port = await freePort();
    let visits = 0;
    site = createServer((_, response) => void response.end(`<h1>Visit ${++visits}</h1>`));
    await once(site.listen(port), "listening");
    url = `http://localhost:${port}`;
    const layout = [["gateway"], [...CORE_SERVICES], ["differ"], ["renderer"]];
    cluster = await Cluster.start({ locked: true, layout });
  });

  after(async () => {
    await cluster?.stop();
    site?.close();
  });

  const ended = async (): Promise<string> => {
    const { id } = submittedRun.parse(
      await (await cluster.post("/v1/run", { url, viewports: [800] })).json(),
    );
    let status = "";
    await until(async () => {
      ({ status } = runView.parse(await (await cluster.request(`/v1/runs/${id}`)).json()));
      return ["completed", "failed", "canceled"].includes(status);
    });
    return `${id} ${status}`;
  };

  it("renders and compares, and asks NATS for nothing that it refuses", async () => {
    const [id, first] = (await ended()).split(" ");
    assert.equal(first, "completed", cluster.output());
    assert.equal((await cluster.post(`/v1/baselines/${id}/approve`, {})).ok, true);
    assert.match(await ended(), / completed$/, cluster.output());
    assert.doesNotMatch(cluster.output(), /permission|refuse/i);
  });
});
