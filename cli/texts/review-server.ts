/** `vrs dev`: its output, and the errors of its server. */
import { count, figure } from "../../shared/text/format.ts";

export const REVIEW_TEXTS = {
  ready: (url: string) => `Review page  ${url}`,
  hint: "Run your tests in another terminal. Press Ctrl+C to stop.",
  approved: (baselines: number) => `${count(baselines, "baseline")} changed. Commit them with git.`,
  stopped: "Stopped.",
};

export const REVIEW_ERRORS = {
  tooLarge: (mib: number) => `The image is larger than ${mib} MiB. Make a smaller screenshot.`,
  noImage: (why: string) => `The image can't be read: ${why}. Send a PNG, JPEG, or WebP file in base64.`,
  tooMany: (most: number) => `vrs dev has ${figure(most)} screenshots. Restart it to remove old ones.`,
  tooLargeBody: "The request is too large.",
  notJson: "The body is not JSON. Send application/json.",
  notApproval: "The body names no screenshots. Reload the page.",
  notFound: "Nothing is here. Use the URL that vrs dev printed.",
  stale: "A newer screenshot arrived meanwhile. Look at it, and approve again.",
  internal: "vrs dev failed to handle the request. Its terminal shows why.",
  notSent: (name: string, why: string) => `Failed to send the screenshot ${name} to vrs dev: ${why}`,
  portTaken: (port: number) => `Port ${port} is in use. Choose another one with --port.`,
  port: (text: string) => `--port must be a number from 1 to 65,535. You gave "${text}".`,
};
