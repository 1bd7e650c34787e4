import type { RenderingFingerprint } from "../../contracts/capture/rendering.ts";

/** How the processes of one browser are watched and ended. */
export interface BrowserControl {
  /**
   * Limits the memory of a context's pages until the returned function is called.
   * @param onOver called when a page of the context was ended
   */
  watchMemory(contextId: string, onOver: () => void): () => void;
  /** Resolves when it is known which page was ended, or at once when none was. */
  untilIdentified(): Promise<void>;
  /** Resolves when the browser responds. */
  respond(): Promise<void>;
  /** Returns the resident memory of all its processes, bytes; 0 where it is not known. */
  residentBytes(): Promise<number>;
  /** Measures how the browser draws. Returns null for a browser whose drawing is not compared. */
  measure(): Promise<RenderingFingerprint | null>;
  /** Kills the browser at once, with everything that it renders. */
  kill(): void;
}
