import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { readLockedPackages } from "../../../cli/complete-lock.ts";
import { writeSbom } from "../../../cli/package/write-sbom.ts";
import { auditInWords, auditPackages } from "../../support/tools/audit-packages.ts";

const bill = z.object({
  bomFormat: z.literal("CycloneDX"),
  metadata: z.object({ component: z.object({ name: z.string() }) }),
  components: z.array(z.object({ name: z.string(), version: z.string(), group: z.string().optional() })),
});

describe("The software bill of materials", () => {
  it("names the service's packages in their locked versions, without those of its tests", async () => {
    const folder = await mkdtemp(join(tmpdir(), "vrs-sbom-"));
    try {
      const file = join(folder, "deep", "sbom.json");
      await writeSbom(file);
      const { metadata, components } = bill.parse(JSON.parse(await readFile(file, "utf8")));
      assert.equal(metadata.component.name, "vrs");
      const named = new Set(components.map(({ name, version }) => `${name}@${version}`));
      const locked = await readLockedPackages();
      const direct = Object.keys(
        JSON.parse(await readFile(new URL("../../../package.json", import.meta.url), "utf8")).dependencies,
      );
      assert.ok(named.size > 200 && direct.length > 20);
      for (const name of direct) {
        const { version } = locked[`node_modules/${name}`] ?? {};
        assert.ok(named.has(`${name}@${version}`), `${name}@${version}`);
      }
      for (const tool of ["mocha", "knip", "ajv"])
        assert.ok(![...named].some(name => name.startsWith(`${tool}@`)), tool);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe("The audit of packages", () => {
  let folder: string;
  let registry: Server;
  let answer: { status: number; body: object };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "vrs-audit-"));
    registry = createServer((request, response) => {
      const isAudit = request.url?.includes("/advisories/bulk");
      const packument = { name: "left", versions: { "1.0.0": { name: "left", version: "1.0.0" } } };
      const { status, body } = isAudit ? answer : { status: 200, body: packument };
      request.resume();
      response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    });
    await new Promise<void>(listening => registry.listen(0, "127.0.0.1", listening));
    const manifest = { name: "shop", version: "1.0.0", dependencies: { left: "1.0.0" } };
    await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
    const packages = { "": manifest, "node_modules/left": { version: "1.0.0" } };
    await writeFile(
      join(folder, "package-lock.json"),
      JSON.stringify({ ...manifest, lockfileVersion: 3, packages }),
    );
  });
  afterEach(async () => {
    registry.close();
    registry.closeAllConnections();
    await rm(folder, { recursive: true });
  });

  const audit = async () => {
    const address = registry.address();
    assert.ok(typeof address === "object" && address);
    return auditPackages(folder, ["--registry", `http://127.0.0.1:${address.port}/`]);
  };

  it("names the packages with known vulnerabilities, severe ones separately", async () => {
    const advisory = {
      id: 1,
      url: "https://advisories.example/1",
      title: "t",
      vulnerable_versions: "<2.0.0",
    };
    answer = { status: 200, body: { left: [{ ...advisory, severity: "high" }] } };
    const found = await audit();
    assert.deepEqual(found, { kind: "audited", grave: ["left (high)"], others: [] });
    // npm caches advisories by their id.
    answer = { status: 200, body: { left: [{ ...advisory, id: 2, severity: "low" }] } };
    assert.deepEqual(await audit(), { kind: "audited", grave: [], others: ["left (low)"] });
    answer = { status: 200, body: {} };
    assert.equal(auditInWords(await audit()), "Audited: no known vulnerabilities.");
  });

  it("reports that its service is unreachable", async () => {
    for (const status of [405, 503]) {
      answer = { status, body: {} };
      const none = await audit();
      assert.equal(none.kind, "unreachable");
      assert.match(auditInWords(none), /^NOT AUDITED: the audit service could not be reached \(.*\d+ /);
    }
  });
});
