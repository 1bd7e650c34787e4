import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runBody } from "../../../cli/cloud/run-body.ts";
import { readRuleFiles, withFileBodies } from "../../../cli/config/rule-files.ts";
import { CommandError } from "../../../cli/terminal.ts";
import { projectConfigSchema } from "../../../shared/project-config/project-config.ts";

const URL_A = "**/prices";

describe("the files of network rules", () => {
  let root: string;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), "vrs-rules-"));
    await mkdir(join(root, "folder.json"));
    const files: [name: string, content: string | Buffer][] = [
      ["prices.json", '{ "eur": "5 €" }'],
      ["NOTES.TXT", "notes"],
      ["data", "data"],
      ["pixel.png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff])],
      ["zero.txt", "a\0b"],
      ["long.txt", "x".repeat(262_145)],
      ["full.txt", "x".repeat(1024 * 1024)],
      ["large.txt", "x".repeat(1024 * 1024 + 1)],
    ];
    for (const [name, content] of files) await writeFile(join(root, name), content);
  });
  after(() => rm(root, { recursive: true }));

  const loaded = (options: object) => {
    const config = { ...projectConfigSchema.parse(options), plugins: [] };
    return { config, root, file: join(root, "service.config.ts") };
  };
  const rules = (file: string, more: object = {}) => ({
    network: [{ url: URL_A, action: "fulfil", file, ...more }],
  });
  const read = (file: string) => readRuleFiles(loaded(rules(file)).config.network ?? [], root);
  const sent = async (options: object) =>
    runBody({ rerun: false }, await withFileBodies(loaded(options)), {
      scm: null,
      branch: null,
      isDirty: false,
    }).options;

  async function failure(work: Promise<unknown>): Promise<string> {
    const error: unknown = await work.then(
      () => null,
      thrown => thrown,
    );
    assert.ok(error instanceof CommandError);
    assert.equal(error.code, "rule_file_invalid");
    return error.message;
  }

  it("are refused if they are missing or larger than 1 MiB, with rule and path", async () => {
    const start = (file: string) => `Failed to read ${file} for the network rule of ${URL_A}: the file`;
    for (const file of ["gone.json", "folder.json"])
      assert.ok((await failure(read(file))).startsWith(`${start(file)} doesn't exist.`), file);
    assert.ok((await failure(read("large.txt"))).startsWith(`${start("large.txt")} is larger than 1 MiB.`));
    assert.equal((await read("full.txt")).get("full.txt")?.content.length, 1024 * 1024);
  });

  it("have the content type of their extension", async () => {
    const types: [file: string, contentType: string][] = [
      ["prices.json", "application/json; charset=utf-8"],
      ["NOTES.TXT", "text/plain; charset=utf-8"],
      ["pixel.png", "image/png"],
      ["data", "application/octet-stream"],
    ];
    for (const [file, contentType] of types)
      assert.equal((await read(file)).get(file)?.contentType, contentType, file);
  });

  it("are not sent to the service if they are no text, or too long", async () => {
    const start = (file: string) =>
      `The network rule of ${URL_A} can't send ${file} to the service: the file`;
    for (const file of ["pixel.png", "zero.txt"])
      assert.ok((await failure(sent(rules(file)))).startsWith(`${start(file)} is not UTF-8 text.`), file);
    assert.match(
      await failure(sent(rules("long.txt"))),
      /has more than 262,144 characters\. Use `vrs check`/,
    );
    assert.match(await failure(sent({ perRoute: { "/": rules("gone.json") } })), /Failed to read gone\.json/);
  });

  it("are not sent to the service if they are HAR files", async () => {
    const network = [{ url: URL_A, action: "har", file: "api.har" }];
    assert.match(await failure(sent({ network })), /can't send api\.har to the service: it is a HAR file/);
  });

  it("are sent as the body, with the given content type or that of the extension", async () => {
    const rule = { url: URL_A, action: "fulfil", status: 200, body: '{ "eur": "5 €" }' };
    const block = { url: "**/ads", action: "block" };
    const given = { contentType: "text/x-prices", methods: ["GET"] };
    assert.deepEqual(
      await sent({
        network: [block, ...rules("prices.json").network],
        perRoute: { "/": rules("prices.json", given), "/other": { hide: ["a"] } },
        routes: ["/", "/other"],
      }),
      {
        network: [block, { ...rule, contentType: "application/json; charset=utf-8" }],
        perRoute: { "/": { network: [{ ...rule, ...given }] }, "/other": { hide: ["a"] } },
      },
    );
  });
});

describe("network rules of a configuration", () => {
  it("have the defaults of a response only without a file", () => {
    const { network } = projectConfigSchema.parse({
      network: [
        { url: "a", action: "fulfil" },
        { url: "a", action: "fulfil", file: "a.json" },
      ],
    });
    assert.equal(
      JSON.stringify(network),
      JSON.stringify([
        { url: "a", action: "fulfil", status: 200, contentType: "text/plain; charset=utf-8", body: "" },
        { url: "a", action: "fulfil", status: 200, file: "a.json" },
      ]),
    );
  });
});
