import { createSocket, type Socket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { isIPv6 } from "node:net";
import type { Resolve } from "../../../shared/capture/network/checked-connect.ts";

const HEADER_BYTES = 12;
const TYPES = { A: 1, AAAA: 28 } as const;
/** Flags of a response with recursion, without and with the error "no such name". */
const FOUND = 0x8180;
const NO_SUCH_NAME = 0x8183;
/** A pointer to the question's name in the same message. */
const SAME_NAME = 0xc00c;
const CLASS_INTERNET = 1;

/** An attacker's DNS server on this machine. Each response expires at once, and the next one may differ. */
export class DnsServer {
  /** The responses of a name, in order. The last one repeats. */
  readonly names = new Map<string, string[][]>();
  /** Its responses, in order. Questions for IPv4 and IPv6 count as one. */
  readonly answered: string[][] = [];
  readonly #turns = new Map<string, number>();
  readonly #socket: Socket;

  private constructor() {
    this.#socket = createSocket("udp4");
    this.#socket.on("message", (query, { address, port }) =>
      this.#socket.send(this.#answer(query), port, address),
    );
  }

  static async start(names: Record<string, string[][]>): Promise<DnsServer> {
    const server = new DnsServer();
    for (const [name, answers] of Object.entries(names)) server.names.set(name, answers);
    server.#socket.bind(0, "127.0.0.1");
    await once(server.#socket, "listening");
    return server;
  }

  /** A real resolver that queries this server for both kinds of addresses. */
  get resolve(): Resolve {
    const resolver = new Resolver({ tries: 1 });
    resolver.setServers([`127.0.0.1:${this.#socket.address().port}`]);
    return async host => {
      const four = await resolver.resolve4(host).catch(() => []);
      return [...four, ...(await resolver.resolve6(host).catch(() => []))];
    };
  }

  async close(): Promise<void> {
    this.#socket.close();
    await once(this.#socket, "close");
  }

  #answer(query: Buffer): Buffer {
    const labels: string[] = [];
    let at = HEADER_BYTES;
    for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
      labels.push(query.toString("ascii", at + 1, at + 1 + length));
      at += length + 1;
    }
    const type = query.readUInt16BE(at + 1);
    const question = query.subarray(HEADER_BYTES, at + 5);
    const records = this.#addresses(labels.join("."), type).map(address => record(type, address));
    const header = Buffer.from(query.subarray(0, HEADER_BYTES));
    header.writeUInt16BE(this.names.has(labels.join(".")) ? FOUND : NO_SUCH_NAME, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    header.fill(0, 8);
    return Buffer.concat([header, question, ...records]);
  }

  #addresses(name: string, type: number): string[] {
    const answers = this.names.get(name) ?? [];
    if (type !== TYPES.A && type !== TYPES.AAAA) return [];
    // The resolver queries IPv4 first.
    const turn = (this.#turns.get(name) ?? 0) + (type === TYPES.A ? 1 : 0);
    this.#turns.set(name, turn);
    const answer = answers[Math.min(turn, answers.length) - 1] ?? [];
    if (type === TYPES.A) this.answered.push(answer);
    return answer.filter(address => isIPv6(address) === (type === TYPES.AAAA));
  }
}

function record(type: number, address: string): Buffer {
  const data = type === TYPES.A ? Buffer.from(address.split(".").map(Number)) : groupsOf(address);
  const head = Buffer.alloc(HEADER_BYTES);
  head.writeUInt16BE(SAME_NAME, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(CLASS_INTERNET, 4);
  // The time to live of 0 is in the four bytes before the length.
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

/** Returns the sixteen bytes of an IPv6 address. */
function groupsOf(address: string): Buffer {
  const spelled = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = "", tail] = spelled.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros: string[] = Array.from({ length: 8 - before.length - after.length }, () => "0");
  return Buffer.from([...before, ...zeros, ...after].map(group => group.padStart(4, "0")).join(""), "hex");
}
