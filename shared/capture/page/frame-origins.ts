import type { CDPSession } from "playwright";
import { bounded } from "./bounded.ts";

interface KnownFrame {
  parentId: string | null;
  /** Of its document's URL; null while it has no document. */
  origin: string | null;
  /** As which its scripts run, which in a sandbox is none; null until Chromium says so. */
  scriptOrigin: string | null;
}

/** What Chromium says of a frame. */
interface FrameFacts {
  id: string;
  parentId?: string;
  url: string;
}

/** No site's origin: of a document in a sandbox, or in another process. */
const FOREIGN = "foreign";
/** For what the page's process has to say, which may be busy. */
const ANSWER_MS = 1_000;

/** Knows, of a page's frames, whose documents they show. */
export class FrameOrigins {
  readonly #session: CDPSession;
  readonly #frames = new Map<string, KnownFrame>();
  #mainId = "";

  constructor(session: CDPSession) {
    this.#session = session;
  }

  /** Begins to follow the page's frames. @returns what ends it */
  async follow(): Promise<() => Promise<void>> {
    const session = this.#session;
    const onAttached = (frame: { frameId: string; parentFrameId: string }) =>
      this.#set(frame.frameId, frame.parentFrameId, null);
    const onNavigated = ({ frame }: { frame: FrameFacts }) =>
      this.#set(frame.id, frame.parentId ?? null, URL.parse(frame.url)?.origin ?? FOREIGN);
    const onDetached = ({ frameId, reason }: { frameId: string; reason: string }) => {
      // Swapped, it goes on in another process.
      if (reason === "swap") this.#set(frameId, this.#mainId, FOREIGN);
      else this.#frames.delete(frameId);
    };
    const onContext = ({ context }: { context: { origin: string; auxData?: object } }) =>
      this.#noteScripts(context.origin, context.auxData ?? {});
    session.on("Page.frameAttached", onAttached);
    session.on("Page.frameNavigated", onNavigated);
    session.on("Page.frameDetached", onDetached);
    session.on("Runtime.executionContextCreated", onContext);
    // The main frame has its target's name.
    const [{ targetInfo }] = await Promise.all([
      session.send("Target.getTargetInfo"),
      session.send("Runtime.enable"),
    ]);
    this.#mainId = targetInfo.targetId;
    return async () => {
      session.off("Page.frameAttached", onAttached);
      session.off("Page.frameNavigated", onNavigated);
      session.off("Page.frameDetached", onDetached);
      session.off("Runtime.executionContextCreated", onContext);
      await session.send("Runtime.disable");
    };
  }

  isMain(frameId: string): boolean {
    return frameId === this.#mainId;
  }

  /**
   * Returns whether the frame and all frames around it show documents of the origin. A frame without a document counts
   * as the one around it, which made it.
   */
  async isWithin(frameId: string, origin: string): Promise<boolean> {
    if (this.#isOf(frameId, origin)) return true;
    // A request may come before what the page's process says of its frame. It says that before it answers.
    const late = () => new Error("The page is not responding.");
    await bounded(this.#session.send("Page.getFrameTree"), ANSWER_MS, late).catch(() => null);
    return this.#isOf(frameId, origin);
  }

  #isOf(frameId: string, origin: string): boolean {
    const frame = this.#frames.get(frameId);
    if (frame === undefined) return false;
    if (this.isMain(frameId)) return frame.origin === origin;
    const hasOwn = frame.origin === null || frame.scriptOrigin === origin;
    return hasOwn && frame.parentId !== null && this.#isOf(frame.parentId, origin);
  }

  #set(frameId: string, parentId: string | null, origin: string | null): void {
    this.#frames.set(frameId, { parentId, origin, scriptOrigin: null });
  }

  #noteScripts(origin: string, about: { frameId?: string; isDefault?: boolean }): void {
    const frame = this.#frames.get(about.frameId ?? "");
    if (frame && about.isDefault) frame.scriptOrigin = URL.parse(origin)?.origin ?? FOREIGN;
  }
}
