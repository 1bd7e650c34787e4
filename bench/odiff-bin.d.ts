/** What the comparison benchmark uses of odiff, so that the project type-checks where the benchmarks are not installed. */
declare module "odiff-bin" {
  export class ODiffServer {
    compare(
      baseline: string,
      current: string,
      diff: string,
      options: { threshold: number; antialiasing: boolean; outputDiffMask: boolean },
    ): Promise<{ match: true } | { match: false; diffCount?: number }>;
    stop(): void;
  }
}
