import assert from "node:assert/strict";
import { viewOfUpload } from "../../../services/runs/attachments/present-upload.ts";
import { wantedFiles, withFiles } from "../../../services/runs/attachments/wanted-attachments.rule.ts";
import { listedOf } from "../../../services/runs/builds/plan-uploads.rule.ts";
import { attachmentKindOf } from "../../../shared/contracts/builds/attachment-kind.ts";
import {
  type UploadedScreenshotInput,
  uploadedScreenshot,
} from "../../../shared/contracts/builds/uploaded-screenshot.ts";
import { Links } from "../../../shared/links/links.ts";

const [image, trace, log] = ["1".repeat(64), "2".repeat(64), "3".repeat(64)];

function listed(name: string, more: Partial<UploadedScreenshotInput> = {}) {
  return listedOf(uploadedScreenshot.parse({ name, hash: image, ...more }));
}

describe("Attachments", () => {
  it("are wanted of screenshots that look like nothing approved, and of retried tests", () => {
    const attachments = [
      { name: "trace", hash: trace },
      { name: "log", url: "https://ci.example.com" },
    ];
    const card = listed("Card", { attachments });
    const retried = listed("Cart", { retry: 1, attachments: [{ name: "log", hash: log }] });
    assert.deepEqual(wantedFiles([card, card], []), [trace]);
    assert.deepEqual(wantedFiles([card], [{ name: "Card", environment: "", hash: log }]), [trace]);
    assert.deepEqual(wantedFiles([card], [card]), []);
    assert.deepEqual(wantedFiles([card, retried], [card, retried]), [log]);
    assert.deepEqual(withFiles([listed("Plain"), card]), [card]);
  });

  it("have either a link or a hash", () => {
    const url = "https://ci.example.com/trace.zip";
    const parse = (attachment: object) =>
      uploadedScreenshot.safeParse({
        name: "a",
        hash: image,
        attachments: [{ name: "trace", ...attachment }],
      });
    assert.equal(parse({ url }).success, true);
    assert.equal(parse({ hash: trace }).success, true);
    for (const wrong of [{}, { url, hash: trace }, { hash: "x" }, { file: "trace.zip" }])
      assert.equal(parse(wrong).success, false, JSON.stringify(wrong));
  });

  it("are recognized by their content", () => {
    assert.equal(attachmentKindOf(Buffer.from("PK\x03\x04...")), "zip");
    assert.equal(attachmentKindOf(Buffer.from('{"log":{"é":1}}')), "text");
    for (const other of ["", "\0abc", "MZ\0"]) assert.equal(attachmentKindOf(Buffer.from(other)), null);
    assert.equal(attachmentKindOf(Buffer.from([0xff, 0xfe, 0x41])), null);
  });

  it("have signed links whose ending is that of their content", () => {
    const links = new Links("https://vrs.example", "key");
    const run = { id: "run_1", linkGeneration: 0, teamId: "team_a" };
    const linkOf = (name: string, kind: "zip" | "text") => {
      const files = new Map([[trace, { hash: trace, kind, bytes: 5 }]]);
      const view = viewOfUpload({ attachments: [{ name, hash: trace }] }, files, { run, links });
      return view.attachments?.[0]?.url ?? "";
    };
    const endOf = (name: string, kind: "zip" | "text") => linkOf(name, kind).split("/").at(-1);
    assert.equal(endOf("trace", "zip"), "trace.zip");
    assert.equal(endOf("network.har", "text"), "network.har");
    assert.equal(endOf("page.html", "text"), "page.html.txt");
    assert.equal(endOf('../"a\r\nb: c"', "text"), "a-b-c.txt");
    assert.equal(endOf("日本", "zip"), "attachment.zip");
    const [, , , , , team = "", signed = "", hash = "", fileName = ""] = linkOf("trace", "zip").split("/");
    assert.equal(links.readAttachment(team, { hash, fileName }, signed)?.runId, "run_1");
    assert.equal(links.readAttachment(team, { hash, fileName: "trace.html" }, signed), null);
    assert.equal(links.readAttachment("team_b", { hash, fileName }, signed), null);
    assert.equal(links.readImage(team, hash, signed), null);
  });

  it("are left out until the service has them", () => {
    const links = new Links("https://vrs.example", "key");
    const run = { id: "run_1", linkGeneration: 0, teamId: "team_a" };
    const url = "https://ci.example.com/video.webm";
    const attachments = [
      { name: "trace", hash: trace },
      { name: "video", url },
    ];
    assert.deepEqual(viewOfUpload({ attachments }, new Map(), { run, links }).attachments, [
      { name: "video", url, kind: "link", bytes: null },
    ]);
  });
});
