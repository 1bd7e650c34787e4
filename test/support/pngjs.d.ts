/** What the tests use of pngjs, with which pixelmatch reads files. */
declare module "pngjs" {
  export const PNG: {
    sync: {
      /** `data` is 8-bit RGBA. */
      read(png: Buffer): { width: number; height: number; data: Buffer };
    };
  };
}
