import type { CDPSession } from "playwright";
import { withTimeout } from "../../async.ts";

interface KnownFrame {
  parentId: string | null;
  /** Origin of its document's URL; null while it has no document. */
  origin: string | null;
  /** Origin of its scripts, which is opaque in a sandbox; null until Chromium reports it. */
  scriptOrigin: string | null;
}

/** A frame as Chromium reports it. */
interface FrameFacts {
  id: string;
  parentId?: string;
  url: string;
}

/** A frame with the frames in it. */
interface FrameTree {
  frame: FrameFacts;
  childFrames?: FrameTree[];
}

function framesIn({ frame, childFrames = [] }: FrameTree): FrameFacts[] {
  return [frame, ...childFrames.flatMap(framesIn)];
}

/** Stands for the origin of a document in a sandbox or in another process. No site has this origin. */
const FOREIGN = "foreign";
/** How long a page's process, which may be busy, can take to respond. */
const RESPONSE_TIMEOUT_MS = 1_000;

/** Tracks the origins of the documents in a page's frames. */
export class FrameOrigins {
  readonly #session: CDPSession;
  readonly #frames = new Map<string, KnownFrame>();
  #mainId = "";

  constructor(session: CDPSession) {
    this.#session = session;
  }

  /** Starts to track the page's frames. @returns a function that ends it */
  async follow(): Promise<() => Promise<void>> {
    const session = this.#session;
    const onAttached = (frame: { frameId: string; parentFrameId: string }) =>
      this.#set(frame.frameId, frame.parentFrameId, null);
    const onNavigated = ({ frame }: { frame: FrameFacts }) =>
      this.#set(frame.id, frame.parentId ?? null, URL.parse(frame.url)?.origin ?? FOREIGN);
    const onDetached = ({ frameId, reason }: { frameId: string; reason: string }) => {
      // A swapped frame continues in another process.
      if (reason === "swap") this.#set(frameId, this.#mainId, FOREIGN);
      else this.#frames.delete(frameId);
    };
    const onContext = ({ context }: { context: { origin: string; auxData?: object } }) =>
      this.#recordScriptOrigin(context.origin, context.auxData ?? {});
    session.on("Page.frameAttached", onAttached);
    session.on("Page.frameNavigated", onNavigated);
    session.on("Page.frameDetached", onDetached);
    session.on("Runtime.executionContextCreated", onContext);
    // A preview of stories shows its document already. The main frame has the id of its target.
    const [{ targetInfo }, { frameTree }] = await Promise.all([
      session.send("Target.getTargetInfo"),
      session.send("Page.getFrameTree"),
    ]);
    this.#mainId = targetInfo.targetId;
    for (const frame of framesIn(frameTree)) if (!this.#frames.has(frame.id)) onNavigated({ frame });
    // Reports the scripts of these frames, too.
    await session.send("Runtime.enable");
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
   * as the frame around it, which created it.
   */
  async isWithin(frameId: string, origin: string): Promise<boolean> {
    if (this.#isOf(frameId, origin)) return true;
    // A request may arrive before the page's process reports its frame. The process reports the frame before it
    // responds.
    const late = () => new Error("The page is not responding.");
    await withTimeout(this.#session.send("Page.getFrameTree"), RESPONSE_TIMEOUT_MS, late).catch(() => null);
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

  #recordScriptOrigin(origin: string, about: { frameId?: string; isDefault?: boolean }): void {
    const frame = this.#frames.get(about.frameId ?? "");
    if (frame && about.isDefault) frame.scriptOrigin = URL.parse(origin)?.origin ?? FOREIGN;
  }
}
