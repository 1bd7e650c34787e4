/** What the deployment platform is told of its deliveries. Texts that the wire contract fixes are in their own files. */

export const API_ERRORS = {
  timeout: "The Cloud API did not respond in time",
  unreachable: (why: string) => `The Cloud API could not be reached: ${why}`,
  unreadable: "The response of the Cloud API could not be read",
};

export const DELIVERY_REASONS = {
  inProgress: "An identical delivery is still being processed",
  noConsent: "There is no such consent. Check its key.",
};
