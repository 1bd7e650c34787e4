/** What the comparison benchmark uses of odiff, so that the project type-checks without the benchmarks' packages. */
declare module "odiff-bin" {
  interface Options {
    threshold: number;
    antialiasing: boolean;
    outputDiffMask: boolean;
  }
  type Result = { match: true } | { match: false; diffCount?: number };

  export function compare(baseline: string, current: string, diff: string, options: Options): Promise<Result>;

  export class ODiffServer {
    compare(baseline: string, current: string, diff: string, options: Options): Promise<Result>;
    stop(): void;
  }
}
