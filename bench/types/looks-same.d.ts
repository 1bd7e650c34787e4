/** What the comparison benchmark uses of looks-same. */
declare module "looks-same" {
  export default function looksSame(
    baseline: string,
    current: string,
    options: { createDiffImage: true },
  ): Promise<{
    equal: boolean;
    differentPixels: number;
    diffImage: { save(path: string): Promise<void> } | null;
  }>;
}
