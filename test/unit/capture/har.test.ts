import assert from "node:assert/strict";
import { parseHar } from "../../../shared/capture/network/har/har-format.ts";
import { HarRecorder, type RecordedResponse } from "../../../shared/capture/network/har/har-recorder.ts";
import { HarReplay, type ReplayedRequest } from "../../../shared/capture/network/har/har-replay.ts";

const SITE = "http://localhost:3000/app";
const plain = (text: string) => text;
const masked = (text: string) => text.replaceAll("swordfish", "•••");

const response = (more: Partial<RecordedResponse> = {}): RecordedResponse => ({
  ...{ method: "GET", url: "http://localhost:3000/api/cart#top", postData: null, status: 200 },
  headers: { "content-type": "application/json", etag: '"1"' },
  body: Buffer.from('{ "eur": "5 €" }'),
  ...more,
});
const recorded = (responses: RecordedResponse[], mask = plain, before = "") => {
  const recorder = new HarRecorder(SITE, parseHar(before));
  for (const each of responses) recorder.add(each, mask);
  return recorder;
};
const found = (text: string, request: Partial<ReplayedRequest> = {}, site = SITE, mask = plain) => {
  const har = parseHar(text);
  assert.ok(har);
  const wanted = { method: "GET", url: "http://localhost:3000/api/cart", postData: null, ...request };
  return new HarReplay(har).find(wanted, { site, mask });
};

describe("a recorded HAR file", () => {
  it("has the response to a request with the same method, URL and body", () => {
    const post = response({ method: "POST", postData: "a=1", status: 201, body: Buffer.from("made") });
    const text = recorded([response(), post]).print();
    assert.deepEqual(found(text), {
      status: 200,
      headers: { "content-type": "application/json", etag: '"1"' },
      body: Buffer.from('{ "eur": "5 €" }'),
    });
    assert.equal(found(text, { method: "POST", postData: "a=1" })?.status, 201);
    assert.equal(found(text, { method: "POST", postData: "a=2" }), undefined);
    assert.equal(found(text, { url: "http://localhost:3000/api/cart?page=2" }), undefined);
  });

  it("has bytes that are no text", () => {
    const body = Buffer.from([0x89, 0x50, 0xff, 0]);
    assert.deepEqual(found(recorded([response({ body })]).print())?.body, body);
  });

  it("applies to the application at another address, and to no other site", () => {
    const text = recorded([response()]).print();
    const other = { url: "http://127.0.0.1:8080/api/cart" };
    assert.equal(found(text, other, "http://127.0.0.1:8080")?.status, 200);
    assert.equal(found(text, other), undefined);
  });

  it("has no cookies, no authorization, and no known secrets", () => {
    const secret = response({
      url: "http://localhost:3000/api/cart?key=swordfish",
      postData: "swordfish",
      headers: {
        "content-type": "text/plain",
        ...{ "set-cookie": "session=1", authorization: "Bearer 1", "x-csrf-token": "1", "x-api-key": "1" },
        "x-trace": "swordfish",
      },
      body: Buffer.from("It is swordfish."),
    });
    const text = recorded([secret], masked).print();
    for (const hidden of ["swordfish", "session=1", "Bearer", "csrf", "api-key"])
      assert.ok(!text.includes(hidden), hidden);
    const { url, postData } = secret;
    assert.equal(found(text, { url, postData }, SITE, masked)?.body.toString(), "It is •••.");
  });

  it("is the same text for the same responses in any order", () => {
    const [one, other] = [response(), response({ url: "http://localhost:3000/api/user" })];
    assert.equal(recorded([one, other]).print(), recorded([other, one, other]).print());
  });

  it("keeps what was recorded before, unless it is recorded again", () => {
    const before = recorded([response(), response({ url: "http://localhost:3000/api/user" })]).print();
    const after = recorded([response({ status: 404 })], plain, before);
    assert.equal(after.size, 1);
    assert.equal(found(after.print())?.status, 404);
    assert.equal(found(after.print(), { url: "http://localhost:3000/api/user" })?.status, 200);
  });

  it("leaves out responses that are too large", () => {
    const large = response({ url: "http://a.test/large", body: Buffer.alloc(10 * 1024 * 1024 + 1) });
    const recorder = recorded([large, response()]);
    recorder.skip(response(), plain);
    assert.deepEqual([recorder.size, recorder.skipped], [1, 1], "what another load recorded is not left out");
    for (let n = 0; n < 6; n++)
      recorder.add(response({ url: `http://a.test/${n}`, body: Buffer.alloc(9 * 1024 * 1024, "x") }), plain);
    assert.deepEqual([recorder.size, recorder.skipped], [5, 3]);
  });
});

describe("a HAR file of another tool", () => {
  const entry = (url: string, more: object) => ({
    request: { method: "GET", url, headers: [] },
    response: { status: 200, headers: [], content: {}, ...more },
  });
  const har = (...entries: object[]) => JSON.stringify({ log: { version: "1.2", entries } });
  const url = "http://a.test/";

  it("is followed through its redirects", () => {
    const redirect = entry(url, { status: 302, redirectURL: "/next" });
    const text = har(
      redirect,
      entry("http://a.test/next", { content: { text: "next", mimeType: "text/plain" } }),
    );
    const { headers, body } = found(text, { url }) ?? {};
    assert.deepEqual([headers, body?.toString()], [{ "content-type": "text/plain" }, "next"]);
    assert.equal(found(har(redirect), { url }), undefined);
    assert.equal(found(har(entry(url, { status: 302, redirectURL: url })), { url }), null);
  });

  it("has its cookies, without headers of the transfer", () => {
    const headers = [
      { name: ":status", value: "200" },
      { name: "Content-Encoding", value: "gzip" },
      { name: "Access-Control-Allow-Origin", value: "http://b.test" },
      { name: "Set-Cookie", value: "a=1" },
      { name: "Set-Cookie", value: "b=2" },
    ];
    assert.deepEqual(found(har(entry(url, { headers })), { url })?.headers, { "set-cookie": "a=1\nb=2" });
  });

  it("has no response to a request that failed", () => {
    assert.equal(found(har(entry(url, { status: -1 })), { url }), null);
  });

  it("is not read if it is something else", () => {
    for (const text of ["", "no", "[]", '{ "log": {} }', '{ "log": { "entries": [{}] } }'])
      assert.equal(parseHar(text), null);
  });
});
