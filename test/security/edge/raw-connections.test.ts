import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { after, before, describe, it } from "mocha";
import { Vrs } from "../../support/drivers/vrs.ts";
import { problemOf } from "../../support/formats/problem.ts";

const MEBIBYTE = 1024 * 1024;
const TEN_MEBIBYTES = 10 * MEBIBYTE;
const BOMB_BYTES = 128 * MEBIBYTE;
/** The time limit of a request, and the 30 seconds between two checks of it. */
const HUNG_UP_WITHIN_MS = 150_000;
const HALF_OPEN = 300;
/** Longer than the gateway takes to notice that a sender is gone, and to log it. */
const LOG_DELAY_MS = 500;

describe("Raw connections to the gateway", () => {
  let vrs: Vrs;
  before(async () => {
    vrs = await Vrs.start();
  });
  after(() => vrs?.stop());

  const isWell = async () => {
    assert.equal((await vrs.request("/v1/runs?limit=1")).status, 200);
    assert.equal((await fetch(`${vrs.baseUrl}/health`)).status, 200);
  };

  describe("with a smuggled request", () => {
    const inner = "GET /v1/usage HTTP/1.1\r\nHost: localhost\r\nX-Smuggled: 1\r\n\r\n";
    const post = (headers: string, body: string) =>
      `POST /v1/run HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`;
    const length = `Content-Length: ${inner.length + 5}`;
    const chunked = "Transfer-Encoding: chunked";
    const requests: [what: string, bytes: string][] = [
      ["a length and chunks", post(`${length}\r\n${chunked}`, `0\r\n\r\n${inner}`)],
      ["chunks and a length", post(`${chunked}\r\n${length}`, `0\r\n\r\n${inner}`)],
      ["two lengths", post(`Content-Length: 0\r\n${length}`, inner)],
      ["two lengths in one header", post(`Content-Length: 0, ${inner.length}`, inner)],
      ["a signed length", post("Content-Length: +0", inner)],
      ["a negative length", post("Content-Length: -1", inner)],
      ["an encoding behind a blank", post(`${length}\r\nTransfer-Encoding : chunked`, `0\r\n\r\n${inner}`)],
      [
        "an encoding on a folded line",
        post(`${length}\r\nTransfer-Encoding:\r\n chunked`, `0\r\n\r\n${inner}`),
      ],
      ["an encoding that is none", post(`${length}\r\nTransfer-Encoding: xchunked`, `0\r\n\r\n${inner}`)],
      ["chunks that are not last", post("Transfer-Encoding: chunked, identity", `0\r\n\r\n${inner}`)],
      ["a chunk's size that is none", post(chunked, `0x0\r\n\r\n${inner}`)],
      ["lines that end in a line feed", post(`${length}\n${chunked}`, `0\n\n${inner}`)],
      ["a null in a header", post(`X-A: a\0b\r\n${length}`, inner)],
    ];
    for (const [what, bytes] of requests)
      it(`answers none of it: ${what}`, async () => {
        const answer = await sendRaw(vrs.port, bytes);
        const statuses = [...answer.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status));
        assert.deepEqual(statuses, [400], answer);
        assert.doesNotMatch(answer, /usage|unauthorized/);
      });

    it("copy no response header from a request", async () => {
      for (const value of ["a%0d%0aX-Evil: 1", "a\u00e9", "x".repeat(500)]) {
        const answer = await vrs.request("/v1/runs?limit=1", { headers: { "X-Request-Id": value } });
        assert.equal(answer.headers.get("x-evil"), null);
        assert.notEqual(answer.headers.get("x-request-id"), value);
      }
      const led = await fetch(`${vrs.baseUrl}/sign-in?next=/%0d%0aX-Evil:%201`, { redirect: "manual" });
      assert.equal(led.headers.get("x-evil"), null);
    });

    it("goes on", isWell);
  });

  describe("with too much data", () => {
    for (const [what, headers] of [
      ["one header", `X-Filler: ${"x".repeat(TEN_MEBIBYTES)}\r\n`],
      ["many headers", "X-Filler: x\r\n".repeat(TEN_MEBIBYTES / 13)],
      ["a cookie", `Cookie: vrs_session=${"x".repeat(TEN_MEBIBYTES)}\r\n`],
    ] as const)
      it(`are refused with 10 MiB of headers, ${what}`, async () => {
        const answer = await sendRaw(vrs.port, `GET /v1/runs HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`);
        assert.match(answer, /^(HTTP\/1\.1 431 |$)/, answer.slice(0, 200));
        await isWell();
      });

    it("decompress no body beyond its limit, and keep the memory bounded", async () => {
      const body = Buffer.concat([Buffer.from('{"url":"'), Buffer.alloc(BOMB_BYTES, "x"), Buffer.from('"}')]);
      const bombs = {
        gzip: gzipSync(body),
        deflate: deflateSync(body),
        br: brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
        zstd: zstdCompressSync(body),
      };
      const before = await memoryOf(vrs.pid);
      for (const [encoding, bomb] of Object.entries(bombs)) {
        assert.ok(bomb.length < MEBIBYTE, `${encoding} is small enough to be taken`);
        const headers = { "Content-Type": "application/json", "Content-Encoding": encoding };
        const send = () => vrs.request("/v1/run", { method: "POST", headers, body: new Uint8Array(bomb) });
        for (const answer of await Promise.all([send(), send(), send()]))
          await problemOf(answer, "payload_too_large");
      }
      const grown = (await memoryOf(vrs.pid)) - before;
      assert.ok(grown < BOMB_BYTES, `it grew by ${Math.round(grown / MEBIBYTE)} MiB`);
      await isWell();
    });
  });

  it("log no error when they break off a body, which anyone can do", async () => {
    const key = `Authorization: Bearer ${vrs.key}\r\n`;
    for (const head of ["POST /api/webhook HTTP/1.1\r\n", `POST /v1/archives?project=p HTTP/1.1\r\n${key}`]) {
      const socket = await opened(vrs.port, `${head}Host: localhost\r\nContent-Length: 1000\r\n\r\nhalf`);
      await isWell();
      socket.destroy();
    }
    await isWell();
    await delay(LOG_DELAY_MS);
    assert.doesNotMatch(vrs.output, /"level":50/);
  });

  it("are closed after half a request, while others are served", async () => {
    const halves = [
      "",
      "GET /v1/ru",
      "GET /v1/runs HTTP/1.1\r\nHost: localhost\r\nX-A: ",
      "POST /v1/run HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
      "POST /api/webhook HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{",
    ];
    const sockets = await Promise.all(
      Array.from({ length: HALF_OPEN }, (_, n) => opened(vrs.port, halves[n % halves.length] ?? "")),
    );
    const closed = Promise.all(sockets.map(socket => once(socket, "close")));
    for (let n = 0; n < 10; n++) await isWell();
    const late = AbortSignal.timeout(HUNG_UP_WITHIN_MS);
    const isLate = once(late, "abort").then(() => "late");
    assert.notEqual(await Promise.race([closed, isLate]), "late");
    await isWell();
  });
});

async function opened(port: number, bytes: string): Promise<Socket> {
  const socket = connect(port, "localhost");
  // Reads the response to notice its end.
  socket.on("error", () => {}).resume();
  await once(socket, "connect");
  socket.write(bytes);
  return socket;
}

/** Sends raw bytes. @returns the bytes received until the other side closed the connection */
async function sendRaw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, "localhost");
  let answer = "";
  socket.setEncoding("utf8").on("data", text => {
    answer += text;
  });
  // The server may close the connection while the client still sends.
  socket.on("error", () => {});
  socket.write(bytes, "latin1");
  await new Promise(closed => socket.once("close", closed));
  return answer;
}

/** Returns a process's memory in bytes. 0 if the system doesn't tell. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}
