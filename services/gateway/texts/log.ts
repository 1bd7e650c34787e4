import { figure } from "../../../shared/text/format.ts";

export const OPERATOR_MESSAGES = {
  imageTooLarge: (hash: string, bytes: number) =>
    `The image ${hash} has ${figure(bytes)} bytes, which is too many for a thumbnail.`,
  portInUse: (port: number) =>
    `Port ${port} is in use by another program. Stop it, or set PORT to another port.`,
  senderGone: (requestId: string) => `The sender of request ${requestId} disconnected.`,
  tunnelFailed: "A tunnel could not be opened.",
  noRateLimits: (node: string) => `${node} did not respond. This gateway counts its rate limits meanwhile.`,
};
