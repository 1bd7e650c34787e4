import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";

/** A loopback address without a resolver. */
const ADDRESS = "127.0.0.9";
const PORT = 53;

/** A DNS server that knows no names, and records the queried ones. */
export class DnsSink {
  readonly address = ADDRESS;
  readonly names: string[] = [];
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("message", (query, { port, address }) => {
      const { name, end } = questionOf(query);
      this.names.push(name);
      // The same id and question, with "no such name".
      const head = Buffer.concat([query.subarray(0, 2), Buffer.from([0x81, 0x83, 0, 1, 0, 0, 0, 0, 0, 0])]);
      socket.send(Buffer.concat([head, query.subarray(12, end)]), port, address);
    });
  }

  /** Starts it. @returns null if this user can't listen on the DNS port */
  static async start(): Promise<DnsSink | null> {
    const socket = createSocket("udp4");
    socket.bind(PORT, ADDRESS);
    try {
      await once(socket, "listening");
      return new DnsSink(socket);
    } catch {
      socket.close();
      return null;
    }
  }

  close(): void {
    this.#socket.close();
  }
}

function questionOf(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  // The name is followed by a zero byte, the type, and the class.
  return { name: labels.join("."), end: at + 5 };
}
