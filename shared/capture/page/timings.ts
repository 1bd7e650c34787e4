/** Measures time by step. A step that runs again adds to its time. */
export class Timings {
  readonly ms: Record<string, number> = {};

  async of<T>(step: string, work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      return await work();
    } finally {
      this.ms[step] = (this.ms[step] ?? 0) + performance.now() - start;
    }
  }
}
